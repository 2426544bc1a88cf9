#include "CLibcurl.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

struct clibcurl_cancellation {
  int cancelled;
};

clibcurl_cancellation *clibcurl_cancellation_create(void) { return calloc(1, sizeof(clibcurl_cancellation)); }

void clibcurl_cancellation_cancel(clibcurl_cancellation *cancellation) {
  __atomic_store_n(&cancellation->cancelled, 1, __ATOMIC_RELAXED);
}

void clibcurl_cancellation_destroy(clibcurl_cancellation *cancellation) { free(cancellation); }

struct transfer {
  const struct clibcurl_request *request;
  struct clibcurl_response *response;
  clibcurl_cancellation *cancellation;
  size_t head_bytes;
  /* Between a status line and the empty line: what comes behind is no head, and trailers say nothing. */
  bool in_head;
  bool too_large;
};

/* Returning less than was given ends the transfer. */
static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  struct transfer *transfer = context;
  size_t length = size * count;
  if (length > transfer->request->body_bytes_max - transfer->response->body_bytes) {
    transfer->too_large = true;
    return 0;
  }
  memcpy(transfer->request->body + transfer->response->body_bytes, bytes, length);
  transfer->response->body_bytes += length;
  return length;
}

static void take_content_type(struct clibcurl_response *response, const char *value, size_t length) {
  while (length > 0 && (*value == ' ' || *value == '\t')) value++, length--;
  while (length > 0 && strchr(" \t\r\n", value[length - 1]) != NULL) length--;
  const char *separator = response->has_content_type ? ", " : "";
  size_t separator_bytes = strlen(separator);
  response->has_content_type = true;
  if (length + separator_bytes > sizeof response->content_type - response->content_type_bytes) {
    response->content_type_bytes = 0;
    return;
  }
  memcpy(response->content_type + response->content_type_bytes, separator, separator_bytes);
  memcpy(response->content_type + response->content_type_bytes + separator_bytes, value, length);
  response->content_type_bytes += separator_bytes + length;
}

static size_t take_head_line(char *line, size_t size, size_t count, void *context) {
  static const char name[] = "content-type:";
  const size_t name_bytes = sizeof name - 1;
  struct transfer *transfer = context;
  size_t length = size * count;
  if (length > transfer->request->head_bytes_max - transfer->head_bytes) {
    transfer->too_large = true;
    return 0;
  }
  transfer->head_bytes += length;
  if (length >= 5 && memcmp(line, "HTTP/", 5) == 0) {
    transfer->in_head = true;
    transfer->response->has_content_type = false;
    transfer->response->content_type_bytes = 0;
  } else if (length <= 2 && (line[0] == '\r' || line[0] == '\n')) {
    transfer->in_head = false;
  } else if (transfer->in_head && length >= name_bytes && strncasecmp(line, name, name_bytes) == 0) {
    take_content_type(transfer->response, line + name_bytes, length - name_bytes);
  }
  return length;
}

static int is_cancelled(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  (void)a, (void)b, (void)c, (void)d;
  struct transfer *transfer = context;
  return __atomic_load_n(&transfer->cancellation->cancelled, __ATOMIC_RELAXED);
}

/* The kernel takes no more for us than we would. */
static int limit_receive_buffer(void *context, curl_socket_t socket, curlsocktype purpose) {
  (void)context, (void)purpose;
  int bytes = 16384;
  if (setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes) != 0) return CURL_SOCKOPT_ERROR;
  return CURL_SOCKOPT_OK;
}

static CURLcode set_limits(CURL *curl, const struct clibcurl_request *request, struct transfer *transfer) {
  CURLcode code = CURLE_OK;
#define SET(option, value) \
  if (code == CURLE_OK) code = curl_easy_setopt(curl, option, value)
  SET(CURLOPT_URL, request->url);
  SET(CURLOPT_PROTOCOLS_STR, request->plain ? "http" : "https");
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(CURLOPT_HTTP09_ALLOWED, 0L);
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  SET(CURLOPT_PROXY, "");
  SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  SET(CURLOPT_FRESH_CONNECT, 1L);
  SET(CURLOPT_FORBID_REUSE, 1L);
  SET(CURLOPT_SSL_VERIFYPEER, 1L);
  SET(CURLOPT_SSL_VERIFYHOST, 2L);
  SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  if (request->authorities_file != NULL) {
    SET(CURLOPT_CAINFO, request->authorities_file);
    SET(CURLOPT_CAPATH, NULL);
  }
  /* No signal handler in somebody else's process. */
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_TIMEOUT_MS, request->timeout_ms);
  SET(CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)request->body_bytes_max);
  SET(CURLOPT_BUFFERSIZE, 1024L);
  SET(CURLOPT_SOCKOPTFUNCTION, limit_receive_buffer);
  SET(CURLOPT_WRITEFUNCTION, take_body);
  SET(CURLOPT_WRITEDATA, transfer);
  SET(CURLOPT_HEADERFUNCTION, take_head_line);
  SET(CURLOPT_HEADERDATA, transfer);
  SET(CURLOPT_NOPROGRESS, 0L);
  SET(CURLOPT_XFERINFOFUNCTION, is_cancelled);
  SET(CURLOPT_XFERINFODATA, transfer);
#undef SET
  return code;
}

static enum clibcurl_outcome outcome_of(CURLcode code, const struct transfer *transfer) {
  if (transfer->too_large) return CLIBCURL_TOO_LARGE;
  switch (code) {
    case CURLE_OK: return CLIBCURL_OK;
    case CURLE_ABORTED_BY_CALLBACK: return CLIBCURL_CANCELLED;
    case CURLE_OPERATION_TIMEDOUT: return CLIBCURL_TIMED_OUT;
    case CURLE_FILESIZE_EXCEEDED: return CLIBCURL_TOO_LARGE;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_SSL_ISSUER_ERROR: return CLIBCURL_TLS_FAILED;
    default: return CLIBCURL_CONNECTION_FAILED;
  }
}

static CURLcode global_code;
static void initialise_once(void) { global_code = curl_global_init(CURL_GLOBAL_DEFAULT); }

enum clibcurl_outcome clibcurl_get(const struct clibcurl_request *request, clibcurl_cancellation *cancellation,
                                   struct clibcurl_response *response) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  memset(response, 0, sizeof *response);
  pthread_once(&once, initialise_once);
  if (global_code != CURLE_OK) return CLIBCURL_CONNECTION_FAILED;
  struct transfer transfer = {.request = request, .response = response, .cancellation = cancellation};
  CURL *curl = curl_easy_init();
  struct curl_slist *fields = curl_slist_append(NULL, "Accept: application/json");
  CURLcode code = curl == NULL || fields == NULL ? CURLE_OUT_OF_MEMORY : set_limits(curl, request, &transfer);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_HTTPHEADER, fields);
  if (code == CURLE_OK) code = curl_easy_perform(curl);
  long status = 0;
  if (code == CURLE_OK) code = curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  response->status = (int)status;
  curl_easy_cleanup(curl);
  curl_slist_free_all(fields);
  return outcome_of(code, &transfer);
}
