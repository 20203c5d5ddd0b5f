#ifndef MUSTER_CZLIB_H
#define MUSTER_CZLIB_H
#include <zlib.h>
#endif
