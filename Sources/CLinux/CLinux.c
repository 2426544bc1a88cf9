#define _GNU_SOURCE
#include "CLinux.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

_Static_assert(CLINUX_EPOLLIN == EPOLLIN && CLINUX_EPOLLOUT == EPOLLOUT, "epoll flags");
_Static_assert(CLINUX_EPOLLERR == EPOLLERR && CLINUX_EPOLLHUP == EPOLLHUP, "epoll flags");
_Static_assert(CLINUX_EPOLLRDHUP == EPOLLRDHUP && CLINUX_EPOLLET == EPOLLET, "epoll flags");
_Static_assert(CLINUX_EPOLLEXCLUSIVE == EPOLLEXCLUSIVE, "epoll flags");

enum { events_per_call_max = 256 };

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int fd, uint32_t events, uint64_t data) {
  struct epoll_event event = {.events = events, .data.u64 = data};
  return epoll_ctl(epoll, operation, fd, &event);
}

int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t data) {
  return control(epoll, EPOLL_CTL_ADD, fd, events, data);
}

int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t data) {
  return control(epoll, EPOLL_CTL_MOD, fd, events, data);
}

int clinux_epoll_delete(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int clinux_epoll_wait(int epoll, struct clinux_event *events, int events_max, int timeout_ms) {
  struct epoll_event raw[events_per_call_max];
  int limit = events_max < events_per_call_max ? events_max : events_per_call_max;
  int count = (int)syscall(SYS_epoll_pwait, epoll, raw, limit, timeout_ms, NULL, (size_t)0);
  for (int i = 0; i < count; i++) {
    events[i].events = raw[i].events;
    events[i].data = raw[i].data.u64;
  }
  return count;
}

int clinux_timer_create(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

void clinux_timer_set(int timer, int64_t at_ms) {
  struct itimerspec time = {.it_value = {.tv_sec = at_ms / 1000, .tv_nsec = at_ms % 1000 * 1000000}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL);
}

int clinux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void clinux_notify(const struct sockaddr_un *address, socklen_t length, const char *text) {
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  sendto(fd, text, strlen(text), MSG_NOSIGNAL, (const struct sockaddr *)address, length);
  close(fd);
}

static int socket_option(int fd, int option) {
  int value = 0;
  socklen_t length = sizeof value;
  return getsockopt(fd, SOL_SOCKET, option, &value, &length) == 0 ? value : -1;
}

int clinux_adopt_listener(int fd) {
  if (socket_option(fd, SO_ACCEPTCONN) != 1 || socket_option(fd, SO_TYPE) != SOCK_STREAM) return -1;
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) return -1;
  return socket_option(fd, SO_DOMAIN);
}

void clinux_eventfd_signal(int fd) { eventfd_write(fd, 1); }

void clinux_eventfd_clear(int fd) {
  eventfd_t count;
  eventfd_read(fd, &count);
}

int clinux_signal_descriptor(const int *numbers, int count) {
  sigset_t signals;
  sigemptyset(&signals);
  for (int i = 0; i < count; i++) sigaddset(&signals, numbers[i]);
  if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0) return -1;
  return signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

int64_t clinux_raise_descriptor_limit(int64_t wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  if (limit.rlim_cur < (rlim_t)wanted && limit.rlim_cur < limit.rlim_max) {
    struct rlimit raised = limit;
    raised.rlim_cur = limit.rlim_max < (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted;
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return limit.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur;
}

int clinux_next_signal(int fd) {
  struct signalfd_siginfo info;
  return read(fd, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : -1;
}

int clinux_stream_socket(int family, int blocks) {
  return socket(family, SOCK_STREAM | SOCK_CLOEXEC | (blocks ? 0 : SOCK_NONBLOCK), 0);
}

ssize_t clinux_receive(int fd, void *bytes, size_t count) {
  return syscall(SYS_recvfrom, fd, bytes, count, 0, NULL, NULL);
}

ssize_t clinux_send(int fd, const void *bytes, size_t count, int holds_back) {
  return syscall(SYS_sendto, fd, bytes, count, MSG_NOSIGNAL | (holds_back ? MSG_MORE : 0), NULL, 0);
}

int clinux_accept(int listener, struct sockaddr_storage *peer, socklen_t *length) {
  *length = sizeof *peer;
  return accept4(listener, (struct sockaddr *)peer, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void clinux_save_address_space(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
}

int clinux_has_address_space(size_t bytes) {
  void *place = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return 0;
  munmap(place, bytes);
  return 1;
}

size_t clinux_thread_stack_bytes(void) {
  pthread_attr_t attributes;
  size_t bytes = 0;
  if (pthread_attr_init(&attributes) != 0) return 0;
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes;
}

static struct timespec now(clockid_t clock) {
  struct timespec value;
  clock_gettime(clock, &value);
  return value;
}

int64_t clinux_unix_seconds(void) { return (int64_t)now(CLOCK_REALTIME_COARSE).tv_sec; }

int64_t clinux_monotonic_ns(void) {
  struct timespec value = now(CLOCK_MONOTONIC);
  return (int64_t)value.tv_sec * 1000000000 + value.tv_nsec;
}

void clinux_wipe(void *bytes, size_t count) { explicit_bzero(bytes, count); }

/* Answering goes some 5 KiB deep; what is set up with the first request of a kind, 18. */
enum { stack_bytes = 32768 };

__attribute__((noinline)) void clinux_wipe_stack(void) {
  unsigned char below[stack_bytes];
  explicit_bzero(below, sizeof below);
}

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
/* Such a build is for finding faults: its run-time library prints crashes, and traces the process to look for leaks. */
int clinux_forbid_dumps(void) { return 0; }
#else
int clinux_forbid_dumps(void) {
  /* Swift's run-time library has its own handlers for these. */
  static const int crashes[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
#endif
