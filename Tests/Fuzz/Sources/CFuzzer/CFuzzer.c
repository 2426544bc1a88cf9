#define _GNU_SOURCE
#include "CFuzzer.h"

#include <sys/mman.h>

int cfuzzer_memory_file(void) { return memfd_create("fuzz", MFD_CLOEXEC); }
