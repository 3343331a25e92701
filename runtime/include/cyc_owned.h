/* cyc_owned.h - objects that are given back one by one: unique and counted ones; part of cyc_rt.h.
 *
 * What the compiler calls an alias qualifier tells how an object is allocated (memory, sections 6.3 and 7). A unique object of
 * the heap is liblowfat's, and scanned conservatively; one of a region lies in its reap, which finds its size again. A counted
 * object, of the heap or of a region, has its count in the word before it, and 16 bytes are reserved for that.
 * Invariant: a pointer by which an object is given back points to its first byte; a fat one has it as `base`.
 */
#ifndef CYC_OWNED_H
#define CYC_OWNED_H

enum { CYC_ALIASABLE, CYC_UNIQUE, CYC_REFCNT, CYC_COUNT_ROOM = 16 };

/* The heap's floor: the allocator itself where it is liblowfat. cyc_unique_get gives null when memory is out; null is nothing
 * to take back. */
void *cyc_unique_get(cyc_size size);
void cyc_unique_give(void *object);

/* cyc_unique_get, never null: raises Bad_alloc. */
void *cyc_unique_call(cyc_size size, const char *file, unsigned line) __attribute__((cold));
CYC_INLINE void *cyc_unique_take(cyc_size size, const char *file, unsigned line) {
  void *object;
  if (__builtin_constant_p(size) && size <= LOWFAT_UNITS_MAX)
    return CYC_LIKELY(lowfat_slot_take(size, &object)) ? object : cyc_unique_call(size, file, line);
  object = cyc_unique_get(size);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(1, size, file, line);
  return object;
}

/* An object of the heap that cyc_ufree takes back. Never null: raises Bad_alloc. */
CYC_INLINE void *cyc_unique(cyc_size size, const char *file, unsigned line) {
  void *object = cyc_unique_take(size, file, line);
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_UNIQUE, object, size, file, line));
  return object;
}

/* What core.h declares: takes the object back. The compiler has seen to it that nobody uses it any more. */
CYC_INLINE void cyc_ufree(void *object) {
  CYC_PROFILED(cyc_profile_free(object));
  if (object) cyc_unique_give(object);
}
void *cyc_unique_zero(cyc_size size, const char *file, unsigned line);
/* `count` elements of `size` bytes, overflow checked, and checked to fit a fat pointer. */
CYC_INLINE void *cyc_unique_array(cyc_u64 count, cyc_size size, const char *file, unsigned line) {
  cyc_size bytes;
  if (CYC_UNLIKELY(count > CYC_FAT_MAX || __builtin_mul_overflow(count, size, &bytes) || bytes > CYC_RGN_MOST))
    cyc_fail_alloc(count, size, file, line);
  void *object = cyc_unique_get(bytes);
  if (CYC_UNLIKELY(!object)) cyc_fail_alloc(count, size, file, line);
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_UNIQUE, object, bytes, file, line));
  return object;
}
void *cyc_unique_array_zero(cyc_u64 count, cyc_size size, const char *file, unsigned line);
/* An object that cyc_reap_free of the same region takes back; in the heap, cyc_ufree. Never null: raises Bad_alloc. */
void *cyc_reap_alloc(cyc_region *r, cyc_size size, const char *file, unsigned line);
/* An object whose count is 1. Never null: raises Bad_alloc. */
void *cyc_rc_alloc(cyc_region *r, cyc_size size, const char *file, unsigned line);
/* Ends an object whose count is 0; of the heap, of a region. */
void cyc_rc_free(void *object);
void cyc_rc_rfree(cyc_region *r, void *object);

CYC_INLINE cyc_u64 *cyc_rc_count_of(void *object) { return (cyc_u64 *)object - 1; }

/* A counted object of the heap. At least a byte lies behind the count: the pointer, which is not to the first byte of the
 * slot, must be to some byte of it. */
CYC_INLINE void *cyc_rc_new(cyc_size size, const char *file, unsigned line) {
  cyc_size bytes;
  if (CYC_UNLIKELY(__builtin_add_overflow(size + !size, CYC_COUNT_ROOM, &bytes))) cyc_fail_alloc(1, size, file, line);
  char *object = (char *)cyc_unique_take(bytes, file, line) + CYC_COUNT_ROOM;
  CYC_PROFILED(cyc_profile_object(CYC_PROFILE_COUNTED, object, size, file, line));
  *cyc_rc_count_of(object) = 1;
  return object;
}

/* What core.h declares, with the types that keep it safe: one more pointer to the object, with the same bounds. Counts have
 * 64 bits: adding one each nanosecond would take five hundred years to overflow them. Counted pointers stay in their thread, but
 * a count that a region has in its pool moves with the key of the region; so with several threads counts are atomic. */
