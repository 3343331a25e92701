// B-trees (Bayer and McCreight, "Organization and maintenance of large ordered indexes", 1972), of which dict.cyc makes
// dictionaries: nodes, ways from the root to a binding, changes of a tree that can be undone until nothing can fail any more.
#ifndef _CYC_DICT_TREE_H
#define _CYC_DICT_TREE_H

#include <core.h>

namespace Dict {

// Bindings of a node, at most; at least, except in the root. A node is 256 bytes where keys and values are words, and
// the first 128 are what a search looks at.
#define MOST 14
#define LEAST 6
// Levels of a tree of 2^31 bindings, at most.
#define LEVELS 12

// What is the same for two nodes that one owner may change.
struct Mark {
  bool is_new;
};

// A node has n bindings, by ascending keys, and n + 1 trees around them, or none if it is a leaf. What is behind them
// repeats the first, so that nothing stays reachable that is not in the dictionary. Only the owner with the same mark
// changes a node; above a node of an owner there are only nodes of the same one.
struct Node<`a, `b, `r::E> {
  unsigned n;
  `a keys[MOST];
  struct Kids<`a, `b, `r> *`r kids;
  `b vals[MOST];
  struct Mark *`r mark;
};
typedef struct Node<`a, `b, `r> @`r node_t<`a, `b, `r::E>;
struct Kids<`a, `b, `r::E> {
  node_t<`a, `b, `r> at[MOST + 1];
};

// Who wants a tree as it is: an operation while it calls functions of the user; somebody, for ever.
#define SEARCHED 1u
#define FROZEN 2u

// A tree of `size` bindings, of one version at a time. Unless it is `held`, `left` operations may change it in place: that
// bounds what an old version keeps. `spent` is one without a tree, for older versions. `near` is the leaf where the last search
// ended; it is tried first when two searches ended there. If `first` or `last`, no leaf is before or after it.
struct Owner<`a, `b, `r::E> {
  struct Node<`a, `b, `r> *`r root;
  struct Mark *`r mark;
  struct Owner<`a, `b, `r> *`r spent;
  struct Node<`a, `b, `r> *`r near;
  bool again, first, last;
  int size;
  int left;
  unsigned held;
};
typedef struct Owner<`a, `b, `r> @`r owner_t<`a, `b, `r::E>;

// ---------------------------------------------------------------- nodes

// An owner of what is below the root, which has none of the nodes yet.
static owner_t<`a, `b, `r> owner_of(region_t<`r> h, struct Node<`a, `b, `r> *`r root, int size) {
  return rnew(h) Owner{.root = root, .mark = rnew(h) Mark{true}, .spent = NULL, .near = NULL, .again = false, .first = false,
                       .last = false, .size = size, .left = 2 * size + 64, .held = 0};
}

// A leaf of copies of one binding, of which none counts yet.
static node_t<`a, `b, `r> leaf(region_t<`r> h, owner_t<`a, `b, `r> o, `a k, `b v) {
  return rnew(h) Node{.n = 0, .keys = {for i < MOST : k}, .kids = NULL, .vals = {for i < MOST : v}, .mark = o->mark};
}

static node_t<`a, `b, `r> copied(region_t<`r> h, owner_t<`a, `b, `r> o, node_t<`a, `b, `r> t) {
  let fresh = rnew(h) *t;
  if (t->kids != NULL) fresh->kids = rnew(h) *t->kids;
  fresh->mark = o->mark;
  return fresh;
}

// Repeats the first binding behind the last one, up to where there were `n`.
static void forget(node_t<`a, `b, `r> t, unsigned n) {
  for (unsigned i = t->n; i < n; i++) {
    t->keys[i] = t->keys[0];
    t->vals[i] = t->vals[0];
  }
  let kids = t->kids;
  if (kids != NULL)
    for (unsigned i = t->n; i < n; i++) kids->at[i + 1] = kids->at[0];
}

// Makes room for binding i, and for the tree behind it.
static void widen(node_t<`a, `b, `r> t, unsigned i) {
  for (unsigned j = t->n; j > i; j--) {
    t->keys[j] = t->keys[j - 1];
    t->vals[j] = t->vals[j - 1];
  }
  let kids = t->kids;
  if (kids != NULL)
    for (unsigned j = t->n; j > i; j--) kids->at[j + 1] = kids->at[j];
  t->n++;
}

// Takes binding i out, and the tree behind it.
static void narrow(node_t<`a, `b, `r> t, unsigned i) {
  unsigned n = t->n - 1;
  for (unsigned j = i; j < n; j++) {
    t->keys[j] = t->keys[j + 1];
    t->vals[j] = t->vals[j + 1];
  }
  let kids = t->kids;
  if (kids != NULL)
    for (unsigned j = i + 1; j <= n; j++) kids->at[j] = kids->at[j + 1];
  t->n = n;
  forget(t, n + 1);
}

static void set_binding(node_t<`a, `b, `r> t, unsigned i, `a k, `b v) {
  t->keys[i] = k;
  t->vals[i] = v;
}

// ---------------------------------------------------------------- ways

// From the root down: at each node the binding or the tree where the way goes on. `top` is the last one's level, or -1.
struct Way<`a, `b, `r::E> {
  int top;
  struct Node<`a, `b, `r> *`r nodes[LEVELS];
  unsigned at[LEVELS];
};

static inline struct Way<`a, `b, `r> no_way() {
  return Way{-1, {for i < LEVELS : (struct Node<`a, `b, `r> *`r)NULL}, {for i < LEVELS : 0}};
}

static node_t<`a, `b, `r> node_at(struct Way<`a, `b, `r> @w, int l) { return (node_t<`a, `b, `r>)w->nodes[l]; }

static void step(struct Way<`a, `b, `r> @w, node_t<`a, `b, `r> t, unsigned i) {
  w->top++;
  w->nodes[w->top] = t;
  w->at[w->top] = i;
}

// The place of the key in the node: where it is, or where the tree begins that it would be in. Half a node is looked through in
// order: halving again would save a comparison, but cost a guess of the processor that is wrong half of the time.
static unsigned place(int rel(`c, `a), node_t<`a, `b, `r> t, `c k, bool @found) {
  unsigned n = t->n, i = 0;
  if (n >= LEAST) {
    int order = rel(k, t->keys[LEAST - 1]);
    if (order >= 0) {
      *found = order == 0;
      if (order == 0) return LEAST - 1;
      i = LEAST;
    } else n = LEAST - 1;
  }
  for (; i < n; i++) {
    int order = rel(k, t->keys[i]);
    if (order <= 0) {
      *found = order == 0;
      break;
    }
  }
  return i;
}

// The way to a key, or to where it would be in a leaf. Is it there?
static bool seek(int rel(`c, `a), owner_t<`a, `b, `r> o, `c k, struct Way<`a, `b, `r> @w) {
  w->top = -1;
  bool first = true, last = true, found = false;
  for (let t = o->root; t != NULL;) {
    unsigned i = place(rel, t, k, &found);
    step(w, t, i);
    if (found && t->kids != NULL) break;
    if (t->kids == NULL) {
      o->again = o->near == t;
      o->near = t;
      o->first = first;
      o->last = last;
      break;
    }
    if (i > 0) first = false;
    if (i < t->n) last = false;
    t = t->kids->at[i];
  }
  return found;
}

// Where the value of the key is, or null.
static `b *`r find(int rel(`c, `a), owner_t<`a, `b, `r> o, `c k) {
  bool first = true, last = true, found = false;
  for (let t = o->root; t != NULL;) {
    unsigned i = place(rel, t, k, &found);
    if (found && t->kids != NULL) return &t->vals[i];
    if (t->kids == NULL) {
      o->again = o->near == t;
      o->near = t;
      o->first = first;
      o->last = last;
      return found ? &t->vals[i] : NULL;
    }
    if (i > 0) first = false;
    if (i < t->n) last = false;
    t = t->kids->at[i];
  }
  return NULL;
}

// The leaf that is tried first, or null.
static struct Node<`a, `b, `r> *`r near_leaf(owner_t<`a, `b, `r> o) { return o->again ? o->near : NULL; }

// Must a key that would be at place i of the near leaf be there, if it is in the tree?
static bool is_inside(owner_t<`a, `b, `r> o, node_t<`a, `b, `r> t, unsigned i) {
  return o->near == t && (i > 0 || o->first) && (i < t->n || o->last);
}

// Does the near leaf tell where the value of the key is, or that there is none?
static bool find_near(int rel(`c, `a), owner_t<`a, `b, `r> o, `c k, `b *`r @v) {
  let t = near_leaf(o);
  if (t == NULL) return false;
  bool found = false;
  unsigned i = place(rel, t, k, &found);
  if (!found) return is_inside(o, t, i);
  *v = &t->vals[i];
  return true;
}

// On to the first binding of a tree.
static void down(struct Way<`a, `b, `r> @w, struct Node<`a, `b, `r> *`r t) {
  while (t != NULL) {
    step(w, t, 0);
    t = t->kids == NULL ? NULL : t->kids->at[0];
  }
}

// On to the next binding, after the last one to the end.
static void forth(struct Way<`a, `b, `r> @w) {
  let t = node_at(w, w->top);
  unsigned i = ++w->at[w->top];
  if (t->kids != NULL) down(w, t->kids->at[i]);
  while (w->top >= 0 && w->at[w->top] == node_at(w, w->top)->n) w->top--;
}

static `a key_at(struct Way<`a, `b, `r> @w) { return node_at(w, w->top)->keys[w->at[w->top]]; }
static `b val_at(struct Way<`a, `b, `r> @w) { return node_at(w, w->top)->vals[w->at[w->top]]; }

