#define _GNU_SOURCE
#include "CMaxMindDB.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <maxminddb.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

struct cmmdb {
  MMDB_s mmdb;
  size_t file_bytes;
};

static enum cmmdb_status copy_bytes(int from, int to, size_t bytes_max) {
  static const size_t chunk_bytes = 1 << 16;
  char *chunk = malloc(chunk_bytes);
  if (!chunk) return CMMDB_OUT_OF_MEMORY;
  enum cmmdb_status status = CMMDB_OK;
  size_t total = 0;
  for (;;) {
    ssize_t count = read(from, chunk, chunk_bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) status = CMMDB_SYSTEM;
    if (count <= 0) break;
    total += (size_t)count;
    if (total > bytes_max) {
      status = CMMDB_TOO_LARGE;
      break;
    }
    for (ssize_t written = 0; written < count;) {
      ssize_t step = write(to, chunk + written, (size_t)(count - written));
      if (step < 0 && errno == EINTR) continue;
      if (step < 0) {
        status = CMMDB_SYSTEM;
        break;
      }
      written += step;
    }
    if (status != CMMDB_OK) break;
    sched_yield(); /* as in cmmdb_check */
  }
  if (status == CMMDB_OK && total == 0) status = CMMDB_EMPTY;
  int saved = errno;
  free(chunk);
  errno = saved;
  return status;
}

