// Queues that change in place. Elements may be unique pointers: what adds them consumes them, and the noalias_, ptr_ and
// _match functions take them out again.
#ifndef _CYC_QUEUE_H
#define _CYC_QUEUE_H

#include <core.h>

namespace Queue {

struct Queue<`a::B\T, `r::E, `q::Q\T>;
typedef struct Queue<`a, `r, `q> @@aqual(`q) `r queue_t<`a::B\T, `r::E, `q::Q\T>;

// The queue has no element.
@extensible datatype exn { extern Empty };

bool is_empty(queue_t<`a::B\T> q);
queue_t<`a::B\T> create();
queue_t<`a::B\T, `r> rcreate(region_t<`r> h);
// Append at the rear; insert at the front.
void add(queue_t<`a::B\T, `H> q, `a x) __attribute__((consume(2)));
void radd(region_t<`r> h, queue_t<`a::B\T, `r> q, `a x : RESTRICTED >= aquals(`a)) __attribute__((consume(3)));
void push(queue_t<`a::B\T, `H> q, `a x) __attribute__((consume(2)));
void rpush(region_t<`r> h, queue_t<`a::B\T, `r> q, `a x) __attribute__((consume(3)));
// The front: removed, and left; Empty.
`a take(queue_t<`a> q);
`a peek(queue_t<`a> q);
// Removes all elements; the first that is x, if there is one.
void clear(queue_t<`a::B\T> q);
void remove(queue_t<`a, `r> q, `a x);
int length(queue_t<`a::B\T> q);
// Calls f for all elements, from the front: `iter` has no results, `app` throws them away.
void iter(void f(`a), queue_t<`a> q);
void app(`b f(`a), queue_t<`a> q);
// Removes and returns the first element for which f holds; null if there is none. An element for which f raises an exception is
// lost.
`a *`U take_match(region_t<`r> h, queue_t<`a::A\T *`U, `r> q, bool (@f)(`b, `a *`U), `b env);
// As take; null_elem takes the place that the element leaves.
`a noalias_take(queue_t<`a::B\T> q, `a null_elem) __attribute__((consume(2)));
`a *`U ptr_take(queue_t<`a::A\T *`U> q);

}
#endif
