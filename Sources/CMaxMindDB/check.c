#include "check.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Data types of the MaxMind DB format 2.0, as the control byte has them. */
enum {
  type_extended = 0,
  type_pointer = 1,
  type_string = 2,
  type_double = 3,
  type_bytes = 4,
  type_uint16 = 5,
  type_uint32 = 6,
  type_map = 7,
  type_int32 = 8,
  type_uint64 = 9,
  type_uint128 = 10,
  type_array = 11,
  type_boolean = 14,
  type_float = 15,
};

/* As deep as libmaxminddb itself goes. */
enum { depth_max = 512 };

/* How often each byte may be met on average: values may lie inside others that are pointed to as well, but not in
   layers without end. */
enum { passes_max = 8 };

/* Values in a metadata section, those that pointers repeat counted each time; real ones have some forty.
   libmaxminddb makes a list of them. */
enum { metadata_values_max = 10000, metadata_depth_max = 32 };

/* Nodes that are walked in some 50 µs. */
enum { nodes_per_turn = 4096 };

struct walk {
  const uint8_t *data;
  size_t size;
  size_t values_left;
  int depth_max;
  /* A bit an offset: a value's walk has begun, has ended. A value begun and not ended that is met again is a cycle.
     Without them, values that are pointed to are walked each time. */
  uint8_t *begun;
  uint8_t *ended;
};

static bool get_bit(const uint8_t *bits, size_t index) { return bits[index >> 3] >> (index & 7) & 1; }
static void set_bit(uint8_t *bits, size_t index) { bits[index >> 3] |= (uint8_t)(1u << (index & 7)); }

struct header {
  int type;
  size_t count; /* bytes, pairs, elements, or a pointer's target */
  size_t next;  /* where the payload begins, or what follows a pointer */
};

static bool read_big_endian(const struct walk *walk, size_t offset, size_t count, size_t *value) {
  if (count > walk->size || offset > walk->size - count) return false;
  *value = 0;
  for (size_t i = 0; i < count; i++) *value = *value << 8 | walk->data[offset + i];
  return true;
}

static bool read_pointer(const struct walk *walk, uint8_t control, struct header *header) {
  static const size_t base[] = {0, 2048, 526336, 0};
  size_t size = (control >> 3) & 3;
  size_t low;
  if (!read_big_endian(walk, header->next, size + 1, &low)) return false;
  size_t high = size == 3 ? 0 : (size_t)(control & 7) << (8 * (size + 1));
  header->count = high + low + base[size];
  header->next += size + 1;
  return header->count < walk->size;
}

static bool read_header(const struct walk *walk, size_t offset, struct header *header) {
  if (offset >= walk->size) return false;
  uint8_t control = walk->data[offset];
  header->type = control >> 5;
  header->next = offset + 1;
  if (header->type == type_pointer) return read_pointer(walk, control, header);
  if (header->type == type_extended) {
    if (header->next >= walk->size) return false;
    header->type = walk->data[header->next++] + 7;
    if (header->type < type_int32 || header->type > type_float) return false;
  }
  size_t size = control & 31;
  if (size >= 29) {
    static const size_t base[] = {29, 285, 65821};
    size_t extra;
    if (!read_big_endian(walk, header->next, size - 28, &extra)) return false;
    header->next += size - 28;
    size = base[size - 29] + extra;
  }
  header->count = size;
  return true;
}

static bool has_valid_length(const struct header *header) {
  switch (header->type) {
    case type_double: return header->count == 8;
    case type_float: return header->count == 4;
    case type_uint16: return header->count <= 2;
    case type_uint32:
    case type_int32: return header->count <= 4;
    case type_uint64: return header->count <= 8;
    case type_uint128: return header->count <= 16;
    case type_boolean: return header->count <= 1;
    case type_string:
    case type_bytes: return true;
    default: return false;
  }
}

/* A map's key: a string, or a pointer to one. */
static bool walk_key(const struct walk *walk, size_t offset, size_t *end) {
  struct header header;
  if (!read_header(walk, offset, &header)) return false;
  *end = header.next;
  bool is_pointer = header.type == type_pointer;
  if (is_pointer && !read_header(walk, header.count, &header)) return false;
  if (header.type != type_string || header.count > walk->size - header.next) return false;
  if (!is_pointer) *end = header.next + header.count;
  return true;
}

static bool walk_value(struct walk *walk, size_t offset, int depth, size_t *end);

static bool walk_pointed(struct walk *walk, size_t target, int depth) {
  if (walk->begun) {
    if (get_bit(walk->begun, target)) return get_bit(walk->ended, target);
    set_bit(walk->begun, target);
  }
  struct header header;
  size_t end;
  /* The format forbids a pointer to a pointer. */
  if (!read_header(walk, target, &header) || header.type == type_pointer) return false;
  if (!walk_value(walk, target, depth, &end)) return false;
  if (walk->ended) set_bit(walk->ended, target);
  return true;
}