CYC_INLINE cyc_fat cyc_rc_alias(cyc_fat p) {
  if (!p.base) return p;
  if (CYC_ONE_THREAD) ++*cyc_rc_count_of(p.base);
  else __atomic_fetch_add(cyc_rc_count_of(p.base), 1, __ATOMIC_RELAXED);
  return p;
}

/* One pointer less: was it the last one? */
CYC_INLINE int cyc_rc_last(void *object) {
  if (CYC_ONE_THREAD) return !--*cyc_rc_count_of(object);
  return __atomic_sub_fetch(cyc_rc_count_of(object), 1, __ATOMIC_ACQ_REL) == 0;
}

/* The same, out of a pointer whose count belongs to a pool. */
CYC_INLINE cyc_fat cyc_rc_inc(cyc_fat p) { return cyc_rc_alias(p); }

/* One pointer less; the last one frees the object. */
CYC_INLINE void cyc_rc_drop(cyc_fat p) {
  if (p.base && cyc_rc_last(p.base)) cyc_rc_free(p.base);
}

CYC_INLINE void cyc_rc_rdrop(cyc_region *r, cyc_fat p) {
  if (p.base && cyc_rc_last(p.base)) cyc_rc_rfree(r, p.base);
}

/* The pointers to the object, 0 for null; the largest `int` when there are more. */
CYC_INLINE int cyc_rc_count(cyc_fat p) {
  cyc_u64 count = p.base ? *cyc_rc_count_of(p.base) : 0;
  return count < __INT_MAX__ ? (int)count : __INT_MAX__;
}

/* An object of `size` bytes in the region, allocated as the qualifier, one of the above, asks for. */
CYC_INLINE void *cyc_own_alloc(cyc_region *r, long qualifier, cyc_shape shape, cyc_size size, const char *file,
                               unsigned line) {
  if (qualifier == CYC_REFCNT && __builtin_constant_p(r == &cyc_rgn_heap) && r == &cyc_rgn_heap)
    return cyc_rc_new(size, file, line);
  if (qualifier == CYC_REFCNT) return cyc_rc_alloc(r, size, file, line);
  if (qualifier == CYC_UNIQUE) return cyc_reap_alloc(r, size, file, line);
  return cyc_rgn_alloc(r, shape, size, file, line);
}

CYC_INLINE void *cyc_own_alloc_zero(cyc_region *r, long qualifier, cyc_shape shape, cyc_size size, const char *file,
                               unsigned line) {
  return __builtin_memset(cyc_own_alloc(r, qualifier, shape, size, file, line), 0, size);
}

/* `count` elements of `size` bytes, overflow checked, and checked to fit a fat pointer. */
CYC_INLINE void *cyc_own_alloc_array(cyc_region *r, long qualifier, cyc_shape shape, cyc_u64 count, cyc_size size,
                                     const char *file, unsigned line) {
  cyc_size bytes;
  if (CYC_UNLIKELY(count > CYC_FAT_MAX || __builtin_mul_overflow(count, size, &bytes) || bytes > CYC_RGN_MOST))
    cyc_fail_alloc(count, size, file, line);
  return cyc_own_alloc(r, qualifier, shape, bytes, file, line);
}

CYC_INLINE void *cyc_own_alloc_array_zero(cyc_region *r, long qualifier, cyc_shape shape, cyc_u64 count, cyc_size size,
                                          const char *file, unsigned line) {
  if (qualifier == CYC_UNIQUE && r == &cyc_rgn_heap) return cyc_unique_array_zero(count, size, file, line);
  return __builtin_memset(cyc_own_alloc_array(r, qualifier, shape, count, size, file, line), 0, count * size);
}

/* ---- objects of a stricter alignment than 16, which no allocator above keeps
 *
 * What nobody gives back is asked for with as many bytes more as the alignment has, and begins at the first multiple of it: a pointer
 * into an object keeps it. Unique objects of the heap are the allocator's business. Others are given back by their first byte: the
 * compiler refuses them. */
CYC_INLINE cyc_size cyc_strict_bytes(cyc_u64 count, cyc_size size, cyc_size alignment, const char *file, unsigned line) {
  cyc_size bytes;
  if (CYC_UNLIKELY(count > CYC_FAT_MAX || __builtin_mul_overflow(count, size, &bytes) || bytes > CYC_RGN_MOST - alignment))
    cyc_fail_alloc(count, size, file, line);
  return bytes + alignment;
}
CYC_INLINE void *cyc_strict(void *object, cyc_size alignment) {
  return __builtin_assume_aligned((char *)object + (-(cyc_size)object & (alignment - 1)), 16);
}
void *cyc_unique_strict(cyc_u64 count, cyc_size size, cyc_size alignment, int zero, const char *file, unsigned line);

#endif
