#ifndef CVERSION_H
#define CVERSION_H

/* The version that scripts/package wrote into the program, ended by NUL; "development" before. */
const char *vestibule_version(void);

#endif
