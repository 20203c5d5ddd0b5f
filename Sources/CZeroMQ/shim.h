#ifndef MUSTER_CZEROMQ_H
#define MUSTER_CZEROMQ_H
#include <zmq.h>
#endif
