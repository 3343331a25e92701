//! Reads files (or its own generated program) and prints diagnostics and lines per second of processor time:
//! `cargo run --release -p cyc-syntax --example speed [--c] [FILE…]`.

use cyc_syntax::{Mode, Options, lex, parse};

/// Seconds of processor time of this thread: other processes on the machine do not count.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// A program of about 100,000 lines in the style of the examples.
fn generated() -> String {
    let mut text = String::from("typedef unsigned long size_t;\n");
    for i in 0..6_000 {
        text += &format!(
            "struct Entry{i} {{\n  const char ?key;\n  int count;\n  struct Entry{i} *next;\n}};\n\
             static int hash{i}(const char ?s, int n) {{\n  unsigned h = 5381;\n\
             \x20 for (int i = 0; i < n; i++) {{\n    h = h * 33 + s[i];\n  }}\n\
             \x20 if (h > 1000 && n != 0) {{\n    return (int)(h % 1000);\n  }}\n\
             \x20 return (int)(h & 0x3ff) + n * 2 - {i};\n}}\n\n"
        );
    }
    text
}

fn main() {
    let mut options = Options::default();
    let mut files: Vec<(String, String)> = vec![];
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--c" => options.mode = Mode::C,
            path => match std::fs::read_to_string(path) {
                Ok(text) => files.push((path.into(), text)),
                Err(error) => eprintln!("{path}: {error}"),
            },
        }
    }
    if files.is_empty() {
        files.push(("generated".into(), generated()));
    }
    for (path, text) in &files {
        let lines = text.lines().count() as f64;
        let mut best = [f64::MAX; 2];
        let rounds = if text.len() > 100_000 { 7 } else { 1 };
        for _ in 0..rounds {
            let start = cpu_seconds();
            let (tokens, _) = lex(text);
            best[0] = best[0].min(cpu_seconds() - start);
            let start = cpu_seconds();
            let (unit, diags) = parse(text, &options);
            best[1] = best[1].min(cpu_seconds() - start);
            std::hint::black_box((&tokens, &unit));
            if rounds == 1 {
                for d in diags.iter() {
                    let line = text[..d.span().lo as usize].matches('\n').count() + 1;
                    println!("{path}:{line}: {} {} [{}]", d.code.0, d.message, d.labels[0].text);
                }
            } else if let Some(first) = diags.iter().find(|d| d.is_error()) {
                println!("{path}: {first:?}");
            }
        }
        if rounds > 1 {
            println!("{path}: {lines} lines; lex {:.0}, lex+parse {:.0} lines/s", lines / best[0], lines / best[1]);
        }
    }
}
