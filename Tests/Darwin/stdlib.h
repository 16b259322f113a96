// <stdlib.h>
#include_next <stdlib.h>
int grantpt(int);
int unlockpt(int);
char *ptsname(int);
