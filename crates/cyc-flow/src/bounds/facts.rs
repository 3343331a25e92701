//! Sets of facts `a - b <= c` about terms: difference constraints, as in Bodík, Gupta and Sarkar, "ABCD: eliminating
//! array bounds checks on demand" (PLDI 2000). What follows from them is found by shortest paths when it is asked for.

use super::terms::{Kind, Term, Terms, ZERO};

/// `a - b <= c`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fact {
    a: Term,
    b: Term,
    c: i64,
}

/// More facts than this at one point help nobody and would cost time.
const MOST_FACTS: usize = 96;
/// A set that went through more joins than this gains no new facts: each chain of joins ends.
const MOST_JOINS: u8 = 40;
/// Facts are looked for on chains of at most so many.
const LONGEST_CHAIN: usize = 12;

#[derive(Clone, Default, PartialEq, Debug)]
pub struct Facts {
    /// Sorted by `(a, b)`, one for each pair.
    known: Vec<Fact>,
    /// `(t, x)`: `t` is `x` converted to an unsigned type that is at least as wide. They are equal if `x` is not
    /// negative or `t` is a value of `x`'s type.
    casts: Vec<(Term, Term)>,
    joins: u8,
}

/// Room for the distances of one search.
#[derive(Default)]
pub struct Search {
    distance: Vec<Option<i64>>,
    reached: Vec<Term>,
}

impl Search {
    fn start(&mut self, terms: &Terms) {
        for term in self.reached.drain(..) {
            self.distance[term.0 as usize] = None;
        }
        if self.distance.len() < terms.len() {
            self.distance.resize(terms.len(), None);
        }
    }

    /// A shorter way to `term` has been found, and to what its type connects it with.
    fn reach(&mut self, terms: &Terms, term: Term, distance: i64) -> bool {
        let slot = &mut self.distance[term.0 as usize];
        match slot {
            Some(known) if *known <= distance => return false,
            Some(_) => {}
            None => self.reached.push(term),
        }
        *slot = Some(distance);
        if let Some(max) = terms.max(term)
            && let Some(to_zero) = distance.checked_add(max)
            && term != ZERO
        {
            self.reach(terms, ZERO, to_zero);
        }
        if let Some(partner) = terms.partner(term) {
            let most = if terms.kind(term) == Kind::High { terms.most_elements() } else { 0 };
            if let Some(there) = distance.checked_add(most) {
                self.reach(terms, partner, there);
            }
        }
        true
    }

