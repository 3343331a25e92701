//! Sets of facts `a - b <= c` about terms: difference constraints, as in Bodík, Gupta and Sarkar, "ABCD: eliminating
//! array bounds checks on demand" (PLDI 2000). What follows from them is found by shortest paths when it is asked for.

use super::terms::{Term, Terms, ZERO};
use smallvec::SmallVec;

/// `a - b <= c`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fact {
    a: Term,
    b: Term,
    c: i64,
}

/// More facts than this at one point help nobody and would cost time.
const MOST_FACTS: usize = 40;
/// A set that went through more joins than this gains no new facts: each chain of joins ends.
const MOST_JOINS: u8 = 8;
/// A search ends after so many steps.
const LONGEST_SEARCH: usize = 4 * MOST_FACTS;
/// Between two terms that are not 0, a greater distance is of no use: nobody has so many elements.
const FARTHEST: u64 = 1 << 30;

/// The facts about one term.
type Few = SmallVec<[Fact; 8]>;

#[derive(Clone, Default, PartialEq, Debug)]
pub struct Facts {
    /// Sorted by `(a, b)`, one for each pair.
    known: Vec<Fact>,
    /// `(t, x)`: `t` is `x` converted to an unsigned type that is at least as wide. They are equal if `x` is not
    /// negative or `t` is a value of `x`'s type.
    casts: Vec<(Term, Term)>,
    joins: u8,
}

/// Room for the distances of one search. Few terms are reached by one, so that looking through them is quickest.
#[derive(Default)]
pub struct Search {
    reached: Vec<(Term, i64)>,
    /// Places in `reached` of the terms whose facts have to be followed (again).
    waiting: Vec<usize>,
}

impl Search {
    fn start(&mut self, from: Term) {
        self.reached.clear();
        self.waiting.clear();
        self.reached.push((from, 0));
        self.waiting.push(0);
    }

    fn next(&mut self) -> Option<(Term, i64)> {
        self.waiting.pop().map(|at| self.reached[at])
    }

    fn at(&self, term: Term) -> Option<i64> {
        self.reached.iter().find(|(known, _)| *known == term).map(|(_, distance)| *distance)
    }

    /// A way to `term` has been found, `here` and then `step`.
    fn reach(&mut self, term: Term, here: i64, step: Option<i64>) {
        let Some(distance) = step.and_then(|step| here.checked_add(step)) else { return };
        let at = match self.reached.iter().position(|(known, _)| *known == term) {
            Some(at) if self.reached[at].1 <= distance => return,
            Some(at) => {
                self.reached[at].1 = distance;
                at
            }
            None => {
                self.reached.push((term, distance));
                self.reached.len() - 1
            }
        };
        if !self.waiting.contains(&at) {
            self.waiting.push(at);
        }
    }
}

fn sum(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a?.checked_add(b?)
}

