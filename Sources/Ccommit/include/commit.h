#pragma once

/// The commit that the program is built from, a space and the commit's day; empty if nobody knows.
const char *larder_commit(void);

/// The arguments that this process was started with; null where the system does not hand them over.
const char *const *larder_arguments(int *count);
