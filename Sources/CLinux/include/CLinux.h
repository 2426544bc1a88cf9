/* What Swift's Glibc module lacks: Linux calls, and calls through variadic or macro interfaces.
   Each function is the system call of its name; none allocates or keeps state. */
#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/* epoll(7), with the event's layout hidden: it is packed on x86-64 only. */
struct clinux_event {
  uint32_t events;
  uint64_t data;
};

#define CLINUX_EPOLLIN 0x001u
#define CLINUX_EPOLLOUT 0x004u
#define CLINUX_EPOLLERR 0x008u
#define CLINUX_EPOLLHUP 0x010u
#define CLINUX_EPOLLRDHUP 0x2000u
#define CLINUX_EPOLLEXCLUSIVE 0x10000000u
#define CLINUX_EPOLLET 0x80000000u

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t data);
int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t data);
int clinux_epoll_delete(int epoll, int fd);
/* At most 256 events a call. Straight to the kernel, as clinux_receive. */
int clinux_epoll_wait(int epoll, struct clinux_event *events, int events_max, int timeout_ms);

/* timerfd_create(2) of CLOCK_MONOTONIC, non-blocking; -1 on failure. */
int clinux_timer_create(void);
/* timerfd_settime(2): once, at a time of that clock in milliseconds, which is not 0. */
void clinux_timer_set(int timer, int64_t at_ms);

int clinux_eventfd(void);
/* eventfd_write(3) with 1, eventfd_read(3). */
void clinux_eventfd_signal(int fd);
void clinux_eventfd_clear(int fd);

/* socket(2): SOCK_STREAM with SOCK_CLOEXEC, and SOCK_NONBLOCK unless it blocks. */
int clinux_stream_socket(int family, int blocks);
/* Blocks signals for this thread and those it starts, and gives a signalfd(2) for them, non-blocking; -1 on failure. */
int clinux_signal_descriptor(const int *numbers, int count);
/* The next signal that has come, or -1. */
int clinux_next_signal(int fd);

/* Raises the soft limit of open descriptors (RLIMIT_NOFILE) to `wanted`, or as far as the hard one lets; the soft
   limit then in force. */
int64_t clinux_raise_descriptor_limit(int64_t wanted);

/* recv(2), and send(2) with MSG_NOSIGNAL, to which `holds_back` adds MSG_MORE. Straight to the kernel: no thread here
   is ever cancelled, and the library's functions pay for the possibility with two locked instructions a call. */
ssize_t clinux_receive(int fd, void *bytes, size_t count);
ssize_t clinux_send(int fd, const void *bytes, size_t count, int holds_back);

/* One datagram to a Unix-domain socket; failures are ignored. */
struct sockaddr_un;
void clinux_notify(const struct sockaddr_un *address, socklen_t length, const char *text);
/* Whether a descriptor is a listening stream socket, made non-blocking and close-on-exec; its address family, or -1. */
int clinux_adopt_listener(int fd);
/* accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC. */
int clinux_accept(int listener, struct sockaddr_storage *peer, socklen_t *length);

/// Where address space is limited (RLIMIT_AS), keeps threads from taking 64 MB of it each for their allocations:
/// mallopt(3). To be called before there is a second thread.
void clinux_save_address_space(void);

/// Whether so many more bytes of address space are to be had now: mmap(2) and back.
int clinux_has_address_space(size_t bytes);

/// The stack of a thread that says nothing about it: pthread_attr_getstacksize(3).
size_t clinux_thread_stack_bytes(void);

/* CLOCK_REALTIME_COARSE in seconds: no system call (vDSO). */
int64_t clinux_unix_seconds(void);
/* CLOCK_MONOTONIC in nanoseconds: no system call either. */
int64_t clinux_monotonic_ns(void);

/* explicit_bzero(3): not optimised away. */
void clinux_wipe(void *bytes, size_t count);
/* Wipes the stack below the caller's frame, as deep as answering a request goes: what functions that have returned
   left there. */
void clinux_wipe_stack(void);

/* Keeps this process's memory to itself: not dumpable (PR_SET_DUMPABLE of prctl(2)), no core (RLIMIT_CORE), and for
   signals of crashes the system's own action, so that no run-time library prints registers and what they point to.
   0, or -1 with errno. */
int clinux_forbid_dumps(void);

#endif
