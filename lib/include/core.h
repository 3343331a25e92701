// Names that nearly every program uses: truth values, strings, options, exceptions, qualifiers, dynamic regions.
//
//     using Core;
//     static int twice(int x) { return 2 * x; }
//     static int answer(region_t<`r> h, int n) { return *(rnew(h) n); }
#ifndef _CYC_CORE_H
#define _CYC_CORE_H

#include <ending.h>
#include <stddef.h>

// A program may define its own `bool`; it then defines _CYC_HAVE_BOOL first.
#ifndef _CYC_HAVE_BOOL
#define _CYC_HAVE_BOOL
typedef int bool;
#ifndef true
#define true 1
#define false 0
#endif
#endif

// Zero-terminated strings of C, which may be null or not.
typedef char *@aqual(`q) `r Cstring<`r::E, `q::Q\T>;
typedef char @@aqual(`q) `r CstringNN<`r::E, `q::Q\T>;

// Strings that know their length, read-only and writable; and pointers to them, which are one word.
typedef const char ?@aqual(`q) `r string_t<`r::E, `q::Q\T>;
typedef char ?@aqual(`q) `r mstring_t<`r::E, `q::Q\T>;
typedef string_t<`r1, `q1> @@aqual(`q2) `r2 stringptr_t<`r1::E, `r2::E, `q1::Q\T, `q2::Q\T>;
typedef mstring_t<`r1, `q1> @@aqual(`q2) `r2 mstringptr_t<`r1::E, `r2::E, `q1::Q\T, `q2::Q\T>;

// Bytes, not zero-terminated: thin ones, and those that know their number.
typedef char *@aqual(`q) @nozeroterm `r Cbuffer_t<`r::E, `q::Q\T>;
typedef char @@aqual(`q) @nozeroterm `r CbufferNN_t<`r::E, `q::Q\T>;
typedef const char ?@aqual(`q) @nozeroterm `r buffer_t<`r::E, `q::Q\T>;
typedef char ?@aqual(`q) @nozeroterm `r mbuffer_t<`r::E, `q::Q\T>;

namespace Core {
// The type whose only value is the size of `a.
typedef tag_t<valueof_t(sizeof(`a))> sizeof_t<`a::A>;

// An option: null is none.
struct Opt<`a> {
  `a v;
};
typedef struct Opt<`a> *@aqual(`q) `r opt_t<`a, `r::E, `q::Q\T>;

// What library functions raise: an argument breaks a precondition, an operation failed, this cannot happen, a search found
// nothing.
@extensible datatype exn {
  extern Invalid_argument(string_t);
  extern Failure(string_t);
  extern Impossible(string_t);
  extern Not_found;
  extern Unreachable(string_t)
};
extern datatype exn.Not_found Not_found_val;

// f of what is in an option, in a fresh unique one; none of none.
//
//     let option = opt_map(twice, new Opt(21));
//     assert(option != NULL && option->v == 42);
//     ufree(option);
opt_t<`b, `H, UNIQUE> opt_map(`b f(`a), opt_t<`a> x);

// x zero bytes, so at most x - 1 characters.
//
//     mstring_t s = new_string(4);
//     strcpy(s, "abc");
//     region r;
//     assert(strlen(s) == 3 && numelts(rnew_string(r, 4)) == 4);
//     mstring_t<`H, UNIQUE> u = rqnew_string(heap_region, unique_qual, 4);
//     u[0] = 'a';
//     ufree((char *@nozeroterm `U)u);
mstring_t<`H> new_string(unsigned int x);
mstring_t<`r> rnew_string(region_t<`r> h, unsigned int x);
mstring_t<`r, `q> rqnew_string(region_t<`r> h, aqual_t<`q\T> q, unsigned int x);

// Constantly true, constantly false, and the argument itself.
//
//     assert(true_f(0) && !false_f(1) && identity(5) == 5);
bool true_f(`a x);
bool false_f(`a x);
`a identity(`a x);

// Components of pairs and triples.
//
//     assert(fst(new $(1, 2)) == 1 && snd(new $(1, 2)) == 2 && third(new $(1, 2, 3)) == 3);
`a fst($(`a, `b) @pair);
`b snd($(`a, `b) @pair);
`c third($(`a, `b, `c) @triple);

// Three-way comparisons: the result is -1, 0 or 1.
//
//     int x = 1;
//     assert(intcmp(1, 2) < 0 && charcmp('b', 'a') > 0 && ptrcmp(&x, &x) == 0 && nptrcmp(&x, NULL) > 0);
int intcmp(int a, int b);
int charcmp(char a, char b);
int ptrcmp(`a::A\T @`r a, `a @`r b);
int nptrcmp(`a::A\T *`r a, `a *`r b);

extern "C" {
  // Raises an exception again, as if where it was raised first.
  //
  //     try {
  //       try { throw new Failure("first"); }
  //       catch { case e: assert(strcmp(get_exn_name(e), "Failure") == 0); rethrow(e); }
  //     } catch { case &Failure(what): assert(strcmp(what, "first") == 0); break; }
  void rethrow(datatype exn @`H e) __attribute__((noreturn, noheap)) asm("cyc_rethrow");
  // The name of an exception's constructor; file and line of the last throw.
  //
  //     try { throw new Failure("here"); }
  //     catch { case e: assert(strcmp(get_exn_name(e), "Failure") == 0 && strlen(get_exn_filename()) > 0 && get_exn_lineno() > 0); break; }
  const char *`H get_exn_name(datatype exn @`r e) __attribute__((noheap)) asm("cyc_exn_name_of");
  const char *`H get_exn_filename(void) __attribute__((noheap)) asm("cyc_exn_file");
  int get_exn_lineno(void) __attribute__((noheap)) asm("cyc_exn_line");
  // Called once, before an exception that nothing catches ends the program.
  //
  //     int tell(void) { puts("an exception ends the program"); return 0; }
  //     set_uncaught_exn_fun(NULL);
  void set_uncaught_exn_fun(int (*`H f)(void)) __attribute__((single_threaded)) asm("cyc_exn_set_hook");
}

// A thin pointer with its number of elements.
struct ThinRes<`a::A, `r::E> { <`i::I>
  `a *{valueof(`i)} `r arr;
  tag_t<`i> nelts;
};
// Names of the types of thin pointers with a bound, and of the bound.
typedef `a *{valueof(`i)} `r __cyclone_internal_array_t<`a::A, `i::I, `r::E>;
typedef `a @{valueof(`i)} `r __nn_cyclone_internal_array_t<`a::A, `i::I, `r::E>;
typedef tag_t<`i> __cyclone_internal_singleton<`i::I>;

extern "C" {
  // The first bd elements as a thin pointer; null if there are not as many.
  //
  //     int ?a = new {1, 2, 3};
  //     int *{2} two = arrcast(a, 2, sizeof(int));
  //     assert(two != NULL && two[1] == 2);
  __cyclone_internal_array_t<`a, `i, `r> arrcast(`a::A ?`r dyn, __cyclone_internal_singleton<`i> bd, sizeof_t<`a> sz)
      asm("cyc_lib_arrcast");
  // n elements as a fat pointer.
  //
  //     int three[3] = {1, 2, 3};
  //     int ?fat = mkfat(three, sizeof(int), 3);
  //     assert(numelts(fat) == 3 && fat[2] == 3);
  `a ?`r mkfat(__nn_cyclone_internal_array_t<`a::A, `i, `r::E> arr, sizeof_t<`a> s, __cyclone_internal_singleton<`i> n)
      asm("cyc_lib_mkfat");
  // All elements from the current one on; of a null pointer, or one that is out of bounds, null and 0.
  //
  //     let ThinRes{<`i> arr, n} = mkthin(new {1, 2, 3}, sizeof(int));
  //     assert(n == 3 && arr != NULL);
  struct ThinRes<`a, `r> mkthin(`a::A ?`r dyn, sizeof_t<`a> sz) asm("cyc_lib_mkthin");
  // The number of elements before the current one; 0 when it is out of bounds.
  //
  //     int ?a = new {1, 2, 3};
  //     assert(arr_prevsize(a, sizeof(int)) == 0 && arr_prevsize(a + 2, sizeof(int)) == 2);
  unsigned int arr_prevsize(`a::A ?arr, sizeof_t<`a> elt_sz) asm("cyc_lib_arr_prevsize");
}
}

namespace Core {
// A dynamic region, its key, and a new region, whose name is hidden until it is unpacked.
struct DynamicRegion<`r::E>;
typedef struct DynamicRegion<`r> @@aqual(`q) `s region_key_t<`r::E,`q::Q,`s::E>;
typedef region_key_t<`r,UNIQUE,`s> uregion_key_t<`r::E,`s::E>;
typedef region_key_t<`r,REFCNT,`s> rcregion_key_t<`r::E,`s::E>;
struct NewDynamicRegion<`q::Q> { <`r::E> : single(`r)  region_key_t<`r,`q,`H> key; };

extern "C" {
  // What `qnew` and the like are told: may there be other pointers to the object, may this one free it?
  extern aqual_t<ALIASABLE> const aliasable_qual asm("cyc_qual_aliasable");
  extern aqual_t<UNIQUE> const unique_qual asm("cyc_qual_unique");
  extern aqual_t<REFCNT> const refcnt_qual asm("cyc_qual_refcnt");

  // Frees an object of the heap, or of the region of a handle. Null is nothing to do. What the object points to stays.
  //
  //     int *`U p = unew 5;
  //     ufree(p);
  //     region r;
  //     int *\U `r q = rnew(r, unique_qual) 6;
  //     rufree(r, q);
  void ufree(`a::A\T *`U p; {}) __attribute__((noliveunique(1), noheap)) asm("cyc_ufree");
  void rufree(region_t<`r> h, `a::A\T *\U `r p; {`r} : single(`r))
    __attribute__((noliveunique(2), noheap)) asm("cyc_rufree");

  // Counted objects. One more pointer to the object; one less, which frees it if it is the last one, in the heap or in the
  // region of a handle; how many there are. Null is 0. What the object points to stays.
  //
  //     int ?\RC p = rcnew {1, 2};
  //     int ?\RC q = alias_refptr(p);
  //     assert(refptr_count(p) == 2 && q[1] == 2);
  //     drop_refptr(q);
  //     assert(refptr_count(p) == 1);
  //     drop_refptr(p);
  //     region r;
  //     int ?\RC `r s = rnew(r, refcnt_qual) {3};
  //     rdrop_refptr(r, s);
  `a ?\RC `r alias_refptr(`a::A\T ?\RC `r p; {`r}) __attribute__((noheap)) asm("cyc_rc_alias");
  void drop_refptr(`a::A\T ?\RC `H p; {}) __attribute__((noliveunique(1), noheap)) asm("cyc_rc_drop");
  void rdrop_refptr(region_t<`r> h, `a::A\T ?\RC `r p; {`r} : single(`r))
    __attribute__((noliveunique(2), noheap)) asm("cyc_rc_rdrop");
  int refptr_count(`a::A\T ?\RC `r p; {`r}) __attribute__((noheap)) asm("cyc_rc_count");
  // Hands the count over to a region, which drops it when it ends: the result may be copied as long as the region lives.
  // (The heap does not end.) And a new counted pointer out of such a one.
  //
  //     int ?\RC p = rcnew {1, 2};
  //     region r;
  //     let borrowed = autorelease_handle(r, p);
  //     int ?\RC owned = inc_refptr(borrowed);
  //     assert(borrowed[1] == 2 && refptr_count(owned) == 2);
  //     drop_refptr(owned);
  //     let also = autorelease(rcnew {3});
  //     assert(also[0] == 3);
  `a ?@autoreleased `r autorelease_handle(region_t<`r> h, `a::A\T ?`RC p; {`r})
    __attribute__((noliveunique(2))) asm("cyc_rgn_autorelease");
  `a ?@autoreleased `C autorelease(`a::A\T ?`RC p; {})
    __attribute__((noliveunique(1))) asm("cyc_rgn_autorelease_here");
  `a ?`RC inc_refptr(`a::A\T ?@autoreleased `r p; {`r}) __attribute__((noheap)) asm("cyc_rc_inc");

  // A new region with its first key, unique or counted.
  //
  //     let NewDynamicRegion{<`r> key} = new_ukey();
  //     { region h = open(key);
  //       int *p = rnew(h) 7;
  //       assert(p != NULL && *p == 7); }
  //     free_ukey(key);
  //     let NewDynamicRegion{<`s> counted} = new_rckey();
  //     free_rckey(counted);
  struct NewDynamicRegion<\U> new_ukey(void) __attribute__((noheap)) asm("cyc_rgn_new_ukey");
  struct NewDynamicRegion<\RC> new_rckey(void) __attribute__((noheap)) asm("cyc_rgn_new_rckey");
  // The end of a key; of the region as well if there is no other.
  //
  //     let NewDynamicRegion{<`r> key} = new_ukey();
  //     free_ukey(key);
  //     let NewDynamicRegion{<`s> counted} = new_rckey();
  //     free_rckey(counted);
  void free_ukey(uregion_key_t<`r,`s> k; {`s}) __attribute__((consume(1), noheap)) asm("cyc_rgn_free_ukey");
  void free_rckey(rcregion_key_t<`r> k; {}) __attribute__((consume(1), noheap)) asm("cyc_rgn_free_rckey");
  // Calls `body` with the handle of the region, which is open meanwhile.
  //
  //     let NewDynamicRegion{<`r> key} = new_ukey();
  //     assert(open_region(key, 42, answer) == 42);
  //     free_ukey(key);
  `res open_region(region_key_t<`r,`q\T> k, `arg a, `res body(region_t<`r>, `arg); {}) asm("cyc_rgn_open_region");

  // The handle of the heap, and that of the innermost lexical region that is open (of the heap if there is none).
  //
  //     region r;
  //     int *p = rnew(current_handle()) 5;
  //     assert(*p == 5);
  extern region_t<`H> const heap_region asm("cyc_rgn_heap_handle");
  region_t<`C> current_handle(void) asm("cyc_rgn_current_handle");

  // Bytes of the pages of a region, left in its current page, and given to its objects; at most the largest int. Those of
  // the heap are the collector's (heap.h).
  //
  //     region r;
  //     int *p = rnew(r) 5;
  //     assert(region_alloc_bytes(r) >= 4 && region_used_bytes(r) >= region_alloc_bytes(r) && region_free_bytes(r) >= 0);
  int region_used_bytes(region_t<`r> h) __attribute__((noheap)) asm("cyc_rgn_used_bytes");
  int region_free_bytes(region_t<`r> h) __attribute__((noheap)) asm("cyc_rgn_free_bytes");
  int region_alloc_bytes(region_t<`r> h) __attribute__((noheap)) asm("cyc_rgn_alloc_bytes");

  // An allocation by which the pages of the region would exceed so many bytes raises Bad_alloc; 0: no limit.
  //
  //     region r;
  //     region_set_limit(r, 100000);
  //     try { int ?`r p = rnew(r) {for i < 1000000 : 0}; assert(false); } catch { case &Bad_alloc: break; }
  void region_set_limit(region_t<`r> h, unsigned long bytes) __attribute__((noheap)) asm("cyc_rgn_set_limit");
}
}

// Allocation of what is freed one by one, and of what is counted.
//
//     char *@nozeroterm `U bytes = (char *@nozeroterm `U)umalloc(4);
//     ufree(bytes);
//     char ?@nozeroterm \RC counted = rcmalloc(4);
//     drop_refptr(counted);
#define unew qnew(Core::unique_qual)
#define qunew unew
#define umalloc(E) qmalloc(Core::heap_region, Core::unique_qual, E)
#define rcnew qnew(Core::refcnt_qual)
#define rcmalloc(E) qmalloc(Core::heap_region, Core::refcnt_qual, E)

#endif
