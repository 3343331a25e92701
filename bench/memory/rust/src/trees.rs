//! Binary trees of every depth, built, counted and freed.

use bumpalo::Bump;
use std::rc::Rc;

/// Builds and counts a kept tree of the greatest depth, and many of all depths; `count` also frees.
fn run<T>(most: u32, build: impl Fn(u32) -> T, count: impl Fn(&T) -> i32) {
    let mut total = 0i64;
    let kept = build(most);
    for depth in (4..=most).step_by(2) {
        for _ in 0..1 << (most - depth + 4) {
            total += i64::from(count(&build(depth)));
        }
    }
    println!("{total} {}", count(&kept));
}

struct Boxed(Option<(Box<Boxed>, Box<Boxed>)>);

pub fn boxed(most: u32) {
    fn build(depth: u32) -> Box<Boxed> {
        Box::new(Boxed((depth > 0).then(|| (build(depth - 1), build(depth - 1)))))
    }
    fn count(tree: &Boxed) -> i32 {
        tree.0.as_ref().map_or(1, |(l, r)| 1 + count(l) + count(r))
    }
    run(most, build, |tree| count(tree));
}

struct Counted(Option<(Rc<Counted>, Rc<Counted>)>);

pub fn counted(most: u32) {
    fn build(depth: u32) -> Rc<Counted> {
        Rc::new(Counted((depth > 0).then(|| (build(depth - 1), build(depth - 1)))))
    }
    fn count(tree: &Counted) -> i32 {
        tree.0.as_ref().map_or(1, |(l, r)| 1 + count(l) + count(r))
    }
    run(most, build, |tree| count(tree));
}

struct InArena<'a>(Option<(&'a InArena<'a>, &'a InArena<'a>)>);

pub fn arena(most: u32) {
    fn build(arena: &Bump, depth: u32) -> &InArena<'_> {
        arena.alloc(InArena((depth > 0).then(|| (build(arena, depth - 1), build(arena, depth - 1)))))
    }
    fn count(tree: &InArena) -> i32 {
        tree.0.map_or(1, |(l, r)| 1 + count(l) + count(r))
    }
    let all = Bump::new();
    let mut total = 0i64;
    let kept = build(&all, most);
    for depth in (4..=most).step_by(2) {
        for _ in 0..1 << (most - depth + 4) {
            let arena = Bump::new();
            total += i64::from(count(build(&arena, depth)));
        }
    }
    println!("{total} {}", count(kept));
}
