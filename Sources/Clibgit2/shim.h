#pragma once
#include <git2.h>
#include <git2/sys/merge.h>

/// `git_libgit2_opts` is variadic, which Swift can't call.
static inline int larder_git_set_flag(int option, int value) {
  return git_libgit2_opts(option, value);
}
