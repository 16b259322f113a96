// What scripts/release links instead of the network in Debian's libgit2: the git program does that
// for Larder. So the libraries of TLS, ssh and Kerberos are not needed, of which the last has no
// archive, and libgit2 does not read all certificates of the system at each start.
int __wrap_git_mbedtls_stream_global_init(void) { return 0; }
int __wrap_git_transport_ssh_global_init(void) { return 0; }
int __wrap_git_transport_ssh_libssh2_global_init(void) { return 0; } // since libgit2 1.8

int __wrap_git_mbedtls__set_cert_location(void) { return -1; }
int __wrap_git_mbedtls_stream_new(void) { return -1; }
int __wrap_git_mbedtls_stream_wrap(void) { return -1; }
int __wrap_git_smart_subtransport_ssh(void) { return -1; }
int __wrap_git_smart_subtransport_ssh_libssh2(void) { return -1; }
int __wrap_git_http_auth_negotiate(void) { return -1; }
