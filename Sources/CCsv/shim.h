#ifndef MUSTER_CCSV_H
#define MUSTER_CCSV_H
#include <csv.h>
#endif
