#ifndef MUSTER_CZEROMQ_H
#define MUSTER_CZEROMQ_H
#include <sys/prctl.h>
#include <zmq.h>

/* In C, because prctl takes any number of arguments, which Swift cannot call. */
static inline int muster_keep_memory_private(void) {
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
#endif
