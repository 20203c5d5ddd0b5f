#ifndef MUSTER_CSYSTEMD_H
#define MUSTER_CSYSTEMD_H
#include <systemd/sd-daemon.h>
#endif
