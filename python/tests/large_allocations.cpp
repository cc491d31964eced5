// SPDX-License-Identifier: Apache-2.0
// Preloaded into a process, counts its allocations of 100000 bytes and more: every picture and map of test_copies.py.
#include <dlfcn.h>
#include <sys/mman.h>

#include <atomic>
#include <cstddef>

namespace {
constexpr std::size_t large = 100000;
std::atomic<long> counted{0};

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}
void note(std::size_t bytes) {
  if (bytes >= large) ++counted;
}
}  // namespace

extern "C" {

void* __libc_calloc(std::size_t count, std::size_t bytes);

long large_allocations() { return counted; }

void* malloc(std::size_t bytes) {
  static const auto real = next<void* (*)(std::size_t)>("malloc");
  note(bytes);
  return real(bytes);
}
/// By glibc's own name for it: dlsym may call calloc itself.
void* calloc(std::size_t count, std::size_t bytes) {
  note(count * bytes);
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  static const auto real = next<void* (*)(void*, std::size_t)>("realloc");
  note(bytes);
  return real(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  static const auto real = next<void* (*)(std::size_t, std::size_t)>("aligned_alloc");
  note(bytes);
  return real(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  static const auto real = next<int (*)(void**, std::size_t, std::size_t)>("posix_memalign");
  note(bytes);
  return real(memory, alignment, bytes);
}
void* mmap(void* where, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  static const auto real = next<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap");
  note(bytes);
  return real(where, bytes, protection, flags, file, offset);
}
}
