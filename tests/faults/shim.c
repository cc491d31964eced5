// SPDX-License-Identifier: Apache-2.0
// Faults of the file system, put before a program with LD_PRELOAD: calls for files below VERGENCE_FAULT_FOLDER are
// counted, and the one that VERGENCE_FAULT names fails, is cut short, or kills the process. See scripts/test-faults.
// The C library's streams read by calls that nobody can come before, so those of files to be read are made anew here.
// VERGENCE_FAULT is CALL:FAULT:NUMBER: CALL read, write, fsync, rename, open or any; FAULT an errno's number, short (every
// call from NUMBER on) or kill. VERGENCE_FAULT_LOG gets a line where it was done.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int calls;

static void note(void) {
  const char* const path = getenv("VERGENCE_FAULT_LOG");
  int (*const real)(const char*, int, ...) = dlsym(RTLD_NEXT, "open");
  ssize_t (*const put)(int, const void*, size_t) = dlsym(RTLD_NEXT, "write");
  const int file = path == NULL ? -1 : real(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file >= 0 && put(file, "done\n", 5) == 5) close(file);
}

static int below_folder(const char* path) {
  const char* const folder = getenv("VERGENCE_FAULT_FOLDER");
  return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}
static int of_folder(int file) {
  char link[32], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return below_folder(path);
}

/// 0: nothing; 1: errno is set; 2: cut short.
static int fault(const char* call) {
  const char* const told = getenv("VERGENCE_FAULT");
  char name[16], what[16];
  int number = 0;
  if (told == NULL || sscanf(told, "%15[^:]:%15[^:]:%d", name, what, &number) != 3) return 0;
  if (strcmp(name, "any") != 0 && strcmp(name, call) != 0) return 0;
  const int now = atomic_fetch_add(&calls, 1) + 1;
  if (strcmp(what, "short") == 0) {
    if (now == number) note();
    return now >= number ? 2 : 0;
  }
  if (now != number) return 0;
  note();
  if (strcmp(what, "kill") == 0) raise(SIGKILL);
  errno = atoi(what);
  return 1;
}

ssize_t read(int file, void* data, size_t bytes) {
  ssize_t (*const real)(int, void*, size_t) = dlsym(RTLD_NEXT, "read");
  const int what = of_folder(file) ? fault("read") : 0;
  if (what == 1) return -1;
  return real(file, data, what == 2 && bytes > 1 ? (bytes > 100 ? 100 : bytes / 2) : bytes);
}
ssize_t write(int file, const void* data, size_t bytes) {
  ssize_t (*const real)(int, const void*, size_t) = dlsym(RTLD_NEXT, "write");
  const int what = of_folder(file) ? fault("write") : 0;
  if (what == 1) return -1;
  return real(file, data, what == 2 && bytes > 1 ? bytes / 2 : bytes);
}
int fsync(int file) {
  int (*const real)(int) = dlsym(RTLD_NEXT, "fsync");
  return of_folder(file) && fault("fsync") == 1 ? -1 : real(file);
}
int rename(const char* from, const char* to) {
  int (*const real)(const char*, const char*) = dlsym(RTLD_NEXT, "rename");
  return below_folder(to) && fault("rename") == 1 ? -1 : real(from, to);
}
int open(const char* path, int flags, ...) {
  int (*const real)(const char*, int, ...) = dlsym(RTLD_NEXT, "open");
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return below_folder(path) && fault("open") == 1 ? -1 : real(path, flags, mode);
}

static struct {
  FILE* stream;
  int file;
} streams[64];
static pthread_mutex_t streams_lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t stream_read(void* place, char* data, size_t bytes) { return read((int)(long)place, data, bytes); }
static int stream_seek(void* place, off64_t* to, int from) {
  *to = lseek64((int)(long)place, *to, from);
  return *to < 0 ? -1 : 0;
}
static int stream_close(void* place) {
  pthread_mutex_lock(&streams_lock);
  for (size_t i = 0; i < 64; ++i)
    if (streams[i].stream != NULL && streams[i].file == (int)(long)place) streams[i].stream = NULL;
  pthread_mutex_unlock(&streams_lock);
  return close((int)(long)place);
}
FILE* fopen(const char* path, const char* mode) {
  FILE* (*const real)(const char*, const char*) = dlsym(RTLD_NEXT, "fopen");
  if (mode[0] != 'r' || strchr(mode, '+') != NULL || !below_folder(path)) return real(path, mode);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  const cookie_io_functions_t calls_of_it = {stream_read, NULL, stream_seek, stream_close};
  FILE* const stream = fopencookie((void*)(long)file, mode, calls_of_it);
  pthread_mutex_lock(&streams_lock);
  size_t free = 0;
  while (free < 63 && streams[free].stream != NULL) ++free;
  streams[free].stream = stream;
  streams[free].file = file;
  pthread_mutex_unlock(&streams_lock);
  return stream;
}
FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }
int fileno(FILE* stream) {
  int (*const real)(FILE*) = dlsym(RTLD_NEXT, "fileno");
  pthread_mutex_lock(&streams_lock);
  int file = -1;
  for (size_t i = 0; i < 64; ++i)
    if (streams[i].stream == stream) file = streams[i].file;
  pthread_mutex_unlock(&streams_lock);
  return file >= 0 ? file : real(stream);
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open(path, flags, mode);
}
