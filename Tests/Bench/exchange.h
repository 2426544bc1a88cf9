/* Servers, connections to them, and what goes over these: for load.c. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { input_bytes = 32768, requests_max = 65536, targets_max = 8, turns_max = 4096 };

struct target;

struct connection {
    struct target *target;
    int descriptor;
    int outstanding;       /* answers that are still to come */
    int is_slow;
    int is_busy;           /* its requests are on their way, or its answers */
    size_t dripped;        /* bytes of its request that a slow connection has sent */
    int64_t sent_at_ns;    /* when its requests were due */
    size_t received;
    size_t request;        /* its next request */
    char *input;
};

struct request { const char *bytes; size_t count; };

/* A server that is asked, and what came of it. */
struct target {
    struct sockaddr_in address;
    const char *pids;
    int depth, closes, bodiless, status;
    struct request *requests;
    size_t request_count;
    struct connection *connections;
    uint64_t answers, answer_bytes, wrong_status, lost, slow_answers;
    int64_t elapsed_ns, server_ns, own_ns;
    struct histogram latency, turn_latency;
    double turn_p99_us[turns_max];
    size_t turn_count;
};

static struct {
    int connections, slow_every, drip_bytes, idle;
    double seconds, warm_seconds, rate, drip_ms, window_ms, turn_ms;
} options = {.connections = 64, .drip_bytes = 8, .seconds = 1, .warm_seconds = 0.2, .drip_ms = 50};

static struct target targets[targets_max];
static int target_count;
static int epoll;
/* The one whose turn it is; none while a turn ends. */
static struct target *asked;
static int is_counting, busy_count;
static int64_t counted_from_ns;
static struct histogram *windows;
static size_t window_count;
/* Connections that wait for their turn, when requests are sent at a given rate. */
static struct connection **waiting;
static size_t waiting_count;
static uint64_t sent_at_rate;
static int64_t rate_from_ns;
/* Those whose next request goes out once all answers that are there have been taken. */
static struct connection **ready;
static size_t ready_count;

static void fail(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void read_requests(struct target *target, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    size_t capacity = 16 << 20;
    char *text = malloc(capacity);
    size_t count = fread(text, 1, capacity, file);
    fclose(file);
    target->requests = calloc(requests_max, sizeof *target->requests);
    for (char *start = text; start < text + count;) {
        char *end = memmem(start, text + count - start, "\r\n\r\n", 4);
        if (!end || target->request_count == requests_max) { errno = EINVAL; fail(path); }
        target->requests[target->request_count++] = (struct request){start, end + 4 - start};
        start = end + 4;
    }
}

static void send_all(struct connection *c, const char *bytes, size_t count) {
    ssize_t sent = send(c->descriptor, bytes, count, MSG_NOSIGNAL);
    /* A request is far smaller than a socket's buffer; what does not fit is a server that stopped reading. */
    if (sent != (ssize_t)count) c->target->lost++;
}

static void send_requests(struct connection *c, int64_t due_ns) {
    char batch[65536];
    size_t count = 0;
    for (int i = 0; i < c->target->depth; i++) {
        struct request next = c->target->requests[c->request++ % c->target->request_count];
        if (count + next.count > sizeof batch) { errno = E2BIG; fail("--depth"); }
        memcpy(batch + count, next.bytes, next.count);
        count += next.count;
    }
    c->sent_at_ns = due_ns;
    c->outstanding = c->target->depth;
    c->is_busy = 1;
    busy_count++;
    send_all(c, batch, count);
}

static void open_connection(struct connection *c) {
    c->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (c->descriptor < 0) fail("socket");
    int one = 1;
    setsockopt(c->descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(c->descriptor, (struct sockaddr *)&c->target->address, sizeof c->target->address)) fail("connect");
    /* Where the connection's end is part of the answer, it may come with it, as one edge for two reads. */
    struct epoll_event event = {.events = EPOLLIN | (c->target->closes ? 0 : EPOLLET), .data.ptr = c};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, c->descriptor, &event)) fail("epoll_ctl");
    c->received = 0;
    c->outstanding = 0;
}

/* What a free connection does next. */
static void go_on(struct connection *c) {
    if (c->target != asked) return;
    if (c->is_slow) {
        c->dripped = 0;
        c->request++;
    } else if (options.rate > 0) {
        waiting[waiting_count++] = c;
    } else if (c->target->closes) {
        /* As a client does that has waited for its connection: the server finds the request when it accepts. */
        send_requests(c, monotonic_ns());
    } else {
        ready[ready_count++] = c;
    }
}

