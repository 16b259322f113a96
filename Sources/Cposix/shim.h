#pragma once

// renameat2 is hidden behind _GNU_SOURCE, which Swift's view of glibc does not define.
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

#define LARDER_RENAME_NOREPLACE 1
#define LARDER_RENAME_EXCHANGE 2

static inline int larder_rename(const char *from, const char *to, unsigned int flags) {
  return (int)syscall(SYS_renameat2, -100, from, -100, to, flags);
}
#else
#include <stdio.h>

#define LARDER_RENAME_NOREPLACE RENAME_EXCL
#define LARDER_RENAME_EXCHANGE RENAME_SWAP

static inline int larder_rename(const char *from, const char *to, unsigned int flags) {
  return renamex_np(from, to, flags);
}
#endif
