// The simulation of events.c. How events are owned is said by whoever includes this:
//   EVENT, LOAD   their types; MAKE, FREE(e)   how they begin and end
//   REGION        parameters before the others: the region that they lie in; HERE: the arguments; EFFECT: its constraint
// An element of the queue is taken out by exchanging it.
#include <core.h>
#include <stdio.h>
#include <stdlib.h>
using Core;

enum { MOST = 4096 };

static int waiting = 0;
static unsigned state = 1;
static int number(int below) { state = state * 1103515245u + 12345u; return (int)(state >> 8 & 0xffff) % below; }

static void push(EVENT @{MOST}`q queue, EVENT e) __attribute__((consume(2))) {
  int i = waiting++;
  queue[i] :=: e;
  while (i > 0 && queue[(i - 1) / 2]->time > queue[i]->time) {
    queue[i] :=: queue[(i - 1) / 2];
    i = (i - 1) / 2;
  }
}

static EVENT pop(EVENT @{MOST}`q queue) {
  EVENT first = NULL;
  int last = --waiting;
  if (last < 0) return NULL;
  first :=: queue[0];
  queue[0] :=: queue[last];
  for (int i = 0;;) {
    int least = i;
    for (int child = 2 * i + 1; child <= 2 * i + 2; child++)
      if (child < last && queue[child]->time < queue[least]->time) least = child;
    if (least == i) return first;
    queue[i] :=: queue[least];
    i = least;
  }
}

static EVENT event(REGION int now) {
  int later = now + 1 + number(1000);
  int kind = number(7);
  LOAD load = NULL;
  if (kind < 4) load = MAKE Load{{kind, later, 3, 4, 5, 6}};
  return MAKE Event{later, kind, load};
}

// Ends an event; what it weighs.
static int finish(REGION EVENT e EFFECT) __attribute__((consume(LAST))) {
  if (e == NULL) return 0;
  LOAD load = NULL;
  load :=: e->load;
  int weight = load == NULL ? 0 : load->weight[1] % 10;
  FREE(load);
  FREE(e);
  return weight;
}

static void simulate(REGION int steps EFFECT) {
  EVENT *{MOST} queue = new {for i < MOST : NULL};
  long sum = 0;
  for (int i = 0; i < MOST / 4; i++) push(queue, event(HERE 0));
  for (int i = 0; i < steps; i++) {
    EVENT e = pop(queue);
    if (e == NULL) break;
    int now = e->time;
    int causes = number(3);
    sum = (sum * 31 + e->kind) % 1000003;
    sum += finish(HERE e);
    for (int k = 0; k < causes && waiting < MOST; k++) push(queue, event(HERE now));
    if (waiting < MOST / 8) push(queue, event(HERE now));
  }
  printf("%ld %d\n", sum, waiting);
  while (waiting > 0) finish(HERE pop(queue));
}
