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
  thread_t<`b> spawn(`b\T f(`a) __attribute__((consume(1))), `a\T x)
    __attribute__((runs(1), sends(2), consume(2))) asm("cyc_thread_spawn");
  // The same with a function that never touches the traced heap: a collection does not stop the thread. Objects that were lost are not
  // reclaimed until it has been joined.
  thread_t<`b> spawn_noheap(`b\T f(`a) __attribute__((consume(1), noheap)), `a\T x)
    __attribute__((runs(1), sends(2), consume(2))) asm("cyc_thread_spawn_noheap");
  // Runs each(shared, 0) to each(shared, n - 1) in threads of their own, and waits for all. An exception of one of them, that of
  // the lowest number, goes on afterwards.
  void parallel(unsigned int n, void each(const `a::A @`r, unsigned int), const `a @`r shared)
    __attribute__((runs(2), shares(3))) asm("cyc_thread_parallel");
  // Has the thread come to its end, so that `join` does not wait?
  int has_ended(struct Thread<`b\T> @`r t; {`r}) __attribute__((noheap)) asm("cyc_thread_ended");
  void sleep(long milliseconds) __attribute__((noheap)) asm("cyc_thread_sleep");
}

// Waits for the end of the thread: what its function returned, or raises what that raised. Deadlock if it is this thread.
`b join(thread_t<`b\T> t) __attribute__((consume(1)));

// ---------------------------------------------------------------- channels

// Values go in at one end and come out at the other, each once, in this order. Any number of threads may send and receive.
typedef struct Channel<`a> @`U channel_t<`a::B\T>;

// At most `bound` values wait in it, at least one (else Core::Invalid_argument); as many as there is memory for.
channel_t<`a\T> channel(unsigned int bound);
channel_t<`a\T> unbounded(void);

extern "C" {
  channel_t<`a> copy_channel(struct Channel<`a\T> @`r c; {`r}) __attribute__((noheap)) asm("cyc_thread_copy_channel");
  void drop_channel(channel_t<`a\T> c; {}) __attribute__((consume(1), noheap)) asm("cyc_thread_drop_channel");
  // Nothing more can be sent; what is in the channel can still be received. Wakes all who wait.
  void close(struct Channel<`a\T> @`r c; {`r}) __attribute__((noheap)) asm("cyc_thread_close");
  // How many values wait.
  unsigned long pending(struct Channel<`a\T> @`r c; {`r}) __attribute__((noheap)) asm("cyc_thread_pending");
}

// Waits while the channel is full; Closed.
void send(struct Channel<`a\T> @c, `a v) __attribute__((sends(2), consume(2), noheap));
// Waits at most so long; null, or the value back. Closed, and then the value is lost.
Core::opt_t<`a, `H, UNIQUE> offer(struct Channel<`a\T> @c, `a v, long milliseconds)
  __attribute__((sends(2), consume(2), noheap));
// Waits until there is a value; Closed when the channel is closed and empty.
`a receive(struct Channel<`a\T> @c) __attribute__((noheap));
// Waits at most so long; null if no value came. Closed.
Core::opt_t<`a, `H, UNIQUE> receive_within(struct Channel<`a\T> @c, long milliseconds)
  __attribute__((noheap));

// ---------------------------------------------------------------- locks

// An object that one thread at a time reaches, as long as it has the lock. The functions that are called with it cannot keep
// its address. If they raise something, the lock is given up.
typedef struct Mutex<`a> @`U mutex_t<`a::A\T>;

extern "C" {
  mutex_t<`a> mutex(`a::A\T @`U object; {}) __attribute__((sends(1), consume(1))) asm("cyc_thread_mutex");
  mutex_t<`a> copy_mutex(struct Mutex<`a::A\T> @`r m; {`r}) __attribute__((noheap)) asm("cyc_thread_copy_mutex");
  // What is in the object stays.
  void drop_mutex(mutex_t<`a::A\T> m; {}) __attribute__((consume(1), noheap)) asm("cyc_thread_drop_mutex");
}

// body(object, x), with the lock. Deadlock if this thread has it.
void update(struct Mutex<`a::A\T> @m, void body<`s>(`a @`s, `b) __attribute__((consume(2))), `b\T x)
  __attribute__((consume(3)));
// The same, and its result.
`c with(struct Mutex<`a::A\T> @m, `c\T body<`s>(`a @`s, `b) __attribute__((consume(2))), `b\T x)
  __attribute__((consume(3)));
// The same when ready(object, x): waits until other threads have changed the object so that it is.
`c when(struct Mutex<`a::A\T> @m, int ready<`s>(`a @`s, `b), `c\T body<`s>(`a @`s, `b), `b x);
// Waits at most so long: was it ready, and body called?
bool when_within(struct Mutex<`a::A\T> @m, long milliseconds, int ready<`s>(`a @`s, `b), void body<`s>(`a @`s, `b), `b x);

// An object that many threads may read at once, or one may change.
typedef struct RwLock<`a> @`U rwlock_t<`a::A\T>;

