#ifndef MUSTER_CLINUX_H
#define MUSTER_CLINUX_H
// What the toolchain's own module for the C library leaves out.
#include <malloc.h>
#include <sys/signalfd.h>
#endif
