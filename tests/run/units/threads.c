#include <pthread.h>
#include <stdlib.h>

struct thread { void (*body)(int); int number; pthread_barrier_t *begin; pthread_t id; };

static void *start(void *argument) {
  struct thread *thread = argument;
  pthread_barrier_wait(thread->begin);
  thread->body(thread->number);
  return NULL;
}

/* Runs `body(1)` … `body(count)` at the same time, each in a thread, until all are done. */
void c_threads(int count, void (*body)(int)) {
  struct thread threads[16];
  pthread_barrier_t begin;
  if (count > 16 || pthread_barrier_init(&begin, NULL, (unsigned)count)) abort();
  for (int i = 0; i < count; i++) {
    threads[i] = (struct thread){body, i + 1, &begin, 0};
    if (pthread_create(&threads[i].id, NULL, start, &threads[i])) abort();
  }
  for (int i = 0; i < count; i++) pthread_join(threads[i].id, NULL);
  pthread_barrier_destroy(&begin);
}
