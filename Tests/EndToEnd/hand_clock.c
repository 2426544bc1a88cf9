/* A wall clock that a test sets. Preloaded, it moves CLOCK_REALTIME by the seconds in the file that the variable
   HAND_CLOCK names, a 64-bit number; every other clock is left alone, timers too. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset_seconds;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("HAND_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) abort();
  void *place = mmap(NULL, sizeof *offset_seconds, PROT_READ, MAP_SHARED, file, 0);
  if (place == MAP_FAILED) abort();
  close(file);
  offset_seconds = place;
}

int clock_gettime(clockid_t clock, struct timespec *value) {
  int status = (int)syscall(SYS_clock_gettime, clock, value);
  if (status == 0 && offset_seconds && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    value->tv_sec += *offset_seconds;
  }
  return status;
}

int gettimeofday(struct timeval *restrict value, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  value->tv_sec = now.tv_sec;
  value->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *value) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  if (value) *value = now.tv_sec;
  return now.tv_sec;
}