// ---------------------------------------------------------------- changing a tree

// All that can fail comes first: none of it changes what is in the tree, and what comes then only writes.

// The nodes on the way are the owner's.
static void acquire(region_t<`r> h, owner_t<`a, `b, `r> o, struct Way<`a, `b, `r> @w) {
  if (node_at(w, w->top)->mark == o->mark) return;
  o->near = NULL;
  for (int l = 0; l <= w->top; l++) {
    let t = node_at(w, l);
    if (t->mark == o->mark) continue;
    t = copied(h, o, t);
    if (l == 0) o->root = t;
    else node_at(w, l - 1)->kids->at[w->at[l - 1]] = t;
    w->nodes[l] = t;
  }
}

// A root above the root, with no binding yet.
static void raise_root(region_t<`r> h, owner_t<`a, `b, `r> o, struct Way<`a, `b, `r> @w, node_t<`a, `b, `r> above) {
  for (int l = w->top; l >= 0; l--) {
    w->nodes[l + 1] = w->nodes[l];
    w->at[l + 1] = w->at[l];
  }
  w->top++;
  w->nodes[0] = above;
  w->at[0] = 0;
  o->root = above;
}

// Splits the full node at a level. The one above, if any, has room.
static void split(region_t<`r> h, owner_t<`a, `b, `r> o, struct Way<`a, `b, `r> @w, int l) {
  let t = node_at(w, l);
  unsigned half = MOST / 2, rest = MOST - half - 1;
  let right = copied(h, o, t);
  o->near = NULL;
  if (l == 0) {
    let above = leaf(h, o, t->keys[0], t->vals[0]);
    above->kids = rnew(h) Kids{{for i < MOST + 1 : t}};
    raise_root(h, o, w, above);
    l = 1;
  }
  for (unsigned i = 0; i < rest; i++) set_binding(right, i, t->keys[half + 1 + i], t->vals[half + 1 + i]);
  if (t->kids != NULL)
    for (unsigned i = 0; i <= rest; i++) right->kids->at[i] = t->kids->at[half + 1 + i];
  right->n = rest;
  forget(right, MOST);
  let parent = node_at(w, l - 1);
  unsigned i = w->at[l - 1];
  widen(parent, i);
  set_binding(parent, i, t->keys[half], t->vals[half]);
  parent->kids->at[i + 1] = right;
  t->n = half;
  forget(t, MOST);
  if (w->at[l] <= half) return;
  w->at[l] -= half + 1;
  w->nodes[l] = right;
  w->at[l - 1]++;
}

