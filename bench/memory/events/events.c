/* A simulation: the earliest event of a queue, a binary heap, ends and causes others, which end in another order. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };

struct load { int weight[6]; };
struct event { int time, kind; struct load *load; };

static struct event *queue[MOST];
static int waiting;
static unsigned state = 1;
static int number(int below) { return (int)((state = state * 1103515245u + 12345u) >> 8 & 0xffff) % below; }

static void *get(size_t size) {
  void *p = malloc(size);
  if (!p) abort();
  return p;
}

static void exchange(int i, int j) {
  struct event *e = queue[i];
  queue[i] = queue[j];
  queue[j] = e;
}

static void push(struct event *e) {
  int i = waiting++;
  queue[i] = e;
  while (i > 0 && queue[(i - 1) / 2]->time > queue[i]->time) {
    exchange(i, (i - 1) / 2);
    i = (i - 1) / 2;
  }
}

static struct event *pop(void) {
  struct event *first = queue[0];
  queue[0] = queue[--waiting];
  queue[waiting] = NULL;
  for (int i = 0;;) {
    int least = i;
    for (int child = 2 * i + 1; child <= 2 * i + 2; child++)
      if (child < waiting && queue[child]->time < queue[least]->time) least = child;
    if (least == i) return first;
    exchange(i, least);
    i = least;
  }
}

static struct event *event(int now) {
  int later = now + 1 + number(1000), kind = number(7);
  struct load *load = NULL;
  if (kind < 4) {
    load = get(sizeof *load);
    *load = (struct load){{kind, later, 3, 4, 5, 6}};
  }
  struct event *e = get(sizeof *e);
  *e = (struct event){later, kind, load};
  return e;
}

int main(int argc, char **argv) {
  int steps = argc > 1 ? atoi(argv[1]) : 100000;
  long sum = 0;
  for (int i = 0; i < MOST / 4; i++) push(event(0));
  for (int i = 0; i < steps; i++) {
    struct event *e = pop();
    int now = e->time, causes = number(3);
    sum = (sum * 31 + e->kind) % 1000003;
    if (e->load) sum += e->load->weight[1] % 10;
    free(e->load);
    free(e);
    for (int k = 0; k < causes && waiting < MOST; k++) push(event(now));
    if (waiting < MOST / 8) push(event(now));
  }
  printf("%ld %d\n", sum, waiting);
  while (waiting > 0) {
    struct event *e = pop();
    free(e->load);
    free(e);
  }
  return 0;
}
