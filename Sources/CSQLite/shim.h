#ifndef MUSTER_CSQLITE_H
#define MUSTER_CSQLITE_H
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import. */
static inline int muster_sqlite3_bind_blob_copied(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* The same for a text. */
static inline int muster_sqlite3_bind_text_copied(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(
      statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
#endif