// Gets ready for a binding where the way leads: in place of the one that was found, or in a leaf.
static void make_room(region_t<`r> h, owner_t<`a, `b, `r> o, struct Way<`a, `b, `r> @w, bool found) {
  acquire(h, o, w);
  int l = w->top;
  while (l >= 0 && node_at(w, l)->n == MOST) l--;
  while (!found && l < w->top) {
    int top = w->top;
    split(h, o, w, l + 1);
    // When the root was split, all levels are one further down.
    l += 1 + w->top - top;
  }
}

static void put_in(owner_t<`a, `b, `r> o, struct Way<`a, `b, `r> @w, bool found, `a k, `b v) {
  let t = node_at(w, w->top);
  unsigned i = w->at[w->top];
  if (!found) {
    widen(t, i);
    o->size++;
  }
  set_binding(t, i, k, v);
}

static void put(region_t<`r> h, owner_t<`a, `b, `r> o, struct Way<`a, `b, `r> @w, bool found, `a k, `b v) {
  make_room(h, o, w, found);
  put_in(o, w, found, k, v);
}

// The tree beside the one that the way goes on with: the one before, if there is one.
static unsigned sibling(unsigned i) { return i > 0 ? i - 1 : 1; }

// Gets ready to take out what the way leads to: goes on to the leaf where its predecessor is, which will be in its place. The nodes
// that will lend a binding or take another one in are the owner's, too. Returns the level of the binding.
static int make_loose(region_t<`r> h, owner_t<`a, `b, `r> o, struct Way<`a, `b, `r> @w) {
  int level = w->top;
  let t = node_at(w, level);
  unsigned i = w->at[level];
  while (t->kids != NULL) {
    t = t->kids->at[i];
    i = t->n;
    step(w, t, i);
  }
  if (w->top > level) w->at[w->top] = i - 1;
  acquire(h, o, w);
  for (int l = w->top; l > 0 && node_at(w, l)->n == LEAST; l--) {
    let kids = node_at(w, l - 1)->kids;
    unsigned s = sibling(w->at[l - 1]);
    if (kids->at[s]->mark != o->mark) kids->at[s] = copied(h, o, kids->at[s]);
    if (kids->at[s]->n > LEAST) break;
  }
  return level;
}

// One binding goes from the end of tree i to the beginning of tree i + 1, through the one between them.
static void lend_right(node_t<`a, `b, `r> t, unsigned i) {
  let kids = t->kids;
  let l = kids->at[i];
  let r = kids->at[i + 1];
  unsigned last = l->n - 1;
  widen(r, 0);
  set_binding(r, 0, t->keys[i], t->vals[i]);
  set_binding(t, i, l->keys[last], l->vals[last]);
  if (r->kids != NULL) {
    r->kids->at[1] = r->kids->at[0];
    r->kids->at[0] = l->kids->at[last + 1];
  }
  l->n = last;
  forget(l, last + 1);
}

