/* Load for the bench: one thread with one epoll instance, so that a single core can tire a fast server out, which wrk
   cannot. It measures the server's CPU time as well, over just the time in which it counts answers. Prints one line of
   JSON. Usage: see `parse_arguments` below; README.md in this folder explains the modes. */
#define _GNU_SOURCE
#include "load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

enum { input_bytes = 32768, requests_max = 65536 };

struct connection {
    int descriptor;
    int outstanding;       /* answers that are still to come */
    int is_slow;
    size_t dripped;        /* bytes of its request that a slow connection has sent */
    int64_t sent_at_ns;    /* when its requests were due */
    size_t received;
    size_t request;        /* its next request */
    char *input;
};

static struct {
    struct sockaddr_in address;
    int connections, depth, closes, bodiless, status, slow_every, drip_bytes, idle;
    double seconds, warm_seconds, rate, drip_ms, window_ms;
    const char *pids;
} options = {.connections = 64, .depth = 1, .status = 200, .drip_bytes = 8, .seconds = 1, .warm_seconds = 0.2,
             .drip_ms = 50};

static struct { const char *bytes; size_t count; } requests[requests_max];
static size_t request_count;
static struct connection *connections;
static int epoll;
static int64_t measured_from_ns, measured_until_ns;
static uint64_t answers, answer_bytes, wrong_status, lost, slow_answers;
static struct histogram latency, *windows;
static size_t window_count;
/* Connections that wait for their turn, when requests are sent at a given rate. */
static struct connection **waiting;
static size_t waiting_count;
static uint64_t sent_at_rate;

static void fail(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void read_requests(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    size_t capacity = 16 << 20;
    char *text = malloc(capacity);
    size_t count = fread(text, 1, capacity, file);
    fclose(file);
    for (char *start = text; start < text + count;) {
        char *end = memmem(start, text + count - start, "\r\n\r\n", 4);
        if (!end || request_count == requests_max) { errno = EINVAL; fail(path); }
        requests[request_count].bytes = start;
        requests[request_count++].count = end + 4 - start;
        start = end + 4;
    }
}

static void send_all(struct connection *c, const char *bytes, size_t count) {
    ssize_t sent = send(c->descriptor, bytes, count, MSG_NOSIGNAL);
    /* A request is far smaller than a socket's buffer; what does not fit is a server that stopped reading. */
    if (sent != (ssize_t)count) lost++;
}

static void send_requests(struct connection *c, int64_t due_ns) {
    char batch[65536];
    size_t count = 0;
    for (int i = 0; i < options.depth; i++) {
        size_t next = c->request++ % request_count;
        if (count + requests[next].count > sizeof batch) { errno = E2BIG; fail("--depth"); }
        memcpy(batch + count, requests[next].bytes, requests[next].count);
        count += requests[next].count;
    }
    c->sent_at_ns = due_ns;
    c->outstanding = options.depth;
    send_all(c, batch, count);
}

static void open_connection(struct connection *c) {
    c->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (c->descriptor < 0) fail("socket");
    int one = 1;
    setsockopt(c->descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(c->descriptor, (struct sockaddr *)&options.address, sizeof options.address)) fail("connect");
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, c->descriptor, &event)) fail("epoll_ctl");
    c->received = 0;
    c->outstanding = 0;
}

/* What a free connection does next. */
static void go_on(struct connection *c, int64_t now_ns) {
    if (c->is_slow) {
        c->dripped = 0;
        c->request++;
    } else if (options.rate > 0) {
        waiting[waiting_count++] = c;
    } else {
        send_requests(c, now_ns);
    }
}

static void reopen(struct connection *c, int64_t now_ns) {
    close(c->descriptor);
    open_connection(c);
    go_on(c, now_ns);
}

static void count_answer(struct connection *c, int status, size_t bytes, int64_t now_ns) {
    if (now_ns < measured_from_ns || now_ns >= measured_until_ns) return;
    if (status != options.status) wrong_status++;
    if (c->is_slow) { slow_answers++; return; }
    answers++;
    answer_bytes += bytes;
    histogram_add(&latency, now_ns - c->sent_at_ns);
    if (windows) {
        size_t window = (now_ns - measured_from_ns) / (int64_t)(options.window_ms * 1e6);
        if (window < window_count) histogram_add(&windows[window], now_ns - c->sent_at_ns);
    }
}

/* How many bytes the first answer has, or 0 when it is not whole. */
static size_t answer_length(const char *bytes, size_t count) {
    const char *end = memmem(bytes, count, "\r\n\r\n", 4);
    if (!end) return 0;
    size_t head = end + 4 - bytes, body = 0;
    if (!options.bodiless) {
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
        if (c->outstanding > 0 || (c->is_slow && c->dripped > 0)) lost++;
        reopen(c, now_ns);
        return;
    }
    c->received += count;
    size_t start = 0, length;
    while ((length = answer_length(c->input + start, c->received - start))) {
        count_answer(c, atoi(c->input + start + 9), length, now_ns);
        c->outstanding--;
        start += length;
    }
    memmove(c->input, c->input + start, c->received - start);
    c->received -= start;
    if (start == 0 || c->outstanding > 0) return;
    if (c->is_slow) c->dripped = 0;
    /* With `Connection: close` the end of the connection is part of the answer: its turn comes then. */
    if (!options.closes) go_on(c, now_ns);
}

static void drip(struct connection *c) {
    size_t next = c->request % request_count;
    size_t left = requests[next].count - c->dripped;
    if (left == 0) return;
    size_t count = left < (size_t)options.drip_bytes ? left : (size_t)options.drip_bytes;
    send_all(c, requests[next].bytes + c->dripped, count);
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
        drip(&connections[next]);
        next = (next + options.slow_every) % (options.connections - options.connections % options.slow_every);
    }
}

