/* A shim over libmaxminddb: hides its variadics and structs, reads a private copy, never another file's pages. */
#ifndef CMAXMINDDB_H
#define CMAXMINDDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cmmdb cmmdb;

enum cmmdb_status {
  CMMDB_OK = 0,
  /* errno says what. */
  CMMDB_SYSTEM,
  CMMDB_NOT_A_FILE,
  CMMDB_EMPTY,
  CMMDB_TOO_LARGE,
  /* No metadata marker, or a binary format other than 2. */
  CMMDB_UNKNOWN_FORMAT,
  CMMDB_BAD_METADATA,
  CMMDB_BAD_TREE,
  CMMDB_BAD_DATA,
  CMMDB_OUT_OF_MEMORY,
};

struct cmmdb_metadata {
  uint32_t node_count;
  uint16_t record_size_bits;
  uint16_t ip_version;
  uint64_t build_epoch_seconds;
  size_t file_bytes;
  /* As long as the database; maybe not UTF-8. */
  const char *database_type;
};

/* Copies the file into sealed memory of its own (memfd_create(2)), opens that with MMDB_open and walks the whole
   search tree and data section (see check.h). On failure *database stays NULL. */
enum cmmdb_status cmmdb_open(const char *path, size_t bytes_max, cmmdb **database);
/* MMDB_close; NULL is nothing to do. */
void cmmdb_close(cmmdb *database);
void cmmdb_read_metadata(const cmmdb *database, struct cmmdb_metadata *metadata);

enum { CMMDB_NOT_FOUND = -1, CMMDB_CORRUPT = -2 };

/* MMDB_lookup_sockaddr: the record's offset in the data section, or one of the above. Addresses in host order; an
   IPv6 address in a database of IPv4 only is not found. Any thread, without a lock. */
int64_t cmmdb_lookup_ipv4(const cmmdb *database, uint32_t address);
int64_t cmmdb_lookup_ipv6(const cmmdb *database, uint64_t high, uint64_t low);

struct cmmdb_text {
  const uint8_t *bytes; /* NULL: no such value, or no string. Lives as long as the database. */
  size_t count;
};

/* MMDB_aget_value: a string below a record; path is a NULL-terminated list of keys and indices. */
struct cmmdb_text cmmdb_string(const cmmdb *database, uint32_t record_offset, const char *const *path);

#endif
