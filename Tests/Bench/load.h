/* Clocks, CPU times and a latency histogram for load.c. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static inline int64_t monotonic_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* CPU time so far: of the server's threads, of this process, of everything on the machine, and stolen from it. */
struct usage { int64_t at_ns, server_ns, own_ns, busy_ns, steal_ns; };

static int64_t threads_cpu_ns(const char *pid) {
    char path[300];
    snprintf(path, sizeof path, "/proc/%s/task", pid);
    DIR *folder = opendir(path);
    if (!folder) return 0;
    int64_t sum = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%s/task/%.100s/schedstat", pid, entry->d_name);
        FILE *file = fopen(path, "r");
        long long ns = 0;
        if (file && fscanf(file, "%lld", &ns) == 1) sum += ns;
        if (file) fclose(file);
    }
    closedir(folder);
    return sum;
}

/* `pids`: process ids between commas, or NULL. */
static void usage_read(struct usage *usage, const char *pids) {
    char copy[4000] = "", *rest = copy;
    memset(usage, 0, sizeof *usage);
    if (pids) snprintf(copy, sizeof copy, "%s", pids);
    for (char *pid; (pid = strsep(&rest, ",")) && *pid;) usage->server_ns += threads_cpu_ns(pid);
    struct timespec own;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    usage->own_ns = (int64_t)own.tv_sec * 1000000000 + own.tv_nsec;
    FILE *file = fopen("/proc/stat", "r");
    long long user, nice, system, idle, wait, interrupt, soft, steal;
    if (file && fscanf(file, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", &user, &nice, &system, &idle, &wait,
                       &interrupt, &soft, &steal) == 8) {
        int64_t tick_ns = 1000000000 / sysconf(_SC_CLK_TCK);
        usage->busy_ns = (user + nice + system + interrupt + soft) * tick_ns;
        usage->steal_ns = steal * tick_ns;
    }
    if (file) fclose(file);
    usage->at_ns = monotonic_ns();
}

/* Steps of 128 ns, and from 32 µs on of less than a hundredth of the value. */
struct histogram { uint64_t count; uint32_t buckets[128 * 40]; };

static inline void histogram_add(struct histogram *h, int64_t ns) {
    uint64_t value = ns < 0 ? 0 : (uint64_t)ns >> 7;
    int shift = value < 256 ? 0 : 63 - __builtin_clzll(value) - 7;
    size_t bucket = shift * 128 + (value >> shift);
    if (bucket >= sizeof h->buckets / sizeof *h->buckets) bucket = sizeof h->buckets / sizeof *h->buckets - 1;
    h->buckets[bucket]++;
    h->count++;
}

static double histogram_us(const struct histogram *h, double share) {
    uint64_t left = (uint64_t)(h->count * share);
    for (size_t bucket = 0; bucket < sizeof h->buckets / sizeof *h->buckets; bucket++) {
        if (h->buckets[bucket] > left) {
            int shift = bucket < 256 ? 0 : (int)(bucket / 128) - 1;
            return (double)((bucket - shift * 128) << shift) * 0.128;
        }
        left -= h->buckets[bucket];
    }
    return 0;
}

static void histogram_print(const struct histogram *h) {
    printf("\"count\": %llu, \"p50_us\": %.1f, \"p99_us\": %.1f, \"p999_us\": %.1f, \"max_us\": %.1f",
           (unsigned long long)h->count, histogram_us(h, 0.5), histogram_us(h, 0.99), histogram_us(h, 0.999),
           histogram_us(h, 0.9999999));
}