/* Whatever happens to the file afterwards, this copy cannot change or shrink. */
static enum cmmdb_status private_copy(const char *path, size_t bytes_max, int *copy) {
  /* O_NONBLOCK: opening a FIFO must not wait for a writer. */
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return CMMDB_SYSTEM;
  enum cmmdb_status status = CMMDB_SYSTEM;
  int memory = -1;
  struct stat facts;
  if (fstat(file, &facts) == 0) {
    if (!S_ISREG(facts.st_mode)) {
      status = CMMDB_NOT_A_FILE;
    } else if ((memory = memfd_create("region-bucket-database", MFD_CLOEXEC | MFD_ALLOW_SEALING)) >= 0) {
      status = copy_bytes(file, memory, bytes_max);
    }
  }
  if (status == CMMDB_OK &&
      fcntl(memory, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    status = CMMDB_SYSTEM;
  }
  int saved = errno;
  close(file);
  if (status != CMMDB_OK && memory >= 0) close(memory);
  errno = saved;
  *copy = memory;
  return status;
}

/* What MMDB_open would make of the copy's metadata must be bounded before it makes it. */
static enum cmmdb_status check_metadata(int copy) {
  struct stat facts;
  if (fstat(copy, &facts) != 0) return CMMDB_SYSTEM;
  size_t file_bytes = (size_t)facts.st_size;
  size_t count = file_bytes < cmmdb_metadata_bytes_max ? file_bytes : cmmdb_metadata_bytes_max;
  uint8_t *end = malloc(count);
  if (!end) return CMMDB_OUT_OF_MEMORY;
  enum cmmdb_status status = CMMDB_OK;
  for (size_t filled = 0; status == CMMDB_OK && filled < count;) {
    ssize_t step = pread(copy, end + filled, count - filled, (off_t)(file_bytes - count + filled));
    if (step < 0 && errno == EINTR) continue;
    if (step <= 0) status = CMMDB_SYSTEM;
    else filled += (size_t)step;
  }
  if (status == CMMDB_OK && !cmmdb_check_metadata(end, count)) status = CMMDB_BAD_METADATA;
  int saved = errno;
  free(end);
  errno = saved;
  return status;
}

static enum cmmdb_status status_of(int mmdb_error) {
  switch (mmdb_error) {
    case MMDB_SUCCESS: return CMMDB_OK;
    case MMDB_OUT_OF_MEMORY_ERROR: return CMMDB_OUT_OF_MEMORY;
    case MMDB_FILE_OPEN_ERROR:
    case MMDB_IO_ERROR: return CMMDB_SYSTEM;
    case MMDB_CORRUPT_SEARCH_TREE_ERROR: return CMMDB_BAD_TREE;
    case MMDB_UNKNOWN_DATABASE_FORMAT_ERROR: return CMMDB_UNKNOWN_FORMAT;
    case MMDB_INVALID_METADATA_ERROR: return CMMDB_BAD_METADATA;
    default: return CMMDB_BAD_DATA;
  }
}

enum cmmdb_status cmmdb_open(const char *path, size_t bytes_max, cmmdb **database) {
  *database = NULL;
  int copy;
  enum cmmdb_status status = private_copy(path, bytes_max, &copy);
  if (status != CMMDB_OK) return status;
  status = check_metadata(copy);
  if (status != CMMDB_OK) {
    int saved = errno;
    close(copy);
    errno = saved;
    return status;
  }
  /* MMDB_open takes a path only; this one names the copy. It needs /proc. */
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", copy);
  struct cmmdb *opened = calloc(1, sizeof *opened);
  if (!opened) {
    close(copy);
    return CMMDB_OUT_OF_MEMORY;
  }
  status = status_of(MMDB_open(name, MMDB_MODE_MMAP, &opened->mmdb));
  int saved = errno;
  close(copy);
  if (status == CMMDB_OK) {
    opened->file_bytes = (size_t)opened->mmdb.file_size;
    status = cmmdb_check(&opened->mmdb);
    if (status != CMMDB_OK) MMDB_close(&opened->mmdb);
  }
  if (status != CMMDB_OK) {
    free(opened);
    errno = saved;
    return status;
  }
  *database = opened;
  return CMMDB_OK;
}

void cmmdb_close(cmmdb *database) {
  if (!database) return;
  MMDB_close(&database->mmdb);
  free(database);
}

void cmmdb_read_metadata(const cmmdb *database, struct cmmdb_metadata *metadata) {
  const MMDB_metadata_s *from = &database->mmdb.metadata;
  metadata->node_count = from->node_count;
  metadata->record_size_bits = from->record_size;
  metadata->ip_version = from->ip_version;
  metadata->build_epoch_seconds = from->build_epoch;
  metadata->file_bytes = database->file_bytes;
  metadata->database_type = from->database_type ? from->database_type : "";
}

static int64_t lookup(const cmmdb *database, const struct sockaddr *address) {
  int error = MMDB_SUCCESS;
  MMDB_lookup_result_s result = MMDB_lookup_sockaddr(&database->mmdb, address, &error);
  if (error == MMDB_IPV6_LOOKUP_IN_IPV4_DATABASE_ERROR) return CMMDB_NOT_FOUND;
  if (error != MMDB_SUCCESS) return CMMDB_CORRUPT;
  if (!result.found_entry) return CMMDB_NOT_FOUND;
  /* A tree that leads in a circle is left at the address's last bit, and what is taken for a record then is none. */
  if (result.entry.offset >= database->mmdb.data_section_size) return CMMDB_CORRUPT;
  return (int64_t)result.entry.offset;
}

int64_t cmmdb_lookup_ipv4(const cmmdb *database, uint32_t address) {
  struct sockaddr_in socket_address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
  int64_t found = lookup(database, (const struct sockaddr *)&socket_address);
  explicit_bzero(&socket_address, sizeof socket_address);
  return found;
}

int64_t cmmdb_lookup_ipv6(const cmmdb *database, uint64_t high, uint64_t low) {
  struct sockaddr_in6 socket_address = {.sin6_family = AF_INET6};
  for (int i = 0; i < 8; i++) {
    socket_address.sin6_addr.s6_addr[i] = (uint8_t)(high >> (56 - 8 * i));
    socket_address.sin6_addr.s6_addr[8 + i] = (uint8_t)(low >> (56 - 8 * i));
  }
  int64_t found = lookup(database, (const struct sockaddr *)&socket_address);
  explicit_bzero(&socket_address, sizeof socket_address);
  return found;
}

struct cmmdb_text cmmdb_string(const cmmdb *database, uint32_t record_offset, const char *const *path) {
  MMDB_entry_s entry = {.mmdb = &database->mmdb, .offset = record_offset};
  MMDB_entry_data_s data;
  int error = MMDB_aget_value(&entry, &data, path);
  if (error != MMDB_SUCCESS || !data.has_data || data.type != MMDB_DATA_TYPE_UTF8_STRING) {
    return (struct cmmdb_text){NULL, 0};
  }
  return (struct cmmdb_text){(const uint8_t *)data.utf8_string, data.data_size};
}
