//! Work on all processors.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Cuts `numbers` into pieces of at most `size` and calls `work` with each, `jobs` at a time; what it found, in the order
/// in which it did.
pub fn pieces<T: Send>(
    numbers: Range<u64>,
    size: u64,
    jobs: usize,
    work: impl Fn(Range<u64>) -> Vec<T> + Sync,
) -> Vec<T> {
    let next = AtomicU64::new(numbers.start);
    let found = Mutex::new(vec![]);
    let worker = || {
        loop {
            let from = next.fetch_add(size, Ordering::Relaxed);
            if from >= numbers.end {
                return;
            }
            let some = work(from..(from + size).min(numbers.end));
            found.lock().expect("no worker panics").extend(some);
        }
    };
    std::thread::scope(|scope| (0..jobs).for_each(|_| drop(scope.spawn(worker))));
    found.into_inner().expect("no worker panics")
}

/// As many jobs as the machine has processors, or as `EYEWALL_JOBS` says: suites that run beside others have one.
pub fn processors() -> usize {
    let told = std::env::var("EYEWALL_JOBS").ok().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
    told.unwrap_or_else(machine)
}

fn machine() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// The range `A..B` that the environment variable holds; `usual` where it is not set.
///
/// # Panics
/// When it holds something else.
pub fn range_of(variable: &str, usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var(variable) else { return usual };
    range(&text).unwrap_or_else(|| panic!("{variable} is A..B"))
}

/// `A..B`.
pub fn range(text: &str) -> Option<Range<u64>> {
    text.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?))
}
