// `assert(e)` is an expression of the language: it checks at run time and raises `Assert`.
// With NDEBUG it is 0, as in C; there is no include guard, since NDEBUG may change between inclusions.
#undef assert
#ifdef NDEBUG
// Nothing with NDEBUG; else Assert unless e holds.
//
//     assert(1 + 1 == 2);
#define assert(e) (0)
#endif
