//! A cache of bounded size: what was not asked for longest makes room. Its values have many sizes.

use crate::Numbers;
use std::ops::Deref;
use std::rc::Rc;

const SLOTS: usize = 4096;
const BUCKETS: usize = 8192;
const KEYS: i32 = 24_000;

/// Slots are chained twice, by index: in their bucket, and by age, newest first, in a ring around slot 0.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: i32,
    newer: u32,
    older: u32,
    chain: u32,
}

struct Cache<V> {
    slots: Vec<Slot>,
    values: Vec<Option<V>>,
    buckets: Vec<u32>,
    used: usize,
}

impl<V: Deref<Target = [i32]> + FromIterator<i32>> Cache<V> {
    fn find(&self, key: i32) -> usize {
        let mut at = self.buckets[key as usize % BUCKETS] as usize;
        while at != 0 && self.slots[at].key != key {
            at = self.slots[at].chain as usize;
        }
        at
    }

    fn unlink_age(&mut self, at: usize) {
        let Slot { newer, older, .. } = self.slots[at];
        self.slots[newer as usize].older = older;
        self.slots[older as usize].newer = newer;
    }

    fn link_newest(&mut self, at: usize) {
        let older = self.slots[0].older;
        self.slots[at].newer = 0;
        self.slots[at].older = older;
        self.slots[older as usize].newer = at as u32;
        self.slots[0].older = at as u32;
    }

    fn forget(&mut self, at: usize) {
        let bucket = self.slots[at].key as usize % BUCKETS;
        if self.buckets[bucket] as usize == at {
            self.buckets[bucket] = self.slots[at].chain;
        } else {
            let mut before = self.buckets[bucket] as usize;
            while self.slots[before].chain as usize != at {
                before = self.slots[before].chain as usize;
            }
            self.slots[before].chain = self.slots[at].chain;
        }
        self.unlink_age(at);
    }

    fn fetch(&mut self, key: i32) -> usize {
        let at = match self.used < SLOTS {
            true => {
                self.used += 1;
                self.used
            }
            false => self.slots[0].newer as usize,
        };
        if self.values[at].is_some() {
            self.forget(at);
        }
        self.values[at] = Some((0..2 + key % 37).map(|i| key + i).collect());
        let bucket = key as usize % BUCKETS;
        self.slots[at].key = key;
        self.slots[at].chain = self.buckets[bucket];
        self.buckets[bucket] = at as u32;
        self.link_newest(at);
        at
    }
}

fn run<V: Deref<Target = [i32]> + FromIterator<i32>>(asked: usize) {
    let values = (0..=SLOTS).map(|_| None).collect();
    let mut cache: Cache<V> =
        Cache { slots: vec![Slot::default(); SLOTS + 1], values, buckets: vec![0; BUCKETS], used: 0 };
    let (mut numbers, mut sum, mut hits) = (Numbers::new(), 0i64, 0i64);
    for i in 0..asked {
        let key = if numbers.below(4) != 0 { numbers.below(KEYS / 4) } else { numbers.below(KEYS) };
        let mut at = cache.find(key);
        if at != 0 {
            hits += 1;
            cache.unlink_age(at);
            cache.link_newest(at);
        } else {
            at = cache.fetch(key);
        }
        if let Some(value) = &cache.values[at] {
            sum += i64::from(value[i % value.len()]);
        }
    }
    println!("{sum} {hits}");
}

pub fn boxed(asked: usize) {
    run::<Box<[i32]>>(asked);
}

pub fn counted(asked: usize) {
    run::<Rc<[i32]>>(asked);
}
