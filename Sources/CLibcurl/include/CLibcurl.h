/* One GET by libcurl with limits that hold: curl_easy_setopt(3) is variadic, so Swift cannot call it.
   HTTP/1.1 over TLS 1.2 or later, one connection that is not kept, no redirect, no proxy, no cookie, no cache,
   no authentication, no content coding. */
#ifndef CLIBCURL_H
#define CLIBCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum clibcurl_outcome {
  CLIBCURL_OK = 0,
  CLIBCURL_CANCELLED,
  CLIBCURL_TIMED_OUT,
  /* Head or body over its limit. */
  CLIBCURL_TOO_LARGE,
  /* No handshake, or a certificate that is not to be trusted. */
  CLIBCURL_TLS_FAILED,
  /* Not connected, broken off, or not HTTP. */
  CLIBCURL_CONNECTION_FAILED,
};

/* Longer values of Content-Type are cut to nothing. */
enum { CLIBCURL_CONTENT_TYPE_BYTES_MAX = 256 };

struct clibcurl_request {
  const char *url;
  /* http instead of https; for loopback in tests. */
  bool plain;
  /* PEM file of the authorities to trust, or NULL for the system's. */
  const char *authorities_file;
  /* From the look-up of the name to the last byte. */
  long timeout_ms;
  /* All heads together, those of interim responses too. */
  size_t head_bytes_max;
  size_t body_bytes_max;
  /* Room for body_bytes_max bytes. */
  uint8_t *body;
};

struct clibcurl_response {
  int status;
  size_t body_bytes;
  bool has_content_type;
  /* Lines of the final response's head, joined by ", ". */
  size_t content_type_bytes;
  char content_type[CLIBCURL_CONTENT_TYPE_BYTES_MAX];
};

typedef struct clibcurl_cancellation clibcurl_cancellation;
clibcurl_cancellation *clibcurl_cancellation_create(void);
/* On any thread, while the other lives; the exchange ends within a second. */
void clibcurl_cancellation_cancel(clibcurl_cancellation *cancellation);
void clibcurl_cancellation_destroy(clibcurl_cancellation *cancellation);

/* Blocks for at most the time-out (and the time that the system's resolver needs to let go). curl_easy_perform(3).
   May run on several threads at once. */
enum clibcurl_outcome clibcurl_get(const struct clibcurl_request *request, clibcurl_cancellation *cancellation,
                                   struct clibcurl_response *response);

#endif
