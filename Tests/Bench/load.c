/* Load for the bench: one thread with one epoll instance, so that a single core can tire a fast server out, which wrk
   cannot. It measures the servers' CPU time as well, over just the time in which it counts answers. Prints one line of
   JSON. Usage: see `parse_arguments` below; README.md in this folder explains the modes. */
#define _GNU_SOURCE
#include "load.h"

#include <getopt.h>
#include <sys/resource.h>

#include "exchange.h"

static void begin(struct target *target) {
    asked = target;
    waiting_count = sent_at_rate = 0;
    rate_from_ns = monotonic_ns();
    for (int i = 0; i < options.connections; i++) {
        if (target->connections[i].descriptor < 0) open_connection(&target->connections[i]);
        go_on(&target->connections[i]);
    }
    send_ready();
}

static void exchange_until(int64_t until_ns) {
    int64_t now_ns = monotonic_ns();
    while (now_ns < until_ns) {
        exchange(options.rate > 0 ? 0 : options.slow_every ? 1 : 100);
        now_ns = monotonic_ns();
        if (options.rate > 0) send_when_due(now_ns);
        drip_when_due(now_ns);
    }
}

/* Until the last answer is there, so that the next turn finds no work of this one's. */
static void end(void) {
    struct target *target = asked;
    asked = NULL;
    int64_t until_ns = monotonic_ns() + 1000000000;
    while (busy_count > 0 && monotonic_ns() < until_ns) exchange(100);
    target->lost += busy_count;
}

static void begin_counting(struct target *target, struct usage *before) {
    usage_read(before, target->pids);
    counted_from_ns = before->at_ns;
    is_counting = 1;
}

static void end_counting(struct target *target, const struct usage *before) {
    struct usage after;
    is_counting = 0;
    usage_read(&after, target->pids);
    target->elapsed_ns += after.at_ns - before->at_ns;
    target->server_ns += after.server_ns - before->server_ns;
    target->own_ns += after.own_ns - before->own_ns;
}

/* Where a machine that stands still for a moment shows in the turns that it hits, and in no other. */
static void end_turn_latency(struct target *target) {
    if (target->turn_count == turns_max) { errno = E2BIG; fail("--seconds"); }
    target->turn_p99_us[target->turn_count++] = histogram_us(&target->turn_latency, 0.99);
    memset(&target->turn_latency, 0, sizeof target->turn_latency);
}

static void sleep_until(int64_t ns) {
    struct timespec time = {ns / 1000000000, ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

/* Server after server for a few milliseconds each, over and over: how fast a machine is changes within seconds. Whose
   turn it is follows from the clock, so that several loads ask the same one. The first round only warms up. Processor
   time is read while the server sleeps, when the kernel has all of it. */
static void take_turns(void) {
    int64_t turn_ns = (int64_t)(options.turn_ms * 1e6), first = monotonic_ns() / turn_ns + 1;
    int64_t rounds = (int64_t)(options.seconds * 1e9 / turn_ns + 0.5);
    struct usage before;
    for (int64_t turn = first; turn < first + (rounds + 1) * target_count; turn++) {
        struct target *target = &targets[turn % target_count];
        int counts = turn >= first + target_count;
        sleep_until(turn * turn_ns);
        if (counts) begin_counting(target, &before);
        begin(target);
        /* The rest is for the last answers. */
        exchange_until(turn * turn_ns + turn_ns / 10 * 9);
        end();
        if (counts) end_counting(target, &before);
        if (counts && options.rate > 0) end_turn_latency(target);
    }
}

static void ask_one(void) {
    struct usage before;
    begin(targets);
    exchange_until(monotonic_ns() + (int64_t)(options.warm_seconds * 1e9));
    begin_counting(targets, &before);
    exchange_until(before.at_ns + (int64_t)(options.seconds * 1e9));
    end_counting(targets, &before);
}

static void print_target(const struct target *t) {
    printf("{\"answers\": %llu, \"slow_answers\": %llu, \"answer_bytes\": %llu, \"wrong_status\": %llu, "
           "\"lost\": %llu, \"seconds\": %.6f, \"server_cpu_ns\": %lld, \"load_cpu_ns\": %lld, ",
           (unsigned long long)t->answers, (unsigned long long)t->slow_answers, (unsigned long long)t->answer_bytes,
           (unsigned long long)t->wrong_status, (unsigned long long)t->lost, t->elapsed_ns / 1e9,
           (long long)t->server_ns, (long long)t->own_ns);
    histogram_print(&t->latency);
    if (t->turn_count > 0) {
        printf(", \"turn_p99_us\": [");
        for (size_t i = 0; i < t->turn_count; i++) printf(i ? ", %.1f" : "%.1f", t->turn_p99_us[i]);
        printf("]");
    }
    printf("}");
}

/* Of all servers; one that is asked in two ways counts once. */
static void join_pids(char *pids, size_t capacity) {
    size_t count = 0;
    for (int i = 0; i < target_count; i++) {
        int is_known = !targets[i].pids;
        for (int j = 0; j < i && !is_known; j++)
            is_known = targets[j].pids && !strcmp(targets[i].pids, targets[j].pids);
        if (!is_known && count < capacity)
            count += snprintf(pids + count, capacity - count, count ? ",%s" : "%s", targets[i].pids);
    }
}

static void run(void) {
    struct usage before, after;
    char pids[4000] = "";
    join_pids(pids, sizeof pids);
    usage_read(&before, pids);
    if (options.turn_ms > 0) take_turns(); else ask_one();
    usage_read(&after, pids);
    printf("{\"seconds\": %.6f, \"foreign_cpu_ns\": %lld, \"steal_ns\": %lld, \"targets\": [",
           (after.at_ns - before.at_ns) / 1e9,
           (long long)(after.busy_ns - before.busy_ns - (after.server_ns - before.server_ns)
                       - (after.own_ns - before.own_ns)),
           (long long)(after.steal_ns - before.steal_ns));
    for (int i = 0; i < target_count; i++) {
        if (i) printf(", ");
        print_target(&targets[i]);
    }
    printf("]");
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
        struct connection *c = &targets[0].connections[i];
        send_all(c, targets[0].requests[0].bytes, targets[0].requests[0].count);
        if (recv(c->descriptor, c->input, input_bytes, 0) <= 0) fail("recv");
    }
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF) {}
}

