/* libFuzzer as a library (LLVM's compiler-rt), and what Swift's Glibc module lacks. */
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

/* memfd_create(2), with close-on-exec. */
int cfuzzer_memory_file(void);

#endif
