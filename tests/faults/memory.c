// SPDX-License-Identifier: Apache-2.0
// Allocations that fail, put before a program with LD_PRELOAD: from main on calls of malloc, calloc, realloc, aligned_alloc
// and posix_memalign (so those of operator new, too) are counted, in all threads, and the one whose number VERGENCE_FAULT
// holds gets no memory. Not counted is what happens while a library is opened: those that FFmpeg brings (GLib, libgomp,
// libnuma) end the process themselves where they lack memory then. VERGENCE_FAULT_LOG gets a line where that happened. See scripts/test-faults.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

// glibc's own: looking them up by dlsym would allocate.
extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t count, size_t bytes);
extern void* __libc_realloc(void* old, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);

static atomic_int begun;
static atomic_long calls;
static long failing;
static _Thread_local int opening;

static int fails(void) {
  if (!atomic_load(&begun) || opening || atomic_fetch_add(&calls, 1) + 1 != failing) return 0;
  const char* const path = getenv("VERGENCE_FAULT_LOG");
  const int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file >= 0 && write(file, "done\n", 5) == 5) close(file);
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }
void* calloc(size_t count, size_t bytes) { return fails() ? NULL : __libc_calloc(count, bytes); }
void* realloc(void* old, size_t bytes) { return fails() ? NULL : __libc_realloc(old, bytes); }
void* memalign(size_t alignment, size_t bytes) { return fails() ? NULL : __libc_memalign(alignment, bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) { return fails() ? NULL : __libc_memalign(alignment, bytes); }
int posix_memalign(void** found, size_t alignment, size_t bytes) {
  void* const memory = fails() ? NULL : __libc_memalign(alignment, bytes);
  if (memory == NULL) return ENOMEM;
  *found = memory;
  return 0;
}

void* dlopen(const char* name, int how) {
  void* (*const real)(const char*, int) = dlsym(RTLD_NEXT, "dlopen");
  ++opening;
  void* const library = real(name, how);
  --opening;
  return library;
}

static int (*program)(int, char**, char**);
static int counted(int count, char** arguments, char** environment) {
  const char* const told = getenv("VERGENCE_FAULT");
  failing = told == NULL ? 0 : atol(told);
  atomic_store(&begun, 1);
  const int status = program(count, arguments, environment);
  atomic_store(&begun, 0);  // what ends behind main belongs to nobody
  return status;
}
int __libc_start_main(int (*main)(int, char**, char**), int count, char** arguments, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void* stack_end) {
  int (*const real)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*) =
      dlsym(RTLD_NEXT, "__libc_start_main");
  program = main;
  return real(counted, count, arguments, init, fini, loader_fini, stack_end);
}
