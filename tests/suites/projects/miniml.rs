//! `examples/projects/miniml`: the types that programs have, and what is said to those that have none.

use crate::programs::{Program, contents};
use eyewall_tests::tools::difference;

#[test]
fn programs_have_their_types() {
    let p = Program::build("miniml");
    let ran = p.run(&["examples/projects/miniml/tests/standard.ml"], b"");
    let expected = String::from_utf8(contents("examples/projects/miniml/tests/standard.types")).unwrap();
    assert_eq!((difference(&expected, &ran.out()), ran.status), (String::new(), 0), "{}", ran.err());
    for (program, types) in [
        ("", ""),
        ("1", "- : int\n"),
        ("fun x -> fun y -> (y, [x])", "- : 'a -> 'b -> 'b * 'a list\n"),
        ("fun f -> fun g -> f (g, g) :: []", "- : ('a * 'a -> 'b) -> 'a -> 'b list\n"),
        ("let f = fun x -> x in (f 1, f \"a\")", "- : int * string\n"),
        ("fun x -> let y = x in (y, y)", "- : 'a -> 'a * 'a\n"),
        ("fun x -> let f = fun y -> x in (f 1, f true)", "- : 'a -> 'a * 'a\n"),
        ("let rec f x = f x", "val f : 'a -> 'b\n"),
        ("(* a (* nested *) comment *) \"a \\\" b\"", "- : string\n"),
        ("1 + 2 * 3 < 4 && not (true || false)", "- : bool\n"),
    ] {
        let ran = p.run(&[], program.as_bytes());
        assert_eq!((ran.out().as_str(), ran.status), (types, 0), "{program}: {}", ran.err());
    }
}

#[test]
fn mistakes_have_a_line_and_a_reason() {
    let p = Program::build("miniml");
    for (program, message) in [
        ("fun x -> x x", "1:10: this has the type 'a, and would have to be 'a -> 'b, which has no end"),
        ("1 + true", "1:5: this has the type bool, but int is expected"),
        ("let f x = x in\n  f 1 \"a\"", "2:3: this has the type int, but string -> 'a is expected"),
        ("if 1 then 2 else 3", "1:4: this has the type int, but bool is expected"),
        ("if true then 2 else \"3\"", "1:21: this has the type string, but int is expected"),
        ("[1; \"a\"]", "this has the type"),
        ("\n\n  y", "3:3: nothing has the name `y`"),
        ("let rec f x = f", "'a -> 'b"),
        ("fun f -> (f 1, f true)", "1:18: this has the type bool, but int is expected"),
        ("match 1 with \"a\" -> 1", "1:7: this has the type int, but string is expected"),
        ("let (f, g) = fun x -> x", "'a -> 'a, but 'b * 'c is expected"),
        ("(1", "1:3: `)` is expected"),
        ("\"abc", "the string does not end"),
        ("(* a", "the comment does not end"),
        ("let rec (a, b) = 1", "1:9: only a name can be a function"),
        ("let x =", "an expression is expected"),
        ("1 \u{a7}", "1:3: this character means nothing"),
    ] {
        let ran = p.run(&[], program.as_bytes());
        assert!(ran.status == 1 && ran.err().contains(message), "{program}: {}{}", ran.out(), ran.err());
        assert_eq!(ran.err().lines().count(), 1, "{}", ran.err());
    }
}

/// Programs that are nested deeply, long, or whose types are exponentially large end in a message.
#[test]
fn hostile_programs_end_in_a_message() {
    let p = Program::build("miniml");
    let pairs = |n: usize| -> String {
        (1..n).fold("let p0 = fun x -> (x, x)\n".into(), |text, i| {
            format!("{text}let p{i} = fun x -> p{} (p{} x)\n", i - 1, i - 1)
        })
    };
    for program in [
        "(".repeat(100_000),
        "[".repeat(100_000),
        "fun x -> ".repeat(100_000) + "1",
        "1 + ".repeat(100_000) + "1",
        "1 :: ".repeat(100_000) + "[]",
        "f ".repeat(100_000),
        "let f ".to_string() + &"x ".repeat(100_000) + "= 1",
        pairs(30),
    ] {
        let ran = p.run(&[], program.as_bytes());
        assert!(ran.status == 1 && ran.err().lines().count() == 1, "{}: {}", ran.status, ran.err());
    }
    // A long program of short declarations is none of these.
    let ran = p.run(&[], "let f x = x;;\n".repeat(20_000).as_bytes());
    assert_eq!((ran.status, ran.out().lines().count()), (0, 20_000), "{}", ran.err());
}
