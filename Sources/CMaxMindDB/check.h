#ifndef CMAXMINDDB_CHECK_H
#define CMAXMINDDB_CHECK_H

#include <maxminddb.h>

#include "CMaxMindDB.h"

/* Walks every node and every record that one points to. Values that are pointed to are walked once however many
   pointers there are, so the time is bounded by the file's size times its depth. CMMDB_OK, CMMDB_BAD_METADATA,
   CMMDB_BAD_TREE, CMMDB_BAD_DATA or CMMDB_OUT_OF_MEMORY. */
enum cmmdb_status cmmdb_check(const MMDB_s *mmdb);

#endif
