#pragma once
#include <git2.h>
#if LIBGIT2_VER_MAJOR != 1 || LIBGIT2_VER_MINOR < 5
#error "Larder needs libgit2 1.5 or a later 1.x"
#endif
#include <git2/sys/commit.h>
#if __has_include(<git2/sys/errors.h>)
// From libgit2 1.9 on, what sets an error is here.
#include <git2/sys/errors.h>
#endif
#include <git2/sys/mempack.h>
#include <git2/sys/merge.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/refdb_backend.h>

/// `git_libgit2_opts` is variadic, which Swift can't call.
static inline int larder_git_set_flag(int option, int value) {
  return git_libgit2_opts(option, value);
}

/// Sets the largest size of objects of a type that are kept in memory, in bytes.
static inline int larder_git_keep(git_object_t type, size_t most) {
  return git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, type, most);
}

/// Sets the memory for kept objects, in bytes.
static inline int larder_git_keep_at_most(ssize_t most) {
  return git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, most);
}

extern char **environ;

/// Swift 6 won't touch the mutable global `environ` itself.
static inline char **larder_git_environment(void) {
  return environ;
}

/// A backend that reads the loose objects of a folder.
typedef struct {
  git_odb_backend backend;
  char *folder;
} larder_loose_objects;
