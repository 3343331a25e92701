// Threads. What a thread gets is moved to it, so that nobody else can reach it: numbers, unique pointers, keys of regions, and the
// handles of this file. What many use lies behind a lock. The compiler checks both, and that what a thread runs touches no
// variable that others may change (docs/adr/005).
//
//   int square(int n) { return n * n; }
//   Thread::thread_t<int> t = Thread::spawn(square, 7);
//   int n = Thread::join(t);
//
// A handle is a unique pointer; to use it in two threads, send one of them a copy. Handles of locks, channels and atomics that
// are not given up by `drop_…` are freed by the collector, in the end.
//
//     using Thread;
//     static int square(int n) { return n * n; }
//     static __attribute__((noheap)) int next(int n) { return n + 1; }
//     static void look(const int @n, unsigned int i) { assert(*n == 5); }
//     static void increase(int @`s v, int by) { *v += by; }
//     static int value(int @`s v, int unused) { return *v; }
//     static int constant(const int @`s v, int unused) { return *v; }
//     static int at_least(int @`s v, int n) { return *v >= n; }
//     static int take(int @`s v, int n) { *v -= n; return n; }
#ifndef _CYC_THREAD_H
#define _CYC_THREAD_H

#include <core.h>

namespace Thread {

// Nobody can send into a channel that was closed, and when it is empty nobody can receive.
// A thread must not lock what it has locked already, nor wait for itself.
@extensible datatype exn { extern Closed; extern Deadlock };

extern "C" {
  __attribute__((thread_safe)) struct Thread<`b>;
  __attribute__((thread_safe)) struct Channel<`a>;
  __attribute__((thread_safe)) struct Mutex<`a::A>;
  __attribute__((thread_safe)) struct RwLock<`a::A>;
  __attribute__((thread_safe)) struct Slot<`a>;
  __attribute__((thread_safe)) struct Atomic;
}

// ---------------------------------------------------------------- threads

// A thread whose function returns a `b.
typedef struct Thread<`b> @`U thread_t<`b::B\T>;

extern "C" {
  // Starts a thread that runs f(x). Bad_alloc if there can be no more threads.
  //
  //     assert(join(spawn(square, 7)) == 49);
  thread_t<`b> spawn(`b\T f(`a) __attribute__((consume(1))), `a\T x)
    __attribute__((runs(1), sends(2), consume(2))) asm("cyc_thread_spawn");
  // The same with a function that never touches the traced heap: a collection does not stop the thread. Objects that were lost are not
  // reclaimed until it has been joined.
  //
  //     assert(join(spawn_noheap(next, 7)) == 8);
  thread_t<`b> spawn_noheap(`b\T f(`a) __attribute__((consume(1), noheap)), `a\T x)
    __attribute__((runs(1), sends(2), consume(2))) asm("cyc_thread_spawn_noheap");
  // Runs each(shared, 0) to each(shared, n - 1) in threads of their own, and waits for all. An exception of one of them, that of
  // the lowest number, goes on afterwards.
  //
  //     int n = 5;
  //     parallel(4, look, &n);
  void parallel(unsigned int n, void each(const `a::A @`r, unsigned int), const `a @`r shared)
    __attribute__((runs(2), shares(3))) asm("cyc_thread_parallel");
  // Has the thread come to its end, so that `join` does not wait?
  //
  //     thread_t<int> t = spawn(square, 3);
  //     while (!has_ended(t)) Thread::sleep(1);
  //     assert(join(t) == 9);
  int has_ended(struct Thread<`b\T> @`r t; {`r}) __attribute__((noheap)) asm("cyc_thread_ended");
  void sleep(long milliseconds) __attribute__((noheap)) asm("cyc_thread_sleep");
}

// Waits for the end of the thread: what its function returned, or raises what that raised. Deadlock if it is this thread.
//
//     assert(join(spawn(square, 7)) == 49);
`b join(thread_t<`b\T> t) __attribute__((consume(1)));

// ---------------------------------------------------------------- channels

// Values go in at one end and come out at the other, each once, in this order. Any number of threads may send and receive.
typedef struct Channel<`a> @`U channel_t<`a::B\T>;

// At most `bound` values wait in it, at least one (else Core::Invalid_argument); as many as there is memory for.
//
//     channel_t<int> c = channel(10);
//     channel_t<int> any = unbounded();
//     Thread::send(c, 5);
//     assert(receive(c) == 5);
//     drop_channel(c);
//     drop_channel(any);
channel_t<`a\T> channel(unsigned int bound);
channel_t<`a\T> unbounded(void);

extern "C" {
  // Another handle of the channel; a handle given up.
  //
  //     channel_t<int> c = channel(10);
  //     channel_t<int> d = copy_channel(c);
  //     Thread::send(c, 5);
  //     assert(receive(d) == 5);
  //     drop_channel(c);
  //     drop_channel(d);
  channel_t<`a> copy_channel(struct Channel<`a\T> @`r c; {`r}) __attribute__((noheap)) asm("cyc_thread_copy_channel");
  void drop_channel(channel_t<`a\T> c; {}) __attribute__((consume(1), noheap)) asm("cyc_thread_drop_channel");
  // Nothing more can be sent; what is in the channel can still be received. Wakes all who wait.
  //
  //     channel_t<int> c = channel(10);
  //     Thread::close(c);
  //     try { Thread::send(c, 5); assert(false); } catch { case &Closed: break; }
  //     drop_channel(c);
  void close(struct Channel<`a\T> @`r c; {`r}) __attribute__((noheap)) asm("cyc_thread_close");
  // How many values wait.
  //
  //     channel_t<int> c = channel(10);
  //     Thread::send(c, 5);
  //     assert(pending(c) == 1);
  //     drop_channel(c);
  unsigned long pending(struct Channel<`a\T> @`r c; {`r}) __attribute__((noheap)) asm("cyc_thread_pending");
}