fn least(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

impl Facts {
    /// The least `c` for which `a - b <= c` is known: of the chains of facts from `a` to `b`, and of what is known of the
    /// two by themselves.
    pub fn bound(&self, terms: &Terms, search: &mut Search, a: Term, b: Term) -> Option<i64> {
        if a == b {
            return Some(0);
        }
        if b == ZERO {
            return self.greatest(terms, search, a);
        }
        if a == ZERO {
            return self.least(terms, search, b);
        }
        let lowest = self.least(terms, search, b);
        if self.from(a).is_empty() && terms.partner(a).is_none() {
            return sum(terms.max(a), lowest);
        }
        self.ascend(terms, search, a);
        least(search.at(b), sum(search.at(ZERO), lowest))
    }

    /// Is `a - b <= c` known?
    pub fn at_most(&self, terms: &Terms, search: &mut Search, a: Term, b: Term, c: i64) -> bool {
        self.direct(terms, a, b).is_some_and(|known| known <= c)
            || self.bound(terms, search, a, b).is_some_and(|known| known <= c)
    }

    /// The terms `b` with a known `a - b <= c`, and those `c`.
    pub fn bounds_from(&self, terms: &Terms, search: &mut Search, a: Term) -> Vec<(Term, i64)> {
        self.ascend(terms, search, a);
        search.reached.clone()
    }

    /// The least `c` with `a <= c`.
    fn greatest(&self, terms: &Terms, search: &mut Search, a: Term) -> Option<i64> {
        if self.from(a).is_empty() && terms.partner(a).is_none() {
            return terms.max(a);
        }
        self.ascend(terms, search, a);
        search.at(ZERO)
    }

    /// Finds the distances from `a` to greater terms: `a - … <= …`. Chains end at 0.
    fn ascend(&self, terms: &Terms, search: &mut Search, a: Term) {
        search.start(a);
        // Facts that contradict each other (in code that is never reached) would go on for ever.
        for _ in 0..LONGEST_SEARCH {
            let Some((term, here)) = search.next() else { return };
            if term == ZERO {
                continue;
            }
            search.reach(ZERO, here, terms.max(term));
            for fact in self.from(term) {
                search.reach(fact.b, here, Some(fact.c));
            }
            if let Some(partner) = terms.partner(term) {
                search.reach(partner, here, Some(terms.most_from(term)));
            }
        }
    }

    /// The least `c` with `0 - b <= c`: by the distances from smaller terms, `… - b <= …`.
    fn least(&self, terms: &Terms, search: &mut Search, b: Term) -> Option<i64> {
        search.start(b);
        let mut best = None;
        for _ in 0..LONGEST_SEARCH {
            let Some((term, here)) = search.next() else { break };
            best = least(best, sum(Some(here), lowest(terms, term)));
            for fact in self.known.iter().filter(|fact| fact.b == term) {
                match fact.a {
                    ZERO => best = least(best, here.checked_add(fact.c)),
                    smaller => search.reach(smaller, here, Some(fact.c)),
                }
            }
            if let Some(partner) = terms.partner(term) {
                search.reach(partner, here, Some(terms.most_from(partner)));
            }
        }
        best
    }

    /// The facts `a - … <= …`.
    fn from(&self, a: Term) -> &[Fact] {
        let start = self.known.partition_point(|fact| fact.a < a);
        let len = self.known[start..].iter().take_while(|fact| fact.a == a).count();
        &self.known[start..start + len]
    }

    /// The `c` of one fact, or of the types.
    fn direct(&self, terms: &Terms, a: Term, b: Term) -> Option<i64> {
        let fact = self.find(a, b).ok().map(|at| self.known[at].c);
        least(fact, by_types(terms, a, b))
    }

    /// As [`Facts::bound`], on chains of two facts at most: sets hold most of what follows from them.
    fn near(&self, terms: &Terms, a: Term, b: Term) -> Option<i64> {
        let through = self.from(a).iter().map(|fact| sum(Some(fact.c), self.direct(terms, fact.b, b)));
        let through_zero = sum(self.direct(terms, a, ZERO), self.direct(terms, ZERO, b));
        through.fold(least(self.direct(terms, a, b), through_zero), least)
    }

    fn find(&self, a: Term, b: Term) -> Result<usize, usize> {
        self.known.binary_search_by(|fact| (fact.a, fact.b).cmp(&(a, b)))
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.casts.is_empty()
    }

    /// Can still some facts be added?
    pub fn has_room(&self) -> bool {
        self.known.len() <= MOST_FACTS / 4 * 3
    }

    /// Adds `a - b <= c`.
    pub fn learn(&mut self, terms: &Terms, a: Term, b: Term, c: i64) {
        if a == b || !useful(terms, a, b, c) {
            return;
        }
        match self.find(a, b) {
            Ok(at) => self.known[at].c = self.known[at].c.min(c),
            Err(at) if self.known.len() < MOST_FACTS => {
                if self.known.is_empty() {
                    self.known.reserve(MOST_FACTS / 2);
                }
                self.known.insert(at, Fact { a, b, c });
            }
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
            let mut small =
                || self.bound(terms, search, unsigned, ZERO).zip(terms.max(from)).is_some_and(|(c, m)| c <= m);
            if positive || small() {
                self.casts.swap_remove(i);
                self.equate(terms, unsigned, from, 0);
            }
        }
    }

    /// Ends what is known of a term; what follows for others stays known.
    pub fn forget(&mut self, terms: &Terms, gone: Term) {
        if self.casts.iter().any(|(unsigned, from)| *unsigned == gone || *from == gone) {
            if let Some(same) = self.equal_to(gone) {
                self.casts.iter_mut().filter(|cast| cast.0 == gone).for_each(|cast| cast.0 = same);
            }
            self.casts.retain(|(unsigned, from)| *unsigned != gone && *from != gone);
        }
        let (mut into, mut out) = (Few::new(), Few::new());
        self.known.retain(|fact| {
            let about = fact.a == gone || fact.b == gone;
            if about {
                if fact.b == gone { into.push(*fact) } else { out.push(*fact) }
            }
            !about
        });
        for into in &into {
            for out in &out {
                if let Some(c) = into.c.checked_add(out.c) {
                    self.learn(terms, into.a, out.b, c);
                }
            }
            // What the type of the forgotten term says holds too.
            if let Some(c) = sum(Some(into.c), terms.max(gone)) {
                self.learn(terms, into.a, ZERO, c);
            }
        }
        for out in &out {
            if let Some(c) = sum(Some(out.c), lowest(terms, gone)) {
                self.learn(terms, ZERO, out.b, c);
            }
        }
    }

    /// A term of the same number, if facts say so directly.
    fn equal_to(&self, term: Term) -> Option<Term> {
        let back = |b: Term| self.find(b, term).is_ok_and(|at| self.known[at].c == 0);
        self.from(term).iter().find(|fact| fact.c == 0 && fact.b != ZERO && back(fact.b)).map(|fact| fact.b)
    }

    /// What was known of `old` is known of `new` (of which nothing is known) instead.
    pub fn rename(&mut self, terms: &Terms, old: Term, new: Term) {
        let named = |term: Term| if term == old { new } else { term };
        self.casts.iter_mut().for_each(|(unsigned, _)| *unsigned = named(*unsigned));
        let mut renamed = Few::new();
        self.known.retain(|fact| {
            let about = fact.a == old || fact.b == old;
            if about {
                renamed.push(Fact { a: named(fact.a), b: named(fact.b), c: fact.c });
            }
            !about
        });
        for fact in renamed {
            self.learn(terms, fact.a, fact.b, fact.c);
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
    pub fn join(&mut self, terms: &Terms, from: &Facts, widening: bool) -> bool {
        if self == from {
            return false;
        }
        let casts = self.casts.len();
        self.casts.retain(|cast| from.casts.contains(cast));
        let mut changed = self.casts.len() != casts;
        let mut joined = Vec::with_capacity(self.known.len());
        // What only the other set names: nothing new, for `self` implies it already.
        let mut room = if self.joins < MOST_JOINS { MOST_FACTS.saturating_sub(self.known.len()) } else { 0 };
        let mut gain = |fact: &Fact, joined: &mut Vec<Fact>| {
            if room == 0 {
                return;
            }
            let Some(ours) = self.near(terms, fact.a, fact.b) else { return };
            let c = ours.max(fact.c);
            if useful(terms, fact.a, fact.b, c) {
                joined.push(Fact { c, ..*fact });
                room -= 1;
            }
        };
        let mut others = from.known.iter().peekable();
        for fact in &self.known {
            let key = |fact: &Fact| (fact.a, fact.b);
            while let Some(other) = others.next_if(|other| key(other) < key(fact)) {
                gain(other, &mut joined);
            }
            let theirs = match others.next_if(|other| key(other) == key(fact)) {
                Some(other) if other.c <= fact.c => Some(other.c),
                _ => from.near(terms, fact.a, fact.b),
            };
            match theirs {
                Some(c) if c <= fact.c => joined.push(*fact),
                Some(c) if !widening => {
                    changed = true;
                    if useful(terms, fact.a, fact.b, c) {
                        joined.push(Fact { c, ..*fact });
                    }
                }
                _ => changed = true,
            }
        }
        others.for_each(|other| gain(other, &mut joined));
        self.known = joined;
        if changed {
            self.joins = self.joins.saturating_add(1);
        }
        changed
    }
}

/// The `c` of `a - b <= c` that the types alone give.
fn by_types(terms: &Terms, a: Term, b: Term) -> Option<i64> {
    sum(terms.max(a), lowest(terms, b))
}

/// The `c` of `0 - b <= c` that the type gives.
fn lowest(terms: &Terms, b: Term) -> Option<i64> {
    terms.min(b)?.checked_neg()
}

/// Does `a - b <= c` say more than the types, and something that may matter?
fn useful(terms: &Terms, a: Term, b: Term, c: i64) -> bool {
    let near = a == ZERO || b == ZERO || c.unsigned_abs() < FARTHEST;
    near && by_types(terms, a, b).is_none_or(|known| c < known)
}
