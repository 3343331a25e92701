// Queues that change in place. Elements may be unique pointers: what adds them consumes them, and the noalias_, ptr_ and
// _match functions take them out again.
//
//     using Queue;
//     static queue_t<int> of(int a, int b) {
//       queue_t<int> q = create();
//       add(q, a);
//       add(q, b);
//       return q;
//     }
#ifndef _CYC_QUEUE_H
#define _CYC_QUEUE_H

#include <core.h>

namespace Queue {

struct Queue<`a::B\T, `r::E, `q::Q\T>;
typedef struct Queue<`a, `r, `q> @@aqual(`q) `r queue_t<`a::B\T, `r::E, `q::Q\T>;

// The queue has no element.
@extensible datatype exn { extern Empty };

// A queue without elements; is it one?
//
//     queue_t<int> q = create();
//     region r;
//     queue_t<int, `r> p = rcreate(r);
//     assert(is_empty(q) && is_empty(p) && !is_empty(of(1, 2)));
bool is_empty(queue_t<`a::B\T> q);
queue_t<`a::B\T> create();
queue_t<`a::B\T, `r> rcreate(region_t<`r> h);
// Append at the rear; insert at the front.
//
//     let q = of(1, 2);
//     push(q, 0);
//     add(q, 3);
//     region r;
//     queue_t<int, `r> p = rcreate(r);
//     radd(r, p, 2);
//     rpush(r, p, 1);
//     assert(take(q) == 0 && take(p) == 1);
void add(queue_t<`a::B\T, `H> q, `a x) __attribute__((consume(2)));
void radd(region_t<`r> h, queue_t<`a::B\T, `r> q, `a x : RESTRICTED >= aquals(`a)) __attribute__((consume(3)));
void push(queue_t<`a::B\T, `H> q, `a x) __attribute__((consume(2)));
void rpush(region_t<`r> h, queue_t<`a::B\T, `r> q, `a x) __attribute__((consume(3)));
// The front: removed, and left; Empty.
//
//     let q = of(1, 2);
//     assert(peek(q) == 1 && take(q) == 1 && take(q) == 2);
//     try { take(q); assert(false); } catch { case &Empty: break; }
`a take(queue_t<`a> q);
`a peek(queue_t<`a> q);
// Removes all elements; the first that is x, if there is one.
//
//     let q = of(1, 2);
//     Queue::remove(q, 1);
//     assert(peek(q) == 2 && length(q) == 1);
//     clear(q);
//     assert(is_empty(q));
void clear(queue_t<`a::B\T> q);
void remove(queue_t<`a, `r> q, `a x);
int length(queue_t<`a::B\T> q);
// Calls f for all elements, from the front: `iter` has no results, `app` throws them away.
//
//     int seen = 0;
//     void see(int x) { seen = 10 * seen + x; }
//     iter(see, of(1, 2));
//     app(putchar, of('a', 'b'));
//     assert(seen == 12);
void iter(void f(`a), queue_t<`a> q);
void app(`b f(`a), queue_t<`a> q);
// Removes and returns the first element for which f holds; null if there is none. An element for which f raises an exception is
// lost.
//
//     bool is(int wanted, int *`U p) { return p != NULL && *p == wanted; }
//     queue_t<int *`U> q = create();
//     add(q, unew 1);
//     add(q, unew 2);
//     int *`U found = take_match(Core::heap_region, q, is, 2);
//     assert(found != NULL && *found == 2 && length(q) == 1);
//     Core::ufree(found);
`a *`U take_match(region_t<`r> h, queue_t<`a::A\T *`U, `r> q, bool (@f)(`b, `a *`U), `b env);
// As take; null_elem takes the place that the element leaves.
//
//     queue_t<int *`U> q = create();
//     add(q, unew 1);
//     add(q, unew 2);
//     int *`U one = noalias_take(q, NULL);
//     int *`U two = ptr_take(q);
//     assert(one != NULL && *one == 1 && two != NULL && *two == 2);
//     Core::ufree(one);
//     Core::ufree(two);
`a noalias_take(queue_t<`a::B\T> q, `a null_elem) __attribute__((consume(2)));
`a *`U ptr_take(queue_t<`a::A\T *`U> q);

}
#endif
