// Preloaded into a program and all that it runs: counts the calls that change files below some
// folders, and at one of them ends the process or reports an error.
//
//   FAULTS_ROOTS  the folders, with colons between
//   FAULTS_FILE   a file that all processes share; locked for as long as one of them lives
//   FAULTS_LOG    gets a line for each step: its number, the program, the call, the path
//   FAULTS_OF     the name of the program whose steps count; all do if it is not set
//   FAULTS_AT     the number of the step, from 1; 0 only counts
//   FAULTS_KIND   "kill", "half" (of a write is done, then killed), "error" (at that step) or
//                 "errors" (from that step on)
//   FAULTS_ERRNO  the error's number; ENOSPC spares the calls that need no room
//   FAULTS_WHOM   "one" that takes the step, "parent" that was started first, or "all"
//   FAULTS_BOOT   a file that is read for the system's boot id; needs none of the others
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

struct shared {
  atomic_int steps;
  atomic_int parent;
  atomic_int dead;
};

static struct shared *shared;
static int log_file = -1, at, number;
static const char *roots, *kind, *whom, *of, *boot;
static char program[32];

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTS_FILE"), *log = getenv("FAULTS_LOG");
  roots = getenv("FAULTS_ROOTS");
  boot = getenv("FAULTS_BOOT");
  if (!path || !roots) return;
  int file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  flock(file, LOCK_SH);
  void *place = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (place == MAP_FAILED) return;
  kind = getenv("FAULTS_KIND");
  whom = getenv("FAULTS_WHOM");
  of = getenv("FAULTS_OF");
  at = getenv("FAULTS_AT") ? atoi(getenv("FAULTS_AT")) : 0;
  number = getenv("FAULTS_ERRNO") ? atoi(getenv("FAULTS_ERRNO")) : EIO;
  if (log) log_file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CLOEXEC);
  snprintf(program, sizeof program, "%s", program_invocation_short_name);
  shared = place;
  int none = 0;
  atomic_compare_exchange_strong(&shared->parent, &none, getpid());
}

static int is_below(const char *path) {
  for (const char *root = roots; root && *root;) {
    const char *end = strchrnul(root, ':');
    size_t length = end - root;
    if (!strncmp(path, root, length) && (path[length] == '/' || !path[length])) return 1;
    root = *end ? end + 1 : end;
  }
  return 0;
}

static const char *place_of(int descriptor, char *buffer) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, buffer, PATH_MAX - 1);
  buffer[length < 0 ? 0 : length] = 0;
  return buffer;
}

static const char *absolute(int folder, const char *path, char *buffer) {
  if (*path == '/') return path;
  char base[PATH_MAX];
  if (folder != AT_FDCWD) place_of(folder, base);
  else if (!getcwd(base, sizeof base)) *base = 0;
  snprintf(buffer, PATH_MAX, "%.2000s/%.2000s", base, path);
  return buffer;
}

// What to do at a step: go on, half of it and die, or fail.
enum { ON, HALF, FAIL };

