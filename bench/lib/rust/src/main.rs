//! The operations of `cargo xtask bench lib` with the standard library of Rust: OPERATION N.

use std::collections::{BTreeMap, HashMap, LinkedList};
use std::fs::File;
use std::io::{BufWriter, Write};

struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as i64
    }
}

fn hash(n: i64, numbers: &mut Numbers) -> i64 {
    let mut t = HashMap::new();
    for i in 0..n {
        t.entry(numbers.next() % (2 * n)).or_insert(i);
    }
    let mut sum: i64 = (0..2 * n).filter_map(|i| t.get(&i)).sum();
    for i in 0..n {
        t.remove(&i);
    }
    sum += (0..2 * n).filter(|i| t.contains_key(i)).count() as i64;
    sum
}

fn dict(n: i64, numbers: &mut Numbers) -> i64 {
    let mut d = BTreeMap::new();
    for i in 0..n {
        d.insert(numbers.next() % (2 * n), i);
    }
    let sum: i64 = (0..2 * n).filter_map(|i| d.get(&i)).sum();
    for i in 0..n / 2 {
        d.remove(&i);
    }
    sum.wrapping_add(checksum(d.iter().map(|(k, v)| k ^ v)))
}

fn checksum(values: impl Iterator<Item = i64>) -> i64 {
    values.fold(0i64, |sum, x| sum.wrapping_mul(31).wrapping_add(x))
}

/// Linked lists have no sort: through a vector, as their users do.
fn list(n: i64, numbers: &mut Numbers) -> i64 {
    let mut l = LinkedList::new();
    for _ in 0..n {
        l.push_front(numbers.next());
    }
    let mut all: Vec<i64> = l.into_iter().collect();
    all.sort();
    let l: LinkedList<i64> = all.into_iter().collect();
    checksum(l.into_iter())
}

fn array(n: i64, numbers: &mut Numbers) -> i64 {
    let mut a: Vec<i64> = (0..n).map(|_| numbers.next()).collect();
    a.sort_unstable();
    checksum(a.into_iter())
}

const WORDS: [&str; 4] = ["region ", "unique ", "counted ", "heap "];

fn text(n: i64, numbers: &mut Numbers) -> String {
    let mut b = String::new();
    for i in 0..n {
        b.push_str(WORDS[(numbers.next() & 3) as usize]);
        if i & 7 == 0 {
            b.push('\n');
        }
    }
    b
}

/// The places may overlap, so each search begins one byte behind the last.
fn search(n: i64, numbers: &mut Numbers) -> i64 {
    let text = text(n, numbers);
    let mut found = 0;
    for _ in 0..10 {
        let mut from = 0;
        while let Some(at) = text[from..].find("unique counted heap") {
            found += 1;
            from += at + 1;
        }
        from = 0;
        while let Some(at) = text[from..].find('\n') {
            found += 1;
            from += at + 1;
        }
    }
    found
}

fn print(n: i64, numbers: &mut Numbers) -> std::io::Result<i64> {
    /// Counts what goes through it.
    struct Counted(BufWriter<File>, i64);
    impl Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.1 += bytes.len() as i64;
            self.0.write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            self.0.flush()
        }
    }
    let mut f = Counted(BufWriter::new(File::create("/dev/null")?), 0);
    for i in 0..n {
        let x = (numbers.next() & 0xffff) as i32;
        writeln!(f, "{i}: {}{x:5x} {:.3}", WORDS[(x & 3) as usize], f64::from(x) / 8.0)?;
    }
    f.flush()?;
    Ok(f.1)
}

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let n = args[2].parse().expect("a number");
    let mut numbers = Numbers(42);
    let result = match args[1].as_str() {
        "hash" => hash(n, &mut numbers),
        "dict" => dict(n, &mut numbers),
        "list" => list(n, &mut numbers),
        "array" => array(n, &mut numbers),
        "build" => text(n, &mut numbers).len() as i64,
        "search" => search(n, &mut numbers),
        _ => print(n, &mut numbers)?,
    };
    println!("{result}");
    Ok(())
}