static bool walk_value(struct walk *walk, size_t offset, int depth, size_t *end) {
  struct header header;
  if (depth > walk->depth_max || walk->values_left == 0 || !read_header(walk, offset, &header)) return false;
  walk->values_left--;
  *end = header.next;
  if (header.type == type_pointer) return walk_pointed(walk, header.count, depth + 1);
  if (header.type == type_map || header.type == type_array) {
    /* Each element takes a byte at least: a huge count ends at the data's end. */
    for (size_t i = 0; i < header.count; i++) {
      if (header.type == type_map && !walk_key(walk, *end, end)) return false;
      if (!walk_value(walk, *end, depth + 1, end)) return false;
    }
    return true;
  }
  if (!has_valid_length(&header)) return false;
  if (header.type == type_boolean) return true; /* its size is its value */
  if (header.count > walk->size - header.next) return false;
  *end = header.next + header.count;
  return true;
}

static enum cmmdb_status check_record(struct walk *walk, uint8_t type, const MMDB_entry_s *entry) {
  switch (type) {
    case MMDB_RECORD_TYPE_SEARCH_NODE:
    case MMDB_RECORD_TYPE_EMPTY: return CMMDB_OK;
    case MMDB_RECORD_TYPE_DATA:
      if (entry->offset >= walk->size) return CMMDB_BAD_TREE;
      return walk_pointed(walk, entry->offset, 0) ? CMMDB_OK : CMMDB_BAD_DATA;
    default: return CMMDB_BAD_TREE;
  }
}

enum cmmdb_status cmmdb_check(const MMDB_s *mmdb) {
  if (mmdb->metadata.ip_version != 4 && mmdb->metadata.ip_version != 6) return CMMDB_BAD_METADATA;
  size_t bitmap_bytes = mmdb->data_section_size / 8 + 1;
  struct walk walk = {.data = mmdb->data_section, .size = mmdb->data_section_size, .depth_max = depth_max};
  /* Each value takes a byte at least. */
  walk.values_left = passes_max * walk.size;
  walk.begun = calloc(2, bitmap_bytes);
  if (!walk.begun) return CMMDB_OUT_OF_MEMORY;
  walk.ended = walk.begun + bitmap_bytes;
  enum cmmdb_status status = CMMDB_OK;
  for (uint32_t number = 0; status == CMMDB_OK && number < mmdb->metadata.node_count; number++) {
    MMDB_search_node_s node;
    if (MMDB_read_node(mmdb, number, &node) != MMDB_SUCCESS) status = CMMDB_BAD_TREE;
    if (status == CMMDB_OK) status = check_record(&walk, node.left_record_type, &node.left_record_entry);
    if (status == CMMDB_OK) status = check_record(&walk, node.right_record_type, &node.right_record_entry);
    /* On a busy machine a request must not wait for the end of this thread's slice. */
    if (number % nodes_per_turn == 0) sched_yield();
  }
  free(walk.begun);
  return status;
}

/* What stands at an offset, or what it points to. */
static bool read_pointed(const struct walk *walk, size_t offset, struct header *header) {
  if (!read_header(walk, offset, header)) return false;
  return header->type != type_pointer || read_header(walk, header->count, header);
}

static bool is_list_of_strings(struct walk *walk, size_t offset) {
  struct header list, element;
  if (!read_pointed(walk, offset, &list) || list.type != type_array) return false;
  size_t next = list.next;
  for (size_t i = 0; i < list.count; i++) {
    if (!read_pointed(walk, next, &element) || element.type != type_string) return false;
    if (!walk_value(walk, next, 0, &next)) return false;
  }
  return true;
}

/* Where there is something else among the languages, libmaxminddb 1.7.1 refuses the file and loses its list. */
static bool has_languages(struct walk *walk) {
  static const char name[] = "languages";
  struct header map, key;
  if (!read_pointed(walk, 0, &map) || map.type != type_map) return false;
  size_t next = map.next;
  for (size_t i = 0; i < map.count; i++) {
    if (!read_pointed(walk, next, &key) || !walk_key(walk, next, &next)) return false;
    size_t value = next;
    bool is_languages = key.count == sizeof name - 1 && memcmp(walk->data + key.next, name, key.count) == 0;
    /* Of several the first counts. */
    if (is_languages) return is_list_of_strings(walk, value);
    if (!walk_value(walk, value, 0, &next)) return false;
  }
  return false;
}

bool cmmdb_check_metadata(const uint8_t *end, size_t count) {
  static const char marker[] = "\xab\xcd\xefMaxMind.com";
  static const size_t marker_bytes = sizeof marker - 1;
  for (size_t start = count; start >= marker_bytes; start--) {
    if (memcmp(end + start - marker_bytes, marker, marker_bytes) != 0) continue;
    struct walk walk = {
        .data = end + start,
        .size = count - start,
        .values_left = metadata_values_max,
        .depth_max = metadata_depth_max,
    };
    size_t behind;
    if (!walk_value(&walk, 0, 0, &behind)) return false;
    walk.values_left = metadata_values_max;
    return has_languages(&walk);
  }
  return true;
}
