/* Preloaded into the service: counts the heap allocations of threads that run an event loop, in a file that the test
   maps too. COUNT_FILE names it. COUNT_MUTANT seeds a fault at every answer or `connection`, to show that the guards
   see it: `malloc`, `syscall`, `bytes`, `instructions`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t unmapped, *allocations = &unmapped;
static __thread int is_loop __attribute__((tls_model("initial-exec")));
static char mutant;

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("COUNT_FILE"), *seed = getenv("COUNT_MUTANT");
    if (seed) mutant = seed[0];
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof *allocations, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) allocations = page;
    close(file);
}

static void count(void) {
    if (is_loop) __atomic_fetch_add(allocations, 1, __ATOMIC_RELAXED);
}

void *malloc(size_t size) { count(); return __libc_malloc(size); }
void *calloc(size_t count_, size_t size) { count(); return __libc_calloc(count_, size); }
void *realloc(void *old, size_t size) { count(); return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { count(); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { count(); return __libc_memalign(alignment, size); }
int posix_memalign(void **place, size_t alignment, size_t size) {
    count();
    *place = __libc_memalign(alignment, size);
    return *place ? 0 : 12;
}

int accept4(int listener, struct sockaddr *peer, socklen_t *length, int flags) {
    static int (*next)(int, struct sockaddr *, socklen_t *, int);
    if (!next) next = (int (*)(int, struct sockaddr *, socklen_t *, int))dlsym(RTLD_NEXT, "accept4");
    int descriptor = next(listener, peer, length, flags);
    static void *volatile kept;
    if (mutant == 'c' && descriptor >= 0) memset(kept = malloc(512), 1, 512);
    return descriptor;
}

static long (*next_call)(long, ...);

static void spoil(int descriptor, long flags) {
    switch (mutant) {
    case 'm': { void *volatile spare = malloc(64); free(spare); break; }
    case 's': getppid(); break;
    case 'i': for (volatile int i = 0; i < 2000; i++) {} break;
    case 'b': next_call(SYS_sendto, descriptor, " ", 1L, flags | MSG_MORE, NULL, 0L); break;
    }
}

/* The service waits, reads and sends without the C library's functions for it. */
long syscall(long number, ...) {
    if (!next_call) next_call = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    long value[6];
    va_list values;
    va_start(values, number);
    for (int i = 0; i < 6; i++) value[i] = va_arg(values, long);
    va_end(values);
    if (number == SYS_epoll_pwait) is_loop = 1;
    if (number == SYS_sendto) spoil((int)value[0], value[3]);
    return next_call(number, value[0], value[1], value[2], value[3], value[4], value[5]);
}