/* All at once: a server that is faster than this load would otherwise sleep between any two requests, and what its
   processor time then tells is what it costs to be woken. */
static void send_ready(void) {
    int64_t now_ns = monotonic_ns();
    for (size_t i = 0; i < ready_count; i++) send_requests(ready[i], now_ns);
    ready_count = 0;
}

static void end_turn(struct connection *c) {
    busy_count -= c->is_busy;
    c->is_busy = 0;
    go_on(c);
}

static void reopen(struct connection *c) {
    close(c->descriptor);
    c->descriptor = -1;
    /* While a turn ends nobody asks: the next one begins with a connection that no server has seen. */
    if (c->target == asked) open_connection(c);
    /* One that was closed while it waited goes on waiting. */
    if (c->is_busy || c->is_slow) end_turn(c);
}

static void count_answer(struct connection *c, int status, size_t bytes, int64_t now_ns) {
    struct target *target = c->target;
    if (!is_counting) return;
    if (status != target->status) target->wrong_status++;
    if (c->is_slow) { target->slow_answers++; return; }
    target->answers++;
    target->answer_bytes += bytes;
    histogram_add(&target->latency, now_ns - c->sent_at_ns);
    if (options.rate > 0) histogram_add(&target->turn_latency, now_ns - c->sent_at_ns);
    if (windows) {
        size_t window = (now_ns - counted_from_ns) / (int64_t)(options.window_ms * 1e6);
        if (window < window_count) histogram_add(&windows[window], now_ns - c->sent_at_ns);
    }
}

/* How many bytes the first answer has, or 0 when it is not whole. */
static size_t answer_length(const char *bytes, size_t count, int is_bodiless) {
    const char *end = memmem(bytes, count, "\r\n\r\n", 4);
    if (!end) return 0;
    size_t head = end + 4 - bytes, body = 0;
    if (!is_bodiless) {
        const char *at = bytes;
        while ((at = memmem(at, end - at, "ontent-", 7)) && (at[7] | 0x20) != 'l') at += 7;
        if (at) body = strtoul(at + 14, NULL, 10);
    }
    return head + body <= count ? head + body : 0;
}

static void receive(struct connection *c) {
    ssize_t count = recv(c->descriptor, c->input + c->received, input_bytes - c->received, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    int64_t now_ns = monotonic_ns();
    if (count <= 0) {
        if (c->outstanding > 0 || (c->is_slow && c->dripped > 0)) c->target->lost++;
        reopen(c);
        return;
    }
    c->received += count;
    size_t start = 0, length;
    while ((length = answer_length(c->input + start, c->received - start, c->target->bodiless))) {
        count_answer(c, atoi(c->input + start + 9), length, now_ns);
        c->outstanding--;
        start += length;
    }
    memmove(c->input, c->input + start, c->received - start);
    c->received -= start;
    if (start == 0 || c->outstanding > 0) return;
    if (c->is_slow) c->dripped = 0;
    /* With `Connection: close` the end of the connection is part of the answer: its turn comes then. */
    if (!c->target->closes) end_turn(c);
}

static void drip(struct connection *c) {
    struct request next = c->target->requests[c->request % c->target->request_count];
    size_t left = next.count - c->dripped;
    if (left == 0) return;
    size_t count = left < (size_t)options.drip_bytes ? left : (size_t)options.drip_bytes;
    send_all(c, next.bytes + c->dripped, count);
    c->dripped += count;
}

static void drip_when_due(int64_t now_ns) {
    static int64_t due_ns;
    static int next;
    if (!options.slow_every) return;
    /* Each slow connection has its turn once an interval, one after the other. */
    int64_t step_ns = (int64_t)(options.drip_ms * 1e6) * options.slow_every / options.connections;
    if (due_ns == 0) due_ns = now_ns;
    for (; due_ns <= now_ns; due_ns += step_ns) {
        drip(&asked->connections[next]);
        next += options.slow_every;
        if (next >= options.connections) next = 0;
    }
}

static void send_when_due(int64_t now_ns) {
    while (waiting_count > 0) {
        int64_t due_ns = rate_from_ns + (int64_t)(sent_at_rate / options.rate * 1e9);
        if (due_ns > now_ns) return;
        sent_at_rate++;
        send_requests(waiting[--waiting_count], due_ns);
    }
}

static void exchange(int wait_ms) {
    struct epoll_event events[512];
    int count = epoll_wait(epoll, events, 512, wait_ms);
    for (int i = 0; i < count; i++) receive(events[i].data.ptr);
    send_ready();
}