// Waits while the channel is full; Closed.
//
//     channel_t<int> c = channel(10);
//     Thread::send(c, 5);
//     assert(receive(c) == 5);
//     drop_channel(c);
void send(struct Channel<`a\T> @c, `a v) __attribute__((sends(2), consume(2), noheap));
// Waits at most so long; null, or the value back. Closed, and then the value is lost.
//
//     channel_t<int> c = channel(1);
//     let taken = offer(c, 5, 0);
//     let back = offer(c, 6, 0);
//     assert(taken == NULL && back != NULL && back->v == 6);
//     Core::ufree(taken);
//     Core::ufree(back);
//     drop_channel(c);
Core::opt_t<`a, `H, UNIQUE> offer(struct Channel<`a\T> @c, `a v, long milliseconds)
  __attribute__((sends(2), consume(2), noheap));
// Waits until there is a value; Closed when the channel is closed and empty.
//
//     channel_t<int> c = channel(10);
//     Thread::send(c, 5);
//     assert(receive(c) == 5);
//     drop_channel(c);
`a receive(struct Channel<`a\T> @c) __attribute__((noheap));
// Waits at most so long; null if no value came. Closed.
//
//     channel_t<int> c = channel(10);
//     let none = receive_within(c, 1);
//     assert(none == NULL);
//     Core::ufree(none);
//     drop_channel(c);
Core::opt_t<`a, `H, UNIQUE> receive_within(struct Channel<`a\T> @c, long milliseconds)
  __attribute__((noheap));

// ---------------------------------------------------------------- locks

// An object that one thread at a time reaches, as long as it has the lock. The functions that are called with it cannot keep
// its address. If they raise something, the lock is given up.
typedef struct Mutex<`a> @`U mutex_t<`a::A\T>;

extern "C" {
  // An object behind a lock; another handle of it.
  //
  //     mutex_t<int> m = mutex(unew 5);
  //     mutex_t<int> other = copy_mutex(m);
  //     assert(with(other, value, 0) == 5);
  //     drop_mutex(m);
  //     drop_mutex(other);
  mutex_t<`a> mutex(`a::A\T @`U object; {}) __attribute__((sends(1), consume(1))) asm("cyc_thread_mutex");
  mutex_t<`a> copy_mutex(struct Mutex<`a::A\T> @`r m; {`r}) __attribute__((noheap)) asm("cyc_thread_copy_mutex");
  // What is in the object stays.
  //
  //     mutex_t<int> m = mutex(unew 5);
  //     drop_mutex(m);
  void drop_mutex(mutex_t<`a::A\T> m; {}) __attribute__((consume(1), noheap)) asm("cyc_thread_drop_mutex");
}

// body(object, x), with the lock. Deadlock if this thread has it.
//
//     mutex_t<int> m = mutex(unew 5);
//     update(m, increase, 2);
//     assert(with(m, value, 0) == 7);
//     drop_mutex(m);
void update(struct Mutex<`a::A\T> @m, void body<`s>(`a @`s, `b) __attribute__((consume(2))), `b\T x)
  __attribute__((consume(3)));
// The same, and its result.
//
//     mutex_t<int> m = mutex(unew 5);
//     assert(with(m, value, 0) == 5);
//     drop_mutex(m);
`c with(struct Mutex<`a::A\T> @m, `c\T body<`s>(`a @`s, `b) __attribute__((consume(2))), `b\T x)
  __attribute__((consume(3)));
// The same when ready(object, x): waits until other threads have changed the object so that it is.
//
//     mutex_t<int> m = mutex(unew 5);
//     assert(when(m, at_least, take, 2) == 2 && with(m, value, 0) == 3);
//     drop_mutex(m);
`c when(struct Mutex<`a::A\T> @m, int ready<`s>(`a @`s, `b), `c\T body<`s>(`a @`s, `b), `b x);
// Waits at most so long: was it ready, and body called?
//
//     mutex_t<int> m = mutex(unew 5);
//     assert(when_within(m, 1, at_least, increase, 5) && !when_within(m, 1, at_least, increase, 100));
//     drop_mutex(m);
bool when_within(struct Mutex<`a::A\T> @m, long milliseconds, int ready<`s>(`a @`s, `b), void body<`s>(`a @`s, `b), `b x);

// An object that many threads may read at once, or one may change.
typedef struct RwLock<`a> @`U rwlock_t<`a::A\T>;

extern "C" {
  // The object behind such a lock; another handle of it; a handle given up.
  //
  //     rwlock_t<int> l = rwlock(unew 5);
  //     rwlock_t<int> other = copy_rwlock(l);
  //     assert(Thread::read(other, constant, 0) == 5);
  //     drop_rwlock(l);
  //     drop_rwlock(other);
  rwlock_t<`a> rwlock(`a::A\T @`U object; {})
    __attribute__((sends(1), shares(1), consume(1))) asm("cyc_thread_rwlock");
  rwlock_t<`a> copy_rwlock(struct RwLock<`a::A\T> @`r l; {`r}) __attribute__((noheap)) asm("cyc_thread_copy_rwlock");
  void drop_rwlock(rwlock_t<`a::A\T> l; {}) __attribute__((consume(1), noheap)) asm("cyc_thread_drop_rwlock");
}

// body(object, x); Deadlock if this thread changes the object.
//
//     rwlock_t<int> l = rwlock(unew 5);
//     assert(Thread::write(l, take, 2) == 2 && Thread::read(l, constant, 0) == 3);
//     drop_rwlock(l);
`c read(struct RwLock<`a::A\T> @l, `c\T body<`s>(const `a @`s, `b) __attribute__((consume(2))), `b\T x)
  __attribute__((consume(3)));
`c write(struct RwLock<`a::A\T> @l, `c\T body<`s>(`a @`s, `b) __attribute__((consume(2))), `b\T x)
  __attribute__((consume(3)));

// ---------------------------------------------------------------- slots, and atomic integers

// Always holds one value, a null pointer for instance, which is exchanged at once: nobody waits.
typedef struct Slot<`a> @`U slot_t<`a::B\T>;

extern "C" {
  // A slot with a value.
  //
  //     slot_t<int *`U> s = slot((int *`U)NULL);
  //     drop_slot(s);
  slot_t<`a\T> slot(`a v; {}) __attribute__((sends(1), consume(1), noheap)) asm("cyc_thread_slot");
  // Puts v in; what was there.
  //
  //     slot_t<int *`U> s = slot((int *`U)unew 5);
  //     slot_t<int *`U> other = copy_slot(s);
  //     int *`U five = swap(other, NULL);
  //     assert(five != NULL && *five == 5);
  //     Core::ufree(five);
  //     drop_slot(s);
  //     drop_slot(other);
  `a swap(struct Slot<`a\T> @`r s, `a v; {`r}) __attribute__((sends(2), consume(2), noheap)) asm("cyc_thread_swap");
  slot_t<`a> copy_slot(struct Slot<`a\T> @`r s; {`r}) __attribute__((noheap)) asm("cyc_thread_copy_slot");
  void drop_slot(slot_t<`a\T> s; {}) __attribute__((consume(1), noheap)) asm("cyc_thread_drop_slot");
}

typedef struct Atomic @`U atomic_t;

extern "C" {
  // A number that many threads change at once; another handle of it, one given up; its value, another value.
  //
  //     atomic_t a = atomic(5);
  //     atomic_t b = copy_atomic(a);
  //     Thread::set(b, 6);
  //     assert(Thread::get(a) == 6);
  //     drop_atomic(a);
  //     drop_atomic(b);
  atomic_t atomic(long value) __attribute__((noheap)) asm("cyc_thread_atomic");
  atomic_t copy_atomic(struct Atomic @`r a; {`r}) __attribute__((noheap)) asm("cyc_thread_copy_atomic");
  void drop_atomic(atomic_t a; {}) __attribute__((consume(1), noheap)) asm("cyc_thread_drop_atomic");
  long get(struct Atomic @`r a; {`r}) __attribute__((noheap)) asm("cyc_thread_get");
  void set(struct Atomic @`r a, long value; {`r}) __attribute__((noheap)) asm("cyc_thread_set");
  // What it was before.
  //
  //     atomic_t a = atomic(5);
  //     assert(Thread::add(a, 2) == 5 && exchange(a, 1) == 7);
  //     drop_atomic(a);
  long add(struct Atomic @`r a, long value; {`r}) __attribute__((noheap)) asm("cyc_thread_add");
  long exchange(struct Atomic @`r a, long value; {`r}) __attribute__((noheap)) asm("cyc_thread_exchange");
  // If it is what was expected it becomes `value`: did it?
  //
  //     atomic_t a = atomic(5);
  //     assert(compare_exchange(a, 5, 6) && !compare_exchange(a, 5, 7));
  //     drop_atomic(a);
  int compare_exchange(struct Atomic @`r a, long expected, long value; {`r}) __attribute__((noheap))
    asm("cyc_thread_compare_exchange");
}
}

#endif
