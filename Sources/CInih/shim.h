#ifndef MUSTER_CINIH_H
#define MUSTER_CINIH_H
#include <ini.h>
#endif
