#pragma once
#include <git2.h>
#include <git2/sys/commit.h>
#include <git2/sys/hashsig.h>
#include <git2/sys/mempack.h>
#include <git2/sys/merge.h>
#include <git2/sys/odb_backend.h>

/// `git_libgit2_opts` is variadic, which Swift can't call.
static inline int larder_git_set_flag(int option, int value) {
  return git_libgit2_opts(option, value);
}

extern char **environ;

/// Swift 6 won't touch the mutable global `environ` itself.
static inline char **larder_git_environment(void) {
  return environ;
}
