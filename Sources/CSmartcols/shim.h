#ifndef MUSTER_CSMARTCOLS_H
#define MUSTER_CSMARTCOLS_H
#include <libsmartcols/libsmartcols.h>
#endif
