//! `examples/projects/compress` and `spell`, against ncompress and the tools of the shell.

use crate::programs::{FILES, Program, contents, random_lines};
use eyewall_tests::tools::{Job, need};
use std::collections::HashSet;

#[test]
fn compress_exchanges_files_with_ncompress() {
    need("uncompress.real", "ncompress").unwrap();
    let p = Program::build("compress");
    let mut rng = fastrand::Rng::with_seed(8);
    let noise: Vec<u8> = (0..300_000).map(|_| rng.u8(..)).collect();
    let mut mixed = contents("LICENSE-APACHE").repeat(8);
    mixed.extend(&noise);
    mixed.extend(contents("Cargo.lock"));
    let inputs =
        [vec![], b"a".to_vec(), b"abababababababababab".to_vec(), vec![0; 100_000], contents("README.md"), mixed];
    for input in &inputs {
        for bits in ["10", "12", "13", "16"] {
            let ours = p.run(&["-b", bits], input);
            assert_eq!(ours.status, 0, "{}", ours.err());
            // ncompress does not take a file for compressed that holds nothing.
            if !input.is_empty() {
                let theirs = Job::new("uncompress.real").arg("-c").stdin(ours.stdout.clone()).run();
                assert!(theirs.stdout == *input, "ncompress reads another text ({bits} bits): {}", theirs.err());
            }
            assert!(p.run(&["-d"], &ours.stdout).stdout == *input, "{bits} bits, there and back");
            let theirs = Job::new("compress").args(["-f", "-c", "-b", bits]).stdin(input.clone()).run();
            let back = p.run(&["-d"], &theirs.stdout);
            assert!(back.stdout == *input, "what ncompress wrote ({bits} bits): {}", back.err());
        }
    }
    let text = &inputs[4];
    assert!(p.run(&[], text).stdout.len() < text.len() * 2 / 3, "it does not compress");
}

/// Damaged files end in a message, or in another text, but never badly.
#[test]
fn damaged_files_are_refused() {
    let p = Program::build("compress");
    for wrong in [
        b"" as &[u8],
        b"\x1f",
        b"\x1f\x9d",
        b"\x1f\x8b\x90abc",
        b"\x1f\x9d\x88abc",
        b"\x1f\x9d\x9fabc",
        b"\x1f\x9d\x90\xff\xff\xff",
    ] {
        let ran = p.run(&["-d"], wrong);
        assert!(ran.status == 1 && ran.err().contains("damaged"), "{wrong:?}: {} {}", ran.status, ran.err());
    }
    let good = p.run(&[], &contents("LICENSE-APACHE")).stdout;
    let mut rng = fastrand::Rng::with_seed(9);
    for _ in 0..40 {
        let mut bad = good.clone();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(3..bad.len());
            bad[at] = rng.u8(..);
        }
        bad.truncate(rng.usize(3..=bad.len()));
        let ran = p.run(&["-d"], &bad);
        assert!(ran.status <= 1 && !ran.timed_out, "{}: {}", ran.status, ran.err());
    }
}

const LIST: &str = "/usr/share/dict/words";

#[test]
fn spell_finds_what_is_not_in_the_list() {
    need_list();
    let p = Program::build("spell");
    let list = std::fs::read_to_string(LIST).unwrap();
    let known: HashSet<&str> = list.lines().collect();
    let is_known = |word: &str| known.contains(word) || known.contains(word.to_ascii_lowercase().as_str());
    for file in FILES {
        let text = contents(file);
        let wrong: Vec<String> = words(&String::from_utf8_lossy(&text)).into_iter().filter(|w| !is_known(w)).collect();
        let ran = p.run(&["-l", file], b"");
        assert_eq!(ran.out().lines().collect::<Vec<_>>(), wrong, "{file}");
        assert_eq!(ran.status, i32::from(!wrong.is_empty()));
    }
    assert_eq!(p.run(&[], b"These words are all spelt right, aren't they?\n").out(), "");
    let out = p.run(&[], b"I\nrecieve teh lettres").out();
    assert!(out.contains("-:2: recieve: did you mean receive?\n"), "{out}");
    assert_eq!(out.lines().count(), 3, "{out}");
    assert_eq!(p.run(&["-d", "no/such/list"], b"").status, 2);
}

/// No word of the list is nearer than the one that is proposed.
#[test]
fn spell_proposes_a_nearest_word() {
    need_list();
    let p = Program::build("spell");
    let list = std::fs::read_to_string(LIST).unwrap();
    let known: Vec<&str> = list.lines().step_by(40).collect();
    let folder = tempfile::tempdir().unwrap();
    let short = folder.path().join("list");
    std::fs::write(&short, known.join("\n")).unwrap();
    let text = random_lines(10, 60, |rng| {
        let mut word: Vec<char> = rng.choice(&known).unwrap().chars().filter(char::is_ascii_alphabetic).collect();
        for _ in 0..rng.usize(1..3) {
            let at = rng.usize(0..=word.len());
            match rng.u8(..3) {
                0 => word.insert(at, rng.lowercase()),
                1 if at < word.len() => word[at] = rng.lowercase(),
                _ if at + 1 < word.len() => word.swap(at, at + 1),
                _ => {}
            }
        }
        word.into_iter().collect::<String>().to_lowercase()
    });
    let ran = p.run(&["-d", &short.display().to_string()], &text);
    let mut proposals = 0;
    for line in ran.out().lines() {
        let word = line.split(": ").nth(1).expect("the word");
        let least = known.iter().map(|k| distance(word, k)).min().unwrap();
        match line.strip_suffix('?').and_then(|line| line.split("did you mean ").nth(1)) {
            Some(near) => {
                proposals += 1;
                assert_eq!(distance(word, near), least, "{line}");
            }
            None => assert!(least > 2, "{line}: there is one at {least}"),
        }
    }
    assert!(proposals > 20, "{}", ran.out());
}

fn need_list() {
    assert!(std::path::Path::new(LIST).exists(), "`{LIST}` is not installed: apt-get install wamerican");
}

/// As the program takes words.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![];
    let bytes = text.as_bytes();
    let letter = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_alphabetic);
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while letter(at) || (at > start && bytes[at..].starts_with(b"'") && letter(at + 1)) {
            at += 1;
        }
        if at > start {
            words.push(text[start..at].to_string());
        }
        at += usize::from(at == start);
    }
    words
}

/// The whole table, as the definition has it.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            d[i][j] = match (i, j) {
                (0, j) => j,
                (i, 0) => i,
                _ => {
                    let replaced = d[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let mut least = replaced.min(d[i - 1][j] + 1).min(d[i][j - 1] + 1);
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        least = least.min(d[i - 2][j - 2] + 1);
                    }
                    least
                }
            };
        }
    }
    d[a.len()][b.len()]
}
