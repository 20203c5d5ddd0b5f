#ifndef MUSTER_CSQLITE_H
#define MUSTER_CSQLITE_H
#include <sqlite3.h>
#endif
