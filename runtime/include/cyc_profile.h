/* cyc_profile.h - what emitted code and the run time tell the memory profile; part of cyc_rt.h in builds with --memory-profile.
 *
 * In all other builds nothing of this is there: the macros at the end are empty (docs/adr/004-memory-profile.md).
 */
#ifndef CYC_PROFILE_H
#define CYC_PROFILE_H

#ifdef CYC_PROFILE

/* A place in the source that allocates, calls, or opens a region. */
struct cyc_site {
  const char *file;
  unsigned line;
  unsigned library;     /* in a module of the library: who called it is told as well */
  const char *function; /* as the programmer knows it */
  const char *region;   /* the name of the region that is opened here; else null */
  struct cyc_site *same; /* the profile's: the first one with the same contents; null at first */
};

/* The user's code that runs at present called from here. Functions of the user's restore what they found. */
extern __thread struct cyc_site *cyc_profile_caller __attribute__((tls_model("initial-exec")));
/* Where the next allocation stands, if emitted code asks for it; taken by that allocation. */
extern __thread struct cyc_site *cyc_profile_here __attribute__((tls_model("initial-exec")));

/* Before a call of the user's code. */
CYC_INLINE void cyc_profile_call(struct cyc_site *site) {
  cyc_profile_caller = site;
  cyc_profile_here = 0;
}
/* Before an allocation of emitted code. */
CYC_INLINE void cyc_profile_at(struct cyc_site *site) { cyc_profile_here = site; }
CYC_INLINE void cyc_profile_leave(struct cyc_site **caller) { cyc_profile_caller = *caller; }
/* Stands at the beginning of a function of the user's. */
#define CYC_PROFILE_FRAME                                                                                        \
  struct cyc_site *cyc_profile_frame __attribute__((cleanup(cyc_profile_leave), unused)) = cyc_profile_caller

/* How objects live: until they are collected, until they are given back one by one, or as long as their region. */
enum cyc_profile_kind { CYC_PROFILE_HEAP, CYC_PROFILE_UNIQUE, CYC_PROFILE_COUNTED, CYC_PROFILE_REGION, CYC_PROFILE_POOL };
enum { CYC_PROFILE_KINDS = CYC_PROFILE_POOL + 1 };

/* An object was made. `file` and `line` say where when emitted code did not; line 0: by the function `file` of the run time. */
void cyc_profile_object(enum cyc_profile_kind kind, const void *object, cyc_size bytes, const char *file, unsigned line);
/* The same in a region, which may be the heap: that has told of its objects itself. One that is not given back by itself has
 * no address worth remembering: `object` is null. */
void cyc_profile_in_region(cyc_region *r, const void *object, cyc_size bytes, const char *file, unsigned line);
/* An object ends; null and unknown ones are nothing. Comes before its memory can be another's. */
void cyc_profile_free(const void *object);
/* A region begins; `name` if emitted code did not tell. `size`: of a pool; else 0. It ends with all that it holds. */
void cyc_profile_open(cyc_region *r, const char *name, cyc_size size);
void cyc_profile_close(cyc_region *r);

/* Before the program begins: obeys the environment variable CYC_MEMORY_PROFILE. */
void cyc_profile_start(void);

#define CYC_PROFILED(...) (__VA_ARGS__)
#else
#define CYC_PROFILED(...) ((void)0)
#endif

#endif
