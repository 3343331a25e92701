//! A simulation: the earliest event of a queue, a binary heap, ends and causes others, which end in another order.

use crate::Numbers;
use std::ops::Deref;
use std::rc::Rc;

const MOST: usize = 4096;

struct Load {
    weight: [i32; 6],
}

struct Event<L> {
    time: i32,
    kind: i32,
    load: Option<L>,
}

struct Queue<E>(Vec<E>);

impl<L, E: Deref<Target = Event<L>>> Queue<E> {
    fn push(&mut self, event: E) {
        let mut i = self.0.len();
        self.0.push(event);
        while i > 0 && self.0[(i - 1) / 2].time > self.0[i].time {
            self.0.swap(i, (i - 1) / 2);
            i = (i - 1) / 2;
        }
    }

    fn pop(&mut self) -> E {
        let first = self.0.swap_remove(0);
        let mut i = 0;
        loop {
            let mut least = i;
            for child in 2 * i + 1..=2 * i + 2 {
                if child < self.0.len() && self.0[child].time < self.0[least].time {
                    least = child;
                }
            }
            if least == i {
                return first;
            }
            self.0.swap(i, least);
            i = least;
        }
    }
}

fn run<L: Deref<Target = Load>, E: Deref<Target = Event<L>>>(
    steps: usize,
    new_load: impl Fn(Load) -> L,
    new_event: impl Fn(Event<L>) -> E,
) {
    let mut numbers = Numbers::new();
    let event = |numbers: &mut Numbers, now: i32| {
        let (time, kind) = (now + 1 + numbers.below(1000), numbers.below(7));
        let load = (kind < 4).then(|| new_load(Load { weight: [kind, time, 3, 4, 5, 6] }));
        new_event(Event { time, kind, load })
    };
    let mut queue = Queue(Vec::with_capacity(MOST));
    for _ in 0..MOST / 4 {
        queue.push(event(&mut numbers, 0));
    }
    let mut sum = 0i64;
    for _ in 0..steps {
        let ended = queue.pop();
        let (now, causes) = (ended.time, numbers.below(3));
        sum = (sum * 31 + i64::from(ended.kind)) % 1_000_003;
        if let Some(load) = &ended.load {
            sum += i64::from(load.weight[1] % 10);
        }
        drop(ended);
        for _ in 0..causes {
            if queue.0.len() < MOST {
                queue.push(event(&mut numbers, now));
            }
        }
        if queue.0.len() < MOST / 8 {
            queue.push(event(&mut numbers, now));
        }
    }
    println!("{sum} {}", queue.0.len());
    while !queue.0.is_empty() {
        queue.pop();
    }
}

pub fn boxed(steps: usize) {
    run(steps, Box::new, Box::new);
}

pub fn counted(steps: usize) {
    run(steps, Rc::new, Rc::new);
}
