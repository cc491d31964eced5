// SPDX-License-Identifier: Apache-2.0
// Clocks that jump, put before a program with LD_PRELOAD: VERGENCE_FAULT is CLOCK:SECONDS:NUMBER, and from its NUMBERth
// reading on the clock, real or monotonic, is SECONDS ahead (behind, if they are negative); SECONDS still: it stands.
// VERGENCE_FAULT_LOG gets a line where that happened. See scripts/test-faults.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_long readings;
static atomic_llong stands;  // ns, of the first reading that was to stand; one word, since threads read at the same time

static void note(void) {
  const char* const path = getenv("VERGENCE_FAULT_LOG");
  const int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file >= 0 && write(file, "done\n", 5) == 5) close(file);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  int (*const real)(clockid_t, struct timespec*) = dlsym(RTLD_NEXT, "clock_gettime");
  const int status = real(clock, now);
  const char* const told = getenv("VERGENCE_FAULT");
  char name[16], jump[16];
  long number = 0;
  if (told == NULL || sscanf(told, "%15[^:]:%15[^:]:%ld", name, jump, &number) != 3) return status;
  if (clock != (strcmp(name, "real") == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC)) return status;
  const long reading = atomic_fetch_add(&readings, 1) + 1;
  if (reading < number) return status;
  if (reading == number) note();
  if (strcmp(jump, "still") == 0) {
    const long long second = 1000000000;
    long long time = now->tv_sec * second + now->tv_nsec, first = 0;
    if (!atomic_compare_exchange_strong(&stands, &first, time)) time = first;
    now->tv_sec = time / second;
    now->tv_nsec = time % second;
  } else {
    now->tv_sec += atol(jump);
  }
  return status;
}
time_t time(time_t* found) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (found != NULL) *found = now.tv_sec;
  return now.tv_sec;
}
int gettimeofday(struct timeval* now, void* zone) {
  struct timespec exact;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}
