//! Requests: the text of each is cut into tokens, headers and a tree of parameters, looked at, and forgotten.

use crate::Numbers;
use bumpalo::Bump;
use std::cell::Cell;
use std::ops::Deref;
use std::rc::Rc;

/// Pointers to tokens, headers and parameters, of one idiom.
trait Idiom<'a>: Sized + 'a {
    type Of<T: 'a>: Deref<Target = T>;
    fn new<T: 'a>(&self, value: T) -> Self::Of<T>;
}

struct Boxes;
struct Counts;

impl<'a> Idiom<'a> for Boxes {
    type Of<T: 'a> = Box<T>;
    fn new<T: 'a>(&self, value: T) -> Box<T> {
        Box::new(value)
    }
}

impl<'a> Idiom<'a> for Counts {
    type Of<T: 'a> = Rc<T>;
    fn new<T: 'a>(&self, value: T) -> Rc<T> {
        Rc::new(value)
    }
}

impl<'a> Idiom<'a> for &'a Bump {
    type Of<T: 'a> = &'a T;
    fn new<T: 'a>(&self, value: T) -> &'a T {
        self.alloc(value)
    }
}

struct Token<'a, I: Idiom<'a>> {
    kind: i32,
    from: i32,
    to: i32,
    next: Option<I::Of<Token<'a, I>>>,
}

struct Header<'a, I: Idiom<'a>> {
    name: i32,
    value: i32,
    tokens: Option<I::Of<Token<'a, I>>>,
    next: Option<I::Of<Header<'a, I>>>,
}

struct Param<'a, I: Idiom<'a>> {
    key: i32,
    less: Link<'a, I>,
    more: Link<'a, I>,
}

type Link<'a, I> = Cell<Option<<I as Idiom<'a>>::Of<Param<'a, I>>>>;

fn tokens<'a, I: Idiom<'a>>(place: &I, numbers: &mut Numbers, n: i32) -> Option<I::Of<Token<'a, I>>> {
    let mut list = None;
    for i in 0..n {
        let kind = numbers.below(5);
        list = Some(place.new(Token { kind, from: i, to: i + numbers.below(9), next: list }));
    }
    list
}

fn headers<'a, I: Idiom<'a>>(place: &I, numbers: &mut Numbers, n: i32) -> Option<I::Of<Header<'a, I>>> {
    let mut list = None;
    for name in 0..n {
        let count = 2 + numbers.below(6);
        let tokens = tokens(place, numbers, count);
        list = Some(place.new(Header { name, value: numbers.below(100), tokens, next: list }));
    }
    list
}

fn insert<'a, I: Idiom<'a>>(place: &I, p: Option<I::Of<Param<'a, I>>>, key: i32) -> Option<I::Of<Param<'a, I>>> {
    let Some(p) = p else { return Some(place.new(Param { key, less: Cell::new(None), more: Cell::new(None) })) };
    let link = if key < p.key { &p.less } else { &p.more };
    link.set(insert(place, link.take(), key));
    Some(p)
}

fn weigh_params<'a, I: Idiom<'a>>(link: &Link<'a, I>) -> i64 {
    let Some(p) = link.take() else { return 1 };
    let sum = i64::from(p.key) + 2 * weigh_params::<I>(&p.less) + 3 * weigh_params::<I>(&p.more);
    link.set(Some(p));
    sum
}

fn weigh_headers<'a, I: Idiom<'a>>(mut list: Option<&Header<'a, I>>) -> i64 {
    let mut sum = 0;
    while let Some(header) = list {
        sum += i64::from(header.name * header.value);
        let mut at = header.tokens.as_deref();
        while let Some(token) = at {
            sum += i64::from(token.kind * (token.to - token.from));
            at = token.next.as_deref();
        }
        list = header.next.as_deref();
    }
    sum
}

fn handle<'a, I: Idiom<'a>>(place: &I, numbers: &mut Numbers) -> i64 {
    let list = headers(place, numbers, 12);
    let mut params = None;
    for _ in 0..8 {
        params = insert(place, params, numbers.below(1000));
    }
    weigh_headers::<I>(list.as_deref()) + weigh_params::<I>(&Cell::new(params)) % 1000
}

pub fn boxed(requests: usize) {
    let mut numbers = Numbers::new();
    println!("{}", (0..requests).map(|_| handle(&Boxes, &mut numbers)).sum::<i64>());
}

pub fn counted(requests: usize) {
    let mut numbers = Numbers::new();
    println!("{}", (0..requests).map(|_| handle(&Counts, &mut numbers)).sum::<i64>());
}

pub fn arena(requests: usize) {
    let mut numbers = Numbers::new();
    println!("{}", (0..requests).map(|_| handle(&&Bump::new(), &mut numbers)).sum::<i64>());
}
