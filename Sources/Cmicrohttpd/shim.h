#pragma once

// libmicrohttpd's calls that take any type, one for each use. Their addresses come from dlsym: the library is
// only loaded by who serves, and its headers are not needed to build. The numbers and the form of an option
// are part of its binary interface and never change.
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int option;
  intptr_t value;
  void *pointer;
} larder_http_option;

typedef int (*larder_http_handler)(
    void *server, void *connection, const char *path, const char *method, const char *version,
    const char *bytes, size_t *size, void **request);
typedef void *(*larder_http_beginning)(void *server, const char *target, void *connection);
typedef void (*larder_http_ending)(void *server, void *connection, void **request, int reason);
typedef void (*larder_http_notice)(void *server, void *connection, void **context, int event);
typedef int (*larder_http_reader)(
    void *headers, int kind, const char *name, size_t nameSize, const char *value, size_t valueSize);

// 15 is MHD_OPTION_ARRAY, and 0 MHD_OPTION_END.
static inline void *larder_http_start(
    void *start, unsigned int flags, larder_http_handler handler, void *server,
    const larder_http_option *options) {
  return ((void *(*)(unsigned int, uint16_t, void *, void *, larder_http_handler, void *, ...))start)(
      flags, 0, NULL, NULL, handler, server, 15, options, 0);
}

// The bytes of a request's head, which is 10, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE; 0 if that is unknown.
static inline size_t larder_http_head_size(void *info, void *connection) {
  const size_t *found = ((const size_t *(*)(void *, int, ...))info)(connection, 10);
  return found ? *found : 0;
}

// The socket of a connection, which is 6, MHD_CONNECTION_INFO_CONNECTION_FD; -1 if there is none.
static inline int larder_http_socket(void *info, void *connection) {
  const int *found = ((const int *(*)(void *, int, ...))info)(connection, 6);
  return found ? *found : -1;
}
