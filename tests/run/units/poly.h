#ifndef POLY_H
#define POLY_H
// Polymorphic prototypes for poly_units.cyc; the other unit has the bodies.
struct Assoc<`k, `v> {
  `k key;
  `v value;
  struct Assoc<`k, `v> *`H next;
};
typedef struct Assoc<`k, `v> *`H assoc_t<`k, `v>;

assoc_t<`k, `v> insert(assoc_t<`k, `v>, `k, `v);
`v lookup(int eq(`k, `k), assoc_t<`k, `v>, `k, `v);
`b compose(`c f(`a), `b g(`c), `a x);
extern int polymorphic_calls;
struct Visitor {
  int (@visit)<`a>(`a, int);
};
extern struct Visitor counting;
#endif
