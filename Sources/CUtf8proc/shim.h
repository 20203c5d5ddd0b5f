#ifndef MUSTER_CUTF8PROC_H
#define MUSTER_CUTF8PROC_H
#include <utf8proc.h>
#endif
