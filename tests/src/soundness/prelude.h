#include <core.h>
#include <drseq.h>
#include <pool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread.h>
using Core;
@extensible datatype exn { extern Stop(int) };
struct Node { int v; struct Node *`U next; int *`U p; };
struct View<`r::E> { int v; struct View<`r> *`r const next; int *`r const p; };
struct Cell<`r::E> { int v; struct Cell<`r> *`r next; int *`r p; };
struct Box<`a\T> { `a v; };
struct Pack { <`r::E> : single(`r) uregion_key_t<`r,`H> key; int *`r data; };
struct Session { <`r::E> : single(`r) rcregion_key_t<`r,`H> key; struct Cell<`r> *`r cells; };
// What is hidden must not be copied, and says how it ends.
struct Hidden { <`a\T> : regions(`a) <= `H  `a value; void (@end)(`a) __attribute__((consume(1))); };
@tagged union Tag { int *`U p; int n; };
datatype Shape { Dot; Ring(int *`H); Both(datatype Shape *`H, int) };
// Types by region, since the name of a region in a sequence is no simple name.
typedef int *`r into<`r::E>;
typedef int *\U `r unique_in<`r::E>;
typedef int ?\RC `r counted_in<`r::E>;
typedef int ?@autoreleased `r pooled_in<`r::E>;
typedef struct Cell<`r> *`r cells_in<`r::E>;
typedef struct Box<int *`U> *`r shelf_in<`r::E>;
extern int *`U slot;
extern struct Node *`U nslot;
extern int *`H kept;
extern int ?`RC counted;
extern struct Pack *`U packed;
extern struct Session *`U session;
extern int ?`U wide;
extern int *`U slots[2];
extern int (@hook)(int);
extern int sum;
void note(int n);
int peek(int *`r p);
int *`U make(int n);
int *`U pass(int *`U p) __attribute__((consume(1)));
void eat(int *`U p) __attribute__((consume(1)));
void touch(int *`U p);
`a hand(`a\T x) __attribute__((consume(1)));
`a turn(`a\T x, int n) __attribute__((consume(1)));
int *@aqual(`q) `r same(int *@aqual(`q\T) `r p) __attribute__((consume(1)));
int *@aqual(`q) `r made(region_t<`r> h, aqual_t<`q\T> q, int n);
void trade(struct Box<int *@aqual(`q\T) `H> *`r a, struct Box<int *@aqual(`q) `H> *`r b);

struct Node *`U push(int n, struct Node *`U l) __attribute__((consume(2)));
void drop(struct Node *`U l) __attribute__((consume(1)));
int viewed(struct View<`r> *`r l);
void stop(int n);
int *`r keep(region_t<`r> h, int n);
int *`r pick(int *`r a, int *`r b, int c);
int *`r within(struct Node *`r l);
int *`r nearer(int *`s a, int *`r b, int c : {`s} <= `r);
struct Cell<`r> *`r cons(region_t<`r> h, int n, struct Cell<`r> *`r l);
void tie(struct Cell<`r> *`r a, struct Cell<`r> *`r b, int *`r p);
int cells(struct Cell<`r> *`r l);
int *\U `r single_of(region_t<`r> h, int n);
int inside(region_t<`r> h, int n);
int pooled(int ?@autoreleased `r p);
int shape(datatype Shape *`H s);
void finish(struct Hidden h);
struct Hidden carried(struct Hidden h);
int ?`U row(int n);
int spent(int ?`U p) __attribute__((consume(1)));
int end_wide(int n);
int end_nodes(int n);
int none(int n);
void put(int n);
int take(void);
int added(int a, int b);
int counted_sum(int n, ...int more);
int halted(int n);
int collected(int n);
region_t<`r> through(region_t<`r> h, int n);
aqual_t<ALIASABLE> plain(int n);
void start(int n);
int visit(int n);
void guarded(int number, void (@program)(void));