static void lend_left(node_t<`a, `b, `r> t, unsigned i) {
  let kids = t->kids;
  let l = kids->at[i];
  let r = kids->at[i + 1];
  set_binding(l, l->n, t->keys[i], t->vals[i]);
  set_binding(t, i, r->keys[0], r->vals[0]);
  l->n++;
  if (r->kids != NULL) {
    l->kids->at[l->n] = r->kids->at[0];
    r->kids->at[0] = r->kids->at[1];
  }
  narrow(r, 0);
}

// Tree i takes in the binding after it and tree i + 1.
static void merge(node_t<`a, `b, `r> t, unsigned i) {
  let kids = t->kids;
  let l = kids->at[i];
  let r = kids->at[i + 1];
  unsigned n = l->n;
  set_binding(l, n, t->keys[i], t->vals[i]);
  for (unsigned j = 0; j < r->n; j++) set_binding(l, n + 1 + j, r->keys[j], r->vals[j]);
  if (r->kids != NULL)
    for (unsigned j = 0; j <= r->n; j++) l->kids->at[n + 1 + j] = r->kids->at[j];
  l->n = n + 1 + r->n;
  narrow(t, i);
}

// Takes out the binding at a level of the way, whose end is in a leaf.
static void take_out(owner_t<`a, `b, `r> o, struct Way<`a, `b, `r> @w, int level) {
  let t = node_at(w, w->top);
  unsigned i = w->at[w->top];
  if (level < w->top) set_binding(node_at(w, level), w->at[level], t->keys[i], t->vals[i]);
  narrow(t, i);
  o->size--;
  for (int l = w->top; l > 0 && node_at(w, l)->n < LEAST; l--) {
    let parent = node_at(w, l - 1);
    unsigned j = w->at[l - 1], s = sibling(j);
    if (parent->kids->at[s]->n == LEAST) {
      merge(parent, j < s ? j : s);
      o->near = NULL;
      continue;
    }
    // Half of what can be spared: what comes next is often beside it.
    for (unsigned spare = (parent->kids->at[s]->n - LEAST + 1) / 2; spare > 0; spare--)
      if (s < j) lend_right(parent, s);
      else lend_left(parent, j);
    break;
  }
  let root = node_at(w, 0);
  if (root->n == 0 && root->kids != NULL) o->root = root->kids->at[0];
}

// ---------------------------------------------------------------- building

// Bindings by ascending keys, of which `n` count.
struct Sorted<`a, `b, `r::E> {
  `a ?`r keys;
  `b ?`r vals;
  int n;
};

// The tree of the bindings lo to hi - 1, whose nodes are full or nearly so, above trees of at most `below` bindings: of
// MOST, or 15 * MOST + 14, and so on; of 0 under a leaf.
static node_t<`a, `b, `r> built(region_t<`r> h, owner_t<`a, `b, `r> o, struct Sorted<`a, `b> @s, int lo, int hi, long below) {
  int count = hi - lo;
  // The fewest trees that hold all, which get as many bindings each, or one more.
  int trees = (int)((count + below + 1) / (below + 1));
  int each = (count - trees + 1) / trees, more = (count - trees + 1) % trees;
  let t = leaf(h, o, s->keys[lo], s->vals[lo]);
  if (below > 0) t->kids = rnew(h) Kids{{for i < MOST + 1 : t}};
  for (int i = 0; i < trees; i++) {
    int end = lo + each + (i < more ? 1 : 0);
    if (t->kids != NULL) t->kids->at[i] = built(h, o, s, lo, end, (below - MOST) / (MOST + 1));
    if (i < trees - 1) set_binding(t, (unsigned)i, s->keys[end], s->vals[end]);
    lo = end + 1;
  }
  t->n = (unsigned)trees - 1;
  forget(t, MOST);
  return t;
}

}
#endif