static void die(void) {
  if (whom && !strcmp(whom, "all")) atomic_store(&shared->dead, 1);
  if (whom && (!strcmp(whom, "all") || !strcmp(whom, "parent"))) {
    kill(atomic_load(&shared->parent), SIGKILL);
    if (!strcmp(whom, "parent") && getpid() != atomic_load(&shared->parent)) return;
  }
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static int step(const char *call, const char *path, int needs_room) {
  if (!shared || !is_below(path)) return ON;
  if (atomic_load(&shared->dead)) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  if (of && strcmp(of, program)) return ON;
  int saved = errno, count = atomic_fetch_add(&shared->steps, 1) + 1;
  if (log_file >= 0) {
    char line[PATH_MAX + 100];
    int length = snprintf(line, sizeof line, "%d\t%s\t%s\t%s\n", count, program, call, path);
    syscall(SYS_write, log_file, line, length);
  }
  errno = saved;
  if (!at || !kind) return ON;
  if (!strcmp(kind, "kill") && count == at) die();
  if (!strcmp(kind, "half") && count == at) {
    if (strstr(call, "write")) return HALF;
    die();
  }
  if ((!strcmp(kind, "error") && count == at) || (!strcmp(kind, "errors") && count >= at)) {
    if (number == ENOSPC && !needs_room) return ON;
    errno = number;
    return FAIL;
  }
  return ON;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name);

static int opens_for_change(int flags) {
  return (flags & (O_CREAT | O_TRUNC)) || (flags & O_ACCMODE) != O_RDONLY;
}

static int open_step(int folder, const char *path, int flags) {
  char buffer[PATH_MAX];
  if (!opens_for_change(flags)) return ON;
  return step("open", absolute(folder, path, buffer), (flags & (O_CREAT | O_TRUNC)) != 0);
}

#define MODE \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list list; \
    va_start(list, flags); \
    mode = va_arg(list, mode_t); \
    va_end(list); \
  }

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    MODE REAL(name) return open_step(AT_FDCWD, path, flags) == FAIL ? -1 : real(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
  int name(int folder, const char *path, int flags, ...) { \
    MODE REAL(name) return open_step(folder, path, flags) == FAIL ? -1 \
                                                                  : real(folder, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)

#define STREAM(name) \
  FILE *name(const char *path, const char *mode) { \
    int flags = *mode == 'r' && !strchr(mode, '+') ? O_RDONLY : O_WRONLY | O_CREAT; \
    REAL(name) if (boot && !strcmp(path, "/proc/sys/kernel/random/boot_id")) path = boot; \
    return open_step(AT_FDCWD, path, flags) == FAIL ? NULL : real(path, mode); \
  }
STREAM(fopen)
STREAM(fopen64)

#define TEMPORARY(name) \
  int name(char *path) { \
    REAL(name) return open_step(AT_FDCWD, path, O_WRONLY | O_CREAT) == FAIL ? -1 : real(path); \
  }
TEMPORARY(mkstemp)
TEMPORARY(mkstemp64)

ssize_t write(int file, const void *bytes, size_t count) {
  char buffer[PATH_MAX];
  REAL(write) int what = shared ? step("write", place_of(file, buffer), 1) : ON;
  if (what == FAIL) return -1;
  if (what == HALF) {
    real(file, bytes, count / 2);
    die();
  }
  return real(file, bytes, count);
}

#define PWRITE(name, offset_type) \
  ssize_t name(int file, const void *bytes, size_t count, offset_type offset) { \
    char buffer[PATH_MAX]; \
    REAL(name) int what = shared ? step("pwrite", place_of(file, buffer), 1) : ON; \
    if (what == FAIL) return -1; \
    if (what == HALF) { \
      real(file, bytes, count / 2, offset); \
      die(); \
    } \
    return real(file, bytes, count, offset); \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t writev(int file, const struct iovec *parts, int count) {
  char buffer[PATH_MAX];
  REAL(writev) int what = shared ? step("writev", place_of(file, buffer), 1) : ON;
  if (what == FAIL) return -1;
  if (what == HALF) {
    real(file, parts, count / 2);
    die();
  }
  return real(file, parts, count);
}

#define FILE_CALL(name, needs_room, parameters, ...) \
  int name parameters { \
    char buffer[PATH_MAX]; \
    REAL(name) if (shared && step(#name, place_of(file, buffer), needs_room) == FAIL) return -1; \
    return real(__VA_ARGS__); \
  }
FILE_CALL(fsync, 1, (int file), file)
FILE_CALL(fdatasync, 1, (int file), file)
FILE_CALL(syncfs, 1, (int file), file)
FILE_CALL(ftruncate, 0, (int file, off_t size), file, size)
FILE_CALL(ftruncate64, 0, (int file, off64_t size), file, size)
FILE_CALL(fchmod, 0, (int file, mode_t mode), file, mode)

#define PATH_CALL(name, needs_room, folder, changed, parameters, ...) \
  int name parameters { \
    char buffer[PATH_MAX]; \
    REAL(name) if (step(#name, absolute(folder, changed, buffer), needs_room) == FAIL) return -1; \
    return real(__VA_ARGS__); \
  }
PATH_CALL(rename, 1, AT_FDCWD, new, (const char *old, const char *new), old, new)
PATH_CALL(renameat, 1, to, new, (int from, const char *old, int to, const char *new), from, old, to,
          new)
PATH_CALL(renameat2, 1, to, new,
          (int from, const char *old, int to, const char *new, unsigned int flags), from, old, to,
          new, flags)
PATH_CALL(link, 1, AT_FDCWD, new, (const char *old, const char *new), old, new)
PATH_CALL(linkat, 1, to, new, (int from, const char *old, int to, const char *new, int flags), from,
          old, to, new, flags)
PATH_CALL(symlink, 1, AT_FDCWD, path, (const char *target, const char *path), target, path)
PATH_CALL(unlink, 0, AT_FDCWD, path, (const char *path), path)
PATH_CALL(unlinkat, 0, folder, path, (int folder, const char *path, int flags), folder, path, flags)
PATH_CALL(remove, 0, AT_FDCWD, path, (const char *path), path)
PATH_CALL(rmdir, 0, AT_FDCWD, path, (const char *path), path)
PATH_CALL(mkdir, 1, AT_FDCWD, path, (const char *path, mode_t mode), path, mode)
PATH_CALL(mkdirat, 1, folder, path, (int folder, const char *path, mode_t mode), folder, path, mode)
PATH_CALL(chmod, 0, AT_FDCWD, path, (const char *path, mode_t mode), path, mode)
PATH_CALL(truncate, 0, AT_FDCWD, path, (const char *path, off_t size), path, size)

// The exchange of two files, and syncing a whole file system, come as bare system calls.
long syscall(long call, ...) {
  static long (*real)(long, ...);
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  long a[6];
  va_list list;
  va_start(list, call);
  for (int index = 0; index < 6; index++) a[index] = va_arg(list, long);
  va_end(list);
  char buffer[PATH_MAX];
  int what = ON;
  if (shared && call == SYS_renameat2)
    what = step("renameat2", absolute((int)a[2], (const char *)a[3], buffer), 1);
  if (shared && call == SYS_syncfs) what = step("syncfs", place_of((int)a[0], buffer), 1);
  if (shared && call == SYS_sync_file_range)
    what = step("sync_file_range", place_of((int)a[0], buffer), 1);
  return what == FAIL ? -1 : real(call, a[0], a[1], a[2], a[3], a[4], a[5]);
}