    fn at(&self, terms: &Terms, term: Term) -> Option<i64> {
        let direct = self.distance[term.0 as usize];
        let by_type = match (self.distance[ZERO.0 as usize], terms.min(term)) {
            (Some(zero), Some(min)) => zero.checked_sub(min),
            _ => None,
        };
        match (direct, by_type) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

impl Facts {
    /// The least `c` for which `a - b <= c` is known.
    pub fn bound(&self, terms: &Terms, search: &mut Search, a: Term, b: Term) -> Option<i64> {
        if a == b {
            return Some(0);
        }
        self.distances(terms, search, a);
        search.at(terms, b)
    }

    /// The terms `b` with a known `a - b <= c`, and those `c`.
    pub fn bounds_from(&self, terms: &Terms, search: &mut Search, a: Term) -> Vec<(Term, i64)> {
        self.distances(terms, search, a);
        let at = |term: &Term| Some((*term, search.distance[term.0 as usize]?));
        search.reached.iter().filter_map(at).collect()
    }

    fn distances(&self, terms: &Terms, search: &mut Search, a: Term) {
        search.start(terms);
        search.reach(terms, a, 0);
        for _ in 0..LONGEST_CHAIN {
            let mut changed = false;
            for fact in &self.known {
                if let Some(distance) = search.at(terms, fact.a)
                    && let Some(there) = distance.checked_add(fact.c)
                {
                    changed |= search.reach(terms, fact.b, there);
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn find(&self, a: Term, b: Term) -> Result<usize, usize> {
        self.known.binary_search_by(|fact| (fact.a, fact.b).cmp(&(a, b)))
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.casts.is_empty()
    }

    /// Adds `a - b <= c`.
    pub fn learn(&mut self, terms: &Terms, a: Term, b: Term, c: i64) {
        if a == b || by_types(terms, a, b).is_some_and(|known| known <= c) {
            return;
        }
        match self.find(a, b) {
            Ok(at) => self.known[at].c = self.known[at].c.min(c),
            Err(at) if self.known.len() < MOST_FACTS => self.known.insert(at, Fact { a, b, c }),
            Err(_) => {}
        }
    }

    /// Adds `a - b = c`.
    pub fn equate(&mut self, terms: &Terms, a: Term, b: Term, c: i64) {
        self.learn(terms, a, b, c);
        if let Some(back) = c.checked_neg() {
            self.learn(terms, b, a, back);
        }
    }

    pub fn learn_cast(&mut self, unsigned: Term, from: Term) {
        self.casts.push((unsigned, from));
    }

    /// Turns casts that keep their value into equalities. To be called when bounds of single terms have been learnt.
    pub fn settle_casts(&mut self, terms: &Terms, search: &mut Search) {
        for i in (0..self.casts.len()).rev() {
            let (unsigned, from) = self.casts[i];
            let positive = self.bound(terms, search, ZERO, from).is_some_and(|c| c <= 0);
            let mut small = || self.bound(terms, search, unsigned, ZERO).zip(terms.max(from)).is_some_and(|(c, m)| c <= m);
            if positive || small() {
                self.casts.swap_remove(i);
                self.equate(terms, unsigned, from, 0);
            }
        }
    }

    /// Ends what is known of a term; what follows for others stays known.
    pub fn forget(&mut self, terms: &Terms, gone: Term) {
        self.casts.retain(|(unsigned, from)| *unsigned != gone && *from != gone);
        if !self.known.iter().any(|fact| fact.a == gone || fact.b == gone) {
            return;
        }
        let (about, others): (Vec<Fact>, Vec<Fact>) =
            std::mem::take(&mut self.known).into_iter().partition(|fact| fact.a == gone || fact.b == gone);
        self.known = others;
        for into in about.iter().filter(|fact| fact.b == gone) {
            for out in about.iter().filter(|fact| fact.a == gone) {
                if let Some(c) = into.c.checked_add(out.c) {
                    self.learn(terms, into.a, out.b, c);
                }
            }
            // What the type of the forgotten term says holds too.
            if let Some(c) = terms.max(gone).and_then(|max| into.c.checked_add(max)) {
                self.learn(terms, into.a, ZERO, c);
            }
        }
        for out in about.iter().filter(|fact| fact.a == gone) {
            if let Some(c) = terms.min(gone).and_then(|min| out.c.checked_sub(min)) {
                self.learn(terms, ZERO, out.b, c);
            }
        }
    }

    /// What was known of `old` is known of `new` (of which nothing is known) instead.
    pub fn rename(&mut self, terms: &Terms, old: Term, new: Term) {
        for (unsigned, _) in &mut self.casts {
            *unsigned = if *unsigned == old { new } else { *unsigned };
        }
        if !self.known.iter().any(|fact| fact.a == old || fact.b == old) {
            return;
        }
        let (about, others): (Vec<Fact>, Vec<Fact>) =
            std::mem::take(&mut self.known).into_iter().partition(|fact| fact.a == old || fact.b == old);
        self.known = others;
        for fact in about {
            let named = |term: Term| if term == old { new } else { term };
            self.learn(terms, named(fact.a), named(fact.b), fact.c);
        }
    }

    /// Is something known of the term?
    pub fn mention(&self, term: Term) -> bool {
        self.known.iter().any(|fact| fact.a == term || fact.b == term)
            || self.casts.iter().any(|(unsigned, from)| *unsigned == term || *from == term)
    }

    /// The terms that something is known of.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        self.known.iter().flat_map(|fact| [fact.a, fact.b])
    }

    /// Keeps what both sets imply, of the pairs that one of them names. A fact may get weaker only if not `widening`.
    /// True if `self` changed.
    pub fn join(&mut self, terms: &Terms, search: &mut Search, from: &Facts, widening: bool) -> bool {
        if self == from {
            return false;
        }
        let casts = self.casts.len();
        self.casts.retain(|cast| from.casts.contains(cast));
        let mut changed = self.casts.len() != casts;
        let mut joined = Vec::with_capacity(self.known.len());
        for fact in &self.known {
            let theirs = match from.find(fact.a, fact.b) {
                Ok(at) if from.known[at].c <= fact.c => Some(from.known[at].c),
                _ => from.bound(terms, search, fact.a, fact.b),
            };
            match theirs {
                Some(c) if c <= fact.c => joined.push(*fact),
                Some(c) if !widening => {
                    changed = true;
                    if by_types(terms, fact.a, fact.b).is_none_or(|known| c < known) {
                        joined.push(Fact { c, ..*fact });
                    }
                }
                _ => changed = true,
            }
        }
        if self.joins < MOST_JOINS {
            for fact in &from.known {
                if self.find(fact.a, fact.b).is_ok() {
                    continue;
                }
                let Some(ours) = self.bound(terms, search, fact.a, fact.b) else { continue };
                let c = ours.max(fact.c);
                if by_types(terms, fact.a, fact.b).is_none_or(|known| c < known) && joined.len() < MOST_FACTS {
                    // Nothing new: `self` implied it already.
                    joined.push(Fact { c, ..*fact });
                }
            }
            joined.sort_unstable_by_key(|fact| (fact.a, fact.b));
        }
        self.known = joined;
        if changed {
            self.joins = self.joins.saturating_add(1);
        }
        changed
    }
}

/// The `c` of `a - b <= c` that the types alone give.
fn by_types(terms: &Terms, a: Term, b: Term) -> Option<i64> {
    terms.max(a)?.checked_sub(terms.min(b)?)
}
