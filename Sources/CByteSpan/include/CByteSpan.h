/* How many bytes at the start are of a class, sixteen at a time: vectors of bytes are what Swift compiles poorly. Like
   strspn(3), for classes that are common; each reads `count` bytes at most and nothing besides, keeps no state, and is
   usable from any thread. */
#ifndef CBYTESPAN_H
#define CBYTESPAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t cbytespan_block __attribute__((vector_size(16)));
typedef char cbytespan_signs __attribute__((vector_size(16)));
typedef uint64_t cbytespan_halves __attribute__((vector_size(16)));

/* Where the first lane that is not 0 stands, the lanes being 0 or 0xFF; 16 if there is none. */
static inline size_t cbytespan_first(cbytespan_block lanes) {
#ifdef __SSE2__
  return (size_t)__builtin_ctz((unsigned)__builtin_ia32_pmovmskb128((cbytespan_signs)lanes) | 1u << 16);
#else
  cbytespan_halves halves = (cbytespan_halves)lanes;
  if (halves[0]) return (size_t)__builtin_ctzll(halves[0]) >> 3;
  return halves[1] ? 8 + ((size_t)__builtin_ctzll(halves[1]) >> 3) : 16;
#endif
}

/* The bytes that are not among `first` to `last`, as 0xFF. */
static inline cbytespan_block cbytespan_outside(cbytespan_block bytes, uint8_t first, uint8_t last) {
  return (cbytespan_block)(bytes - first > (uint8_t)(last - first));
}

/* Letters and `-`, as the names of fields mostly are. */
static inline cbytespan_block cbytespan_not_name(cbytespan_block bytes) {
  return cbytespan_outside(bytes | 0x20, 'a', 'z') & (cbytespan_block)(bytes != '-');
}

/* Neither below 0x20 nor 0x7F, as the values of fields mostly are. */
static inline cbytespan_block cbytespan_not_printable(cbytespan_block bytes) {
  return (cbytespan_block)(bytes < 0x20) | (cbytespan_block)(bytes == 0x7F);
}

/* Letters, digits, `-` and `.`, as names of hosts mostly are. */
static inline cbytespan_block cbytespan_not_host(cbytespan_block bytes) {
  return cbytespan_outside(bytes | 0x20, 'a', 'z') & cbytespan_outside(bytes, '0', '9') &
         cbytespan_outside(bytes, '-', '.');
}

/* The same and `/`, as paths mostly are. */
static inline cbytespan_block cbytespan_not_path(cbytespan_block bytes) {
  return cbytespan_outside(bytes | 0x20, 'a', 'z') & cbytespan_outside(bytes, '-', '9');
}

static inline __attribute__((always_inline)) size_t cbytespan_count(
  const void *start, size_t count, cbytespan_block (*rejects)(cbytespan_block)) {
  const uint8_t *bytes = (const uint8_t *)start, *end = bytes + count;
  cbytespan_block block;
  for (; end - bytes >= 16; bytes += 16) {
    memcpy(&block, bytes, sizeof block);
    size_t found = cbytespan_first(rejects(block));
    if (found < 16) return bytes + found - (const uint8_t *)start;
  }
  if (end - bytes >= 8) {
    /* The first eight and the last eight of the rest: what is in both was no reason to stop in the first. */
    memcpy(&block, bytes, 8);
    memcpy((uint8_t *)&block + 8, end - 8, 8);
    size_t found = cbytespan_first(rejects(block));
    return (found < 8 ? bytes + found : end - 16 + found) - (const uint8_t *)start;
  }
  for (; bytes < end; bytes++) {
    block = (cbytespan_block){*bytes};
    if (rejects(block)[0]) break;
  }
  return bytes - (const uint8_t *)start;
}

static inline size_t cbytespan_name(const void *start, size_t count) {
  return cbytespan_count(start, count, cbytespan_not_name);
}
static inline size_t cbytespan_printable(const void *start, size_t count) {
  return cbytespan_count(start, count, cbytespan_not_printable);
}
static inline size_t cbytespan_host(const void *start, size_t count) {
  return cbytespan_count(start, count, cbytespan_not_host);
}
static inline size_t cbytespan_path(const void *start, size_t count) {
  return cbytespan_count(start, count, cbytespan_not_path);
}

#endif