extern "C" {
  rwlock_t<`a> rwlock(`a::A\T @`U object; {})
    __attribute__((sends(1), shares(1), consume(1))) asm("cyc_thread_rwlock");
  rwlock_t<`a> copy_rwlock(struct RwLock<`a::A\T> @`r l; {`r}) __attribute__((noheap)) asm("cyc_thread_copy_rwlock");
  void drop_rwlock(rwlock_t<`a::A\T> l; {}) __attribute__((consume(1), noheap)) asm("cyc_thread_drop_rwlock");
}

// body(object, x); Deadlock if this thread changes the object.
`c read(struct RwLock<`a::A\T> @l, `c\T body<`s>(const `a @`s, `b) __attribute__((consume(2))), `b\T x)
  __attribute__((consume(3)));
`c write(struct RwLock<`a::A\T> @l, `c\T body<`s>(`a @`s, `b) __attribute__((consume(2))), `b\T x)
  __attribute__((consume(3)));

// ---------------------------------------------------------------- slots, and atomic integers

// Always holds one value, a null pointer for instance, which is exchanged at once: nobody waits.
typedef struct Slot<`a> @`U slot_t<`a::B\T>;

extern "C" {
  slot_t<`a\T> slot(`a v; {}) __attribute__((sends(1), consume(1), noheap)) asm("cyc_thread_slot");
  // Puts v in; what was there.
  `a swap(struct Slot<`a\T> @`r s, `a v; {`r}) __attribute__((sends(2), consume(2), noheap)) asm("cyc_thread_swap");
  slot_t<`a> copy_slot(struct Slot<`a\T> @`r s; {`r}) __attribute__((noheap)) asm("cyc_thread_copy_slot");
  void drop_slot(slot_t<`a\T> s; {}) __attribute__((consume(1), noheap)) asm("cyc_thread_drop_slot");
}

typedef struct Atomic @`U atomic_t;

extern "C" {
  atomic_t atomic(long value) __attribute__((noheap)) asm("cyc_thread_atomic");
  atomic_t copy_atomic(struct Atomic @`r a; {`r}) __attribute__((noheap)) asm("cyc_thread_copy_atomic");
  void drop_atomic(atomic_t a; {}) __attribute__((consume(1), noheap)) asm("cyc_thread_drop_atomic");
  long get(struct Atomic @`r a; {`r}) __attribute__((noheap)) asm("cyc_thread_get");
  void set(struct Atomic @`r a, long value; {`r}) __attribute__((noheap)) asm("cyc_thread_set");
  // What it was before.
  long add(struct Atomic @`r a, long value; {`r}) __attribute__((noheap)) asm("cyc_thread_add");
  long exchange(struct Atomic @`r a, long value; {`r}) __attribute__((noheap)) asm("cyc_thread_exchange");
  // If it is what was expected it becomes `value`: did it?
  int compare_exchange(struct Atomic @`r a, long expected, long value; {`r}) __attribute__((noheap))
    asm("cyc_thread_compare_exchange");
}
}

#endif
