/* Loaded in front of a service (LD_PRELOAD) by tests, each part by its own name: what the service does for privacy
   is then left undone, and the test has to find that out. The service itself has no switch for it. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef KEEP_BYTES
/* Nothing is wiped. */
void explicit_bzero(void *bytes, size_t count) {
  (void)bytes;
  (void)count;
}
#endif

#ifdef KEEP_STACK
/* Only the stack is not wiped: what is wiped there is 32768 bytes, and nothing else has that length. */
void explicit_bzero(void *bytes, size_t count) {
  if (count == 32768) return;
  volatile unsigned char *byte = bytes;
  while (count--) *byte++ = 0;
}
#endif

#ifdef KEEP_HANDLERS
/* Crashes stay with Swift's run-time library. */
sighandler_t signal(int number, sighandler_t handler) {
  (void)number;
  (void)handler;
  return SIG_DFL;
}
#endif

#if defined KEEP_DUMPS || defined REFUSE
#ifdef REFUSE
enum { result = -1 };
#else
enum { result = 0 };
#endif

/* Dumps are not forbidden, or the system refuses to. */
int prctl(int option, ...) {
  va_list list;
  va_start(list, option);
  unsigned long a = va_arg(list, unsigned long), b = va_arg(list, unsigned long);
  unsigned long c = va_arg(list, unsigned long), d = va_arg(list, unsigned long);
  va_end(list);
  if (option == PR_SET_DUMPABLE) return result;
  return (int)syscall(SYS_prctl, option, a, b, c, d);
}

int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit) {
  if (resource == RLIMIT_CORE) return 0;
  return (int)syscall(SYS_prlimit64, 0, resource, limit, NULL);
}
#endif
