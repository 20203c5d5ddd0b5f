#ifndef MUSTER_CSODIUM_H
#define MUSTER_CSODIUM_H
#include <sodium.h>
#endif
