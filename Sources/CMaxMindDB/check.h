#ifndef CMAXMINDDB_CHECK_H
#define CMAXMINDDB_CHECK_H

#include <maxminddb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CMaxMindDB.h"

/* A file's last bytes in which its metadata must be. */
enum { cmmdb_metadata_bytes_max = 128 * 1024 };

/* Whether the metadata section, if the file's last bytes have one, is a value of bounded depth and size, values that
   pointers repeat counted each time, with a list of languages that are strings. To be asked before MMDB_open, which
   makes lists of them, however long, and loses one that it refuses. */
bool cmmdb_check_metadata(const uint8_t *end, size_t count);

/* Walks every node and every record that one points to. Values that are pointed to are walked once however many
   pointers there are, and values that lie in one another only so often, so the time is bounded by the file's size.
   CMMDB_OK, CMMDB_BAD_METADATA,
   CMMDB_BAD_TREE, CMMDB_BAD_DATA or CMMDB_OUT_OF_MEMORY. */
enum cmmdb_status cmmdb_check(const MMDB_s *mmdb);

#endif
