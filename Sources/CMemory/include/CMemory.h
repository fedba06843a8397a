#ifndef CMEMORY_H
#define CMEMORY_H

/* Gives memory that is free back to the system. glibc keeps it until it is told; other C libraries
   do not. */
void give_free_memory_back(void);

/* Unmaps the pages of the program and its libraries that nobody writes to. Those that are needed
   again come from the system's file cache; the others, which only the start needed, no longer count
   as memory in use. */
void give_program_pages_back(void);

#endif
