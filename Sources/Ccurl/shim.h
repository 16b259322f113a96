#pragma once

// libcurl's calls that take any type, one for each type, which is what Swift can call. Their addresses
// come from dlsym: the library is only loaded once there is something to send, and its headers are not
// needed to build. The numbers are part of its binary interface and never change.
#include <stddef.h>
#include <stdint.h>

typedef size_t (*larder_curl_receiver)(char *bytes, size_t size, size_t count, void *exchange);
typedef int (*larder_curl_watcher)(
    void *exchange, int64_t total, int64_t now, int64_t uploadTotal, int64_t uploadNow);

static inline int larder_curl_set_number(void *setopt, void *handle, int option, long value) {
  return ((int (*)(void *, int, ...))setopt)(handle, option, value);
}

static inline int larder_curl_set_pointer(
    void *setopt, void *handle, int option, const void *value) {
  return ((int (*)(void *, int, ...))setopt)(handle, option, value);
}

static inline int larder_curl_set_receiver(
    void *setopt, void *handle, int option, larder_curl_receiver value) {
  return ((int (*)(void *, int, ...))setopt)(handle, option, value);
}

static inline int larder_curl_set_watcher(
    void *setopt, void *handle, int option, larder_curl_watcher value) {
  return ((int (*)(void *, int, ...))setopt)(handle, option, value);
}

static inline int larder_curl_get_number(void *getinfo, void *handle, int info, long *value) {
  return ((int (*)(void *, int, ...))getinfo)(handle, info, value);
}
