#include "CLibPQ.h"

static struct vestibule_libpq library;
LOADED_LIBRARY("libpq", 5, LIBPQ_FUNCTIONS)

bool vestibule_libpq_load(void) { return load() && library.PQlibVersion() >= 140000; }

const struct vestibule_libpq *vestibule_libpq_functions(void) { return &library; }