/* A further server to ask. */
static struct target *add_target(const char *port) {
    if (target_count == targets_max) { errno = E2BIG; fail("--port"); }
    struct target *target = &targets[target_count++];
    target->depth = 1;
    target->status = 200;
    target->address.sin_family = AF_INET;
    target->address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    target->address.sin_port = htons(atoi(port));
    return target;
}

static void refuse_usage(const char *why) {
    fprintf(stderr, "load: %s\n", why);
    exit(64);
}

/* `--port` begins a server; pids, requests, depth, close, bodiless and status behind it are its own. */
static void parse_arguments(int count, char **arguments) {
    static const struct option names[] = {
        {"port", 1, 0, 'p'}, {"connections", 1, 0, 'c'}, {"depth", 1, 0, 'd'}, {"close", 0, 0, 'x'},
        {"bodiless", 0, 0, 'b'}, {"status", 1, 0, 's'}, {"seconds", 1, 0, 't'}, {"warm-seconds", 1, 0, 'w'},
        {"rate", 1, 0, 'r'}, {"slow-every", 1, 0, 'l'}, {"drip-ms", 1, 0, 'm'}, {"window-ms", 1, 0, 'n'},
        {"pids", 1, 0, 'i'}, {"requests", 1, 0, 'f'}, {"idle", 0, 0, 'h'}, {"turn-ms", 1, 0, 'u'}, {0, 0, 0, 0}};
    struct target *target = NULL;
    for (int name; (name = getopt_long(count, arguments, "", names, NULL)) != -1;) {
        if (strchr("dxbsif", name) && !target) refuse_usage("--port comes first");
        switch (name) {
        case 'p': target = add_target(optarg); break;
        case 'd': target->depth = atoi(optarg); break;
        case 'x': target->closes = 1; break;
        case 'b': target->bodiless = 1; break;
        case 's': target->status = atoi(optarg); break;
        case 'i': target->pids = optarg; break;
        case 'f': read_requests(target, optarg); break;
        case 'c': options.connections = atoi(optarg); break;
        case 't': options.seconds = atof(optarg); break;
        case 'w': options.warm_seconds = atof(optarg); break;
        case 'u': options.turn_ms = atof(optarg); break;
        case 'r': options.rate = atof(optarg); break;
        case 'l': options.slow_every = atoi(optarg); break;
        case 'm': options.drip_ms = atof(optarg); break;
        case 'n': options.window_ms = atof(optarg); break;
        case 'h': options.idle = 1; break;
        default: exit(64);
        }
    }
    if (target_count == 0 || options.connections < 1) refuse_usage("--port and --connections are needed");
    if (target_count > 1 && options.turn_ms <= 0) refuse_usage("several servers need --turn-ms");
    if (options.turn_ms > 0 && options.slow_every) refuse_usage("slow connections take no turns");
    for (int i = 0; i < target_count; i++)
        if (targets[i].request_count == 0) refuse_usage("each --port needs --requests");
}

static void connect_all(struct target *target) {
    target->connections = calloc(options.connections, sizeof *target->connections);
    for (int i = 0; i < options.connections; i++) {
        struct connection *c = &target->connections[i];
        c->target = target;
        c->input = malloc(input_bytes);
        c->request = (size_t)i * 7919;
        c->is_slow = options.slow_every && i % options.slow_every == 0;
        open_connection(c);
    }
}

int main(int count, char **arguments) {
    parse_arguments(count, arguments);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    ready = calloc(options.connections, sizeof *ready);
    waiting = calloc(options.connections, sizeof *waiting);
    if (options.window_ms > 0) {
        window_count = (size_t)(options.seconds * 1000 / options.window_ms);
        windows = calloc(window_count, sizeof *windows);
    }
    for (int i = 0; i < target_count; i++) connect_all(&targets[i]);
    if (options.idle) hold(); else run();
    return 0;
}
