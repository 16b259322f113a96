#pragma once

/// The commit that the program is built from, a space and the commit's day; empty if nobody knows.
const char *larder_commit(void);
