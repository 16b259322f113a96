#pragma once
// OpenSSL's newer calls first look for an implementation among those that are configured, which
// takes 1 ms of each start and most of the library.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
