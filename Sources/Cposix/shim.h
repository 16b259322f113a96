#pragma once

// renameat2 and syncfs are hidden behind _GNU_SOURCE, which Swift's view of glibc does not define.
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

#define LARDER_RENAME_NOREPLACE 1
#define LARDER_RENAME_EXCHANGE 2

static inline int larder_rename(int from_folder, const char *from, int to_folder, const char *to,
                                unsigned int flags) {
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

static inline int larder_sync(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }
#else
#include <stdio.h>
#include <unistd.h>

static inline int larder_sync(int descriptor) {
  (void)descriptor;
  sync();
  return 0;
}

#define LARDER_RENAME_NOREPLACE RENAME_EXCL
#define LARDER_RENAME_EXCHANGE RENAME_SWAP

static inline int larder_rename(int from_folder, const char *from, int to_folder, const char *to,
                                unsigned int flags) {
  return renameatx_np(from_folder, from, to_folder, to, flags);
}
#endif
