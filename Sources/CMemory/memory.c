#define _GNU_SOURCE
#include "include/CMemory.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void give_free_memory_back(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static int give_back(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        /* What may be written to holds relocated addresses, although part of it is protected later.
           Others are as in the file: nothing here relocates text, and only a debugger's breakpoints
           are lost. */
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        uintptr_t start = object->dlpi_addr + segment->p_vaddr, end = start + segment->p_filesz;
        start = (start + page - 1) / page * page;
        end = end / page * page;
        if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void give_program_pages_back(void) {
    dl_iterate_phdr(give_back, 0);
}
