#ifndef MUSTER_CTIMER_H
#define MUSTER_CTIMER_H
// What the toolchain's own module for the C library leaves out.
#include <sys/timerfd.h>
#endif
