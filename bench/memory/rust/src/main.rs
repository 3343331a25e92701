//! `memory WORKLOAD IDIOM SIZE`: the programs of `bench/memory` in Rust. Each prints what its twins in C and Cyclone print.

mod events;
mod lists;
mod lru;
mod requests;
mod trees;

/// The pseudo-random numbers of all twins.
pub struct Numbers(u32);

impl Numbers {
    pub fn new() -> Numbers {
        Numbers(1)
    }

    /// 16 bits.
    pub fn next(&mut self) -> i32 {
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        (self.0 >> 8 & 0xffff) as i32
    }

    pub fn below(&mut self, end: i32) -> i32 {
        self.next() % end
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let size: usize = args.get(2).and_then(|n| n.parse().ok()).expect("usage: memory WORKLOAD IDIOM SIZE");
    match (args[0].as_str(), args[1].as_str()) {
        ("trees", "box") => trees::boxed(size as u32),
        ("trees", "rc") => trees::counted(size as u32),
        ("trees", "bumpalo") => trees::arena(size as u32),
        ("lists", "box") => lists::boxed(size),
        ("lists", "rc") => lists::counted(size),
        ("lists", "bumpalo") => lists::arena(size),
        ("requests", "box") => requests::boxed(size),
        ("requests", "rc") => requests::counted(size),
        ("requests", "bumpalo") => requests::arena(size),
        ("events", "box") => events::boxed(size),
        ("events", "rc") => events::counted(size),
        ("lru", "box") => lru::boxed(size),
        ("lru", "rc") => lru::counted(size),
        (workload, idiom) => panic!("no {workload} with {idiom}"),
    }
}
