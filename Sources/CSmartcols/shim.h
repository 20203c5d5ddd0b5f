#ifndef MUSTER_CSMARTCOLS_H
#define MUSTER_CSMARTCOLS_H
#include <libsmartcols/libsmartcols.h>
#include <wchar.h>

/* Of POSIX; the C library declares it only where somebody defines _XOPEN_SOURCE first. */
int wcwidth(wchar_t character);
#endif
