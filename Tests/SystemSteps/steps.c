#define _GNU_SOURCE
#include "SystemSteps.h"

#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// The definitions below stand before those of the C library, for libgit2 too.

// Of the process, not of a thread: what waits for the cloud goes on in another one, and only one of
// them is at work at a time.
static int counting, count, target, killed, inside;
static int (*ask)(void *);
static void *ask_context;
static int waits_not;

int steps_are_seen(void) { return 1; }

void steps_begin(int number, int (*verdict)(void *), void *context) {
  counting = 1;
  count = 0;
  killed = 0;
  target = number;
  ask = verdict;
  ask_context = context;
}

int steps_end(void) {
  counting = 0;
  return count;
}

int steps_were_killed(void) { return killed; }

void steps_without_waiting(void) { waits_not = 1; }

static int step(void) {
  if (!counting || inside) return STEPS_GO;
  if (killed) return STEPS_KILL;
  count++;
  if (count != target) return STEPS_GO;
  inside = 1;
  int verdict = ask(ask_context);
  inside = 0;
  if (verdict != STEPS_GO) killed = 1;
  return verdict;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define REFUSE_IF_KILLED \
  if (step() != STEPS_GO) { \
    errno = EIO; \
    return -1; \
  }

#define WRAP(name, parameters, arguments) \
  int name parameters { \
    REAL(name); \
    REFUSE_IF_KILLED \
    return real arguments; \
  }

WRAP(rename, (const char *from, const char *to), (from, to))
WRAP(unlink, (const char *path), (path))
WRAP(rmdir, (const char *path), (path))
WRAP(mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(link, (const char *from, const char *to), (from, to))
WRAP(symlink, (const char *from, const char *to), (from, to))
WRAP(chmod, (const char *path, mode_t mode), (path, mode))
WRAP(utimes, (const char *path, const struct timeval times[2]), (path, times))

// Everything the tests write lies in memory.
int fsync(int descriptor) {
  REAL(fsync);
  return counting ? 0 : real(descriptor);
}

int open(const char *path, int flags, ...) {
  REAL(open);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (flags & (O_CREAT | O_TRUNC)) { REFUSE_IF_KILLED }
  return real(path, flags, mode);
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
  REAL(write);
  int verdict = step();
  if (verdict == STEPS_TEAR) (void)!real(descriptor, bytes, size / 2);
  if (verdict == STEPS_GO) return real(descriptor, bytes, size);
  errno = EIO;
  return -1;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
  REAL(pwrite);
  int verdict = step();
  if (verdict == STEPS_TEAR) (void)!real(descriptor, bytes, size / 2, offset);
  if (verdict == STEPS_GO) return real(descriptor, bytes, size, offset);
  errno = EIO;
  return -1;
}

int posix_spawnp(
    pid_t *child, const char *name, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  REAL(posix_spawnp);
  if (step() != STEPS_GO) return EIO;
  return real(child, name, actions, attributes, arguments, environment);
}

long syscall(long number, ...) {
  static long (*real)(long, ...);
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_list rest;
  va_start(rest, number);
  long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
  long d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_renameat2) { REFUSE_IF_KILLED }
  if (number == SYS_syncfs && counting) return 0;
  return real(number, a, b, c, d, e, f);
}

int usleep(useconds_t microseconds) {
  REAL(usleep);
  return waits_not ? 0 : real(microseconds);
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
  REAL(nanosleep);
  return waits_not ? 0 : real(time, rest);
}

#else

int steps_are_seen(void) { return 0; }
void steps_begin(int number, int (*verdict)(void *), void *context) {}
int steps_end(void) { return 0; }
int steps_were_killed(void) { return 0; }
void steps_without_waiting(void) {}

#endif
