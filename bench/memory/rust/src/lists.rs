//! Lists of pseudo-random numbers: built, sorted by merging, summed, freed; a few times.

use crate::Numbers;
use bumpalo::Bump;
use std::cell::Cell;
use std::rc::Rc;

const LENGTH: usize = 20_000;

struct Boxed {
    v: i32,
    next: Option<Box<Boxed>>,
}

type BoxedList = Option<Box<Boxed>>;

pub fn boxed(rounds: usize) {
    fn merge(mut a: BoxedList, mut b: BoxedList) -> BoxedList {
        let mut merged: BoxedList = None;
        let mut rest = loop {
            let (mut cell, left) = match (a, b) {
                (Some(x), Some(y)) if x.v <= y.v => (x, Some(y)),
                (Some(x), Some(mut y)) => {
                    b = y.next.take();
                    y.next = merged;
                    merged = Some(y);
                    a = Some(x);
                    continue;
                }
                (x, y) => break x.or(y),
            };
            a = cell.next.take();
            b = left;
            cell.next = merged;
            merged = Some(cell);
        };
        while let Some(mut cell) = merged {
            merged = cell.next.take();
            cell.next = rest;
            rest = Some(cell);
        }
        rest
    }
    fn sort(mut list: BoxedList, n: usize) -> BoxedList {
        if n < 2 {
            return list;
        }
        let mut at = list.as_mut();
        for _ in 1..n / 2 {
            at = at.and_then(|cell| cell.next.as_mut());
        }
        let other = at.and_then(|cell| cell.next.take());
        merge(sort(list, n / 2), sort(other, n - n / 2))
    }
    let (mut numbers, mut sum) = (Numbers::new(), 0i64);
    for _ in 0..rounds {
        let mut list: BoxedList = None;
        for _ in 0..LENGTH {
            list = Some(Box::new(Boxed { v: numbers.next(), next: list }));
        }
        let mut list = sort(list, LENGTH);
        let mut at = list.as_ref();
        for i in 1.. {
            let Some(cell) = at else { break };
            sum += i % 7 * i64::from(cell.v);
            at = cell.next.as_ref();
        }
        while let Some(mut cell) = list {
            list = cell.next.take();
        }
    }
    println!("{sum}");
}

struct Counted {
    v: i32,
    next: Cell<CountedList>,
}

type CountedList = Option<Rc<Counted>>;

pub fn counted(rounds: usize) {
    fn merge(mut a: CountedList, mut b: CountedList) -> CountedList {
        let mut merged: CountedList = None;
        while let (Some(x), Some(y)) = (&a, &b) {
            let least = if x.v <= y.v { &mut a } else { &mut b };
            let Some(cell) = least.take() else { break };
            *least = cell.next.take();
            cell.next.set(merged);
            merged = Some(cell);
        }
        let mut rest = a.or(b);
        while let Some(cell) = merged {
            merged = cell.next.take();
            cell.next.set(rest);
            rest = Some(cell);
        }
        rest
    }
    /// The second half, cut off: a borrowed walk over cells whose links can change takes them out for a while.
    fn cut(cell: &Counted, n: usize) -> CountedList {
        let next = cell.next.take();
        if n == 1 {
            return next;
        }
        let other = next.as_ref().and_then(|next| cut(next, n - 1));
        cell.next.set(next);
        other
    }
    fn sort(list: CountedList, n: usize) -> CountedList {
        if n < 2 {
            return list;
        }
        let other = list.as_ref().and_then(|cell| cut(cell, n / 2));
        merge(sort(list, n / 2), sort(other, n - n / 2))
    }
    fn weigh(cell: &Counted, i: i64) -> i64 {
        let next = cell.next.take();
        let sum = i % 7 * i64::from(cell.v) + next.as_ref().map_or(0, |next| weigh(next, i + 1));
        cell.next.set(next);
        sum
    }
    let (mut numbers, mut sum) = (Numbers::new(), 0i64);
    for _ in 0..rounds {
        let mut list: CountedList = None;
        for _ in 0..LENGTH {
            list = Some(Rc::new(Counted { v: numbers.next(), next: Cell::new(list) }));
        }
        let mut list = sort(list, LENGTH);
        sum += list.as_ref().map_or(0, |cell| weigh(cell, 1));
        while let Some(cell) = list {
            list = cell.next.take();
        }
    }
    println!("{sum}");
}

struct InArena<'a> {
    v: i32,
    next: Cell<ArenaList<'a>>,
}

type ArenaList<'a> = Option<&'a InArena<'a>>;

pub fn arena(rounds: usize) {
    fn merge<'a>(mut a: ArenaList<'a>, mut b: ArenaList<'a>) -> ArenaList<'a> {
        let mut merged: ArenaList = None;
        while let (Some(x), Some(y)) = (a, b) {
            let cell = if x.v <= y.v { x } else { y };
            if x.v <= y.v {
                a = x.next.get();
            } else {
                b = y.next.get();
            }
            cell.next.set(merged);
            merged = Some(cell);
        }
        let mut rest = a.or(b);
        while let Some(cell) = merged {
            merged = cell.next.get();
            cell.next.set(rest);
            rest = Some(cell);
        }
        rest
    }
    fn sort(list: ArenaList, n: usize) -> ArenaList {
        if n < 2 {
            return list;
        }
        let mut at = list;
        for _ in 1..n / 2 {
            at = at.and_then(|cell| cell.next.get());
        }
        let other = at.and_then(|cell| cell.next.take());
        merge(sort(list, n / 2), sort(other, n - n / 2))
    }
    let (mut numbers, mut sum) = (Numbers::new(), 0i64);
    for _ in 0..rounds {
        let bump = Bump::new();
        let mut list: ArenaList = None;
        for _ in 0..LENGTH {
            list = Some(bump.alloc(InArena { v: numbers.next(), next: Cell::new(list) }));
        }
        let mut at = sort(list, LENGTH);
        for i in 1.. {
            let Some(cell) = at else { break };
            sum += i % 7 * i64::from(cell.v);
            at = cell.next.get();
        }
    }
    println!("{sum}");
}