static void send_when_due(int64_t now_ns, int64_t started_ns) {
    while (waiting_count > 0) {
        int64_t due_ns = started_ns + (int64_t)(sent_at_rate / options.rate * 1e9);
        if (due_ns > now_ns) return;
        sent_at_rate++;
        send_requests(waiting[--waiting_count], due_ns);
    }
}

static void run(void) {
    struct epoll_event events[512];
    int64_t now_ns = monotonic_ns(), started_ns = now_ns;
    measured_from_ns = now_ns + (int64_t)(options.warm_seconds * 1e9);
    measured_until_ns = measured_from_ns + (int64_t)(options.seconds * 1e9);
    for (int i = 0; i < options.connections; i++) {
        connections[i].request = (size_t)i * 7919;
        go_on(&connections[i], now_ns);
    }
    int spins = options.rate > 0;
    struct usage before = {0}, after = {0};
    while (now_ns < measured_until_ns) {
        int count = epoll_wait(epoll, events, 512, spins ? 0 : options.slow_every ? 1 : 100);
        for (int i = 0; i < count; i++) receive(events[i].data.ptr);
        now_ns = monotonic_ns();
        if (!before.at_ns && now_ns >= measured_from_ns) usage_read(&before, options.pids);
        if (spins) send_when_due(now_ns, started_ns);
        drip_when_due(now_ns);
    }
    usage_read(&after, options.pids);
    double seconds = (after.at_ns - before.at_ns) / 1e9;
    printf("{\"answers\": %llu, \"slow_answers\": %llu, \"answer_bytes\": %llu, \"wrong_status\": %llu, "
           "\"lost\": %llu, \"seconds\": %.6f, \"server_cpu_ns\": %lld, \"load_cpu_ns\": %lld, "
           "\"foreign_cpu_ns\": %lld, \"steal_ns\": %lld, ",
           (unsigned long long)answers, (unsigned long long)slow_answers, (unsigned long long)answer_bytes,
           (unsigned long long)wrong_status, (unsigned long long)lost, seconds,
           (long long)(after.server_ns - before.server_ns), (long long)(after.own_ns - before.own_ns),
           (long long)(after.busy_ns - before.busy_ns - (after.server_ns - before.server_ns)
                       - (after.own_ns - before.own_ns)),
           (long long)(after.steal_ns - before.steal_ns));
    histogram_print(&latency);
    if (windows) {
        printf(", \"windows\": [");
        for (size_t i = 0; i < window_count; i++) {
            printf(i ? ", {" : "{");
            histogram_print(&windows[i]);
            printf("}");
        }
        printf("]");
    }
    printf("}\n");
}

/* Opens all connections, asks once on each, and holds them until its input ends. */
static void hold(void) {
    for (int i = 0; i < options.connections; i++) {
        send_all(&connections[i], requests[0].bytes, requests[0].count);
        if (recv(connections[i].descriptor, connections[i].input, input_bytes, 0) <= 0) fail("recv");
    }
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF) {}
}

static void parse_arguments(int count, char **arguments) {
    static const struct option names[] = {
        {"port", 1, 0, 'p'}, {"connections", 1, 0, 'c'}, {"depth", 1, 0, 'd'}, {"close", 0, 0, 'x'},
        {"bodiless", 0, 0, 'b'}, {"status", 1, 0, 's'}, {"seconds", 1, 0, 't'}, {"warm-seconds", 1, 0, 'w'},
        {"rate", 1, 0, 'r'}, {"slow-every", 1, 0, 'l'}, {"drip-ms", 1, 0, 'm'}, {"window-ms", 1, 0, 'n'},
        {"pids", 1, 0, 'i'}, {"requests", 1, 0, 'f'}, {"idle", 0, 0, 'h'}, {0, 0, 0, 0}};
    options.address.sin_family = AF_INET;
    options.address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int name; (name = getopt_long(count, arguments, "", names, NULL)) != -1;) {
        switch (name) {
        case 'p': options.address.sin_port = htons(atoi(optarg)); break;
        case 'c': options.connections = atoi(optarg); break;
        case 'd': options.depth = atoi(optarg); break;
        case 'x': options.closes = 1; break;
        case 'b': options.bodiless = 1; break;
        case 's': options.status = atoi(optarg); break;
        case 't': options.seconds = atof(optarg); break;
        case 'w': options.warm_seconds = atof(optarg); break;
        case 'r': options.rate = atof(optarg); break;
        case 'l': options.slow_every = atoi(optarg); break;
        case 'm': options.drip_ms = atof(optarg); break;
        case 'n': options.window_ms = atof(optarg); break;
        case 'i': options.pids = optarg; break;
        case 'f': read_requests(optarg); break;
        case 'h': options.idle = 1; break;
        default: exit(64);
        }
    }
    if (!options.address.sin_port || request_count == 0 || options.connections < 1) {
        fprintf(stderr, "load: --port, --requests and --connections are needed\n");
        exit(64);
    }
}

int main(int count, char **arguments) {
    parse_arguments(count, arguments);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    connections = calloc(options.connections, sizeof *connections);
    waiting = calloc(options.connections, sizeof *waiting);
    if (options.window_ms > 0) {
        window_count = (size_t)(options.seconds * 1000 / options.window_ms);
        windows = calloc(window_count, sizeof *windows);
    }
    for (int i = 0; i < options.connections; i++) {
        connections[i].input = malloc(input_bytes);
        connections[i].is_slow = options.slow_every && i % options.slow_every == 0;
        open_connection(&connections[i]);
    }
    if (options.idle) hold(); else run();
    return 0;
}
