//! Each rule of the grammar with an accepted program and its rejected twin.

mod common;

use common::twins::TWINS;
use common::{c, cyclone, errors};

#[test]
fn accepted_twins_have_no_errors() {
    for twin in TWINS {
        let (_, diags) = cyclone(twin.accepted);
        assert_eq!(errors(twin.accepted, &diags), Vec::<String>::new(), "{}", twin.rule);
    }
}

#[test]
fn rejected_twins_have_one_error_each() {
    let mut wrong = vec![];
    for twin in TWINS {
        let (_, diags) = cyclone(twin.rejected);
        let found: Vec<_> = diags.iter().filter(|d| d.is_error()).collect();
        let right = matches!(found.as_slice(), [d] if d.code.0 == twin.code && d.message.contains(twin.says));
        if !right {
            wrong.push(format!("{} ({} {:?}): {:#?}", twin.rule, twin.code, twin.says, errors(twin.rejected, &diags)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_unit_of_no_bytes_is_a_unit() {
    let (unit, diags) = cyclone("");
    assert!(unit.items.is_empty() && diags.is_empty());
}

#[test]
fn c_code_has_c_keywords_only() {
    let text = "struct region { int new, let; } namespace; int f(int throw) { return throw + namespace.new; }";
    assert_eq!(errors(text, &c(text).1), Vec::<String>::new());
    assert!(cyclone(text).1.has_errors());
}

#[test]
fn c_only_constructs_are_read_in_c_mode() {
    let text = "_Noreturn void f(void); _Thread_local int x; _Alignas(16) char b[3]; _Atomic(int) a; _Atomic int c;\n\
        void g(int n, int x[static n], int y[*], int z[restrict]); typedef __builtin_va_list va;\n\
        int h(va ap) { return __builtin_va_arg(ap, int) + __builtin_types_compatible_p(int, long); }\n\
        int t = _Generic(1, int: 2, default: 3); int o = __builtin_offsetof(struct S, a[3].b);\n\
        int r[9] = {[1 ... 3] = 4}; int k(int x) { switch (x) { case 1 ... 3: return 1; default: ; } return 0; }\n\
        __extension__ typedef unsigned __int128 u; _Float128 q; int __attribute__((vector_size(16))) v;";
    assert_eq!(errors(text, &c(text).1), Vec::<String>::new());
}

#[test]
fn several_mistakes_are_several_errors() {
    let text = "int f() {\n  int x = ;\n  return 1\n}\nint g( { }\nint new;\nint h() { else y; goto; }\n";
    let (_, diags) = cyclone(text);
    let lines: Vec<u32> = diags.iter().map(|d| text[..d.span().lo as usize].matches('\n').count() as u32 + 1).collect();
    assert_eq!(lines, [2, 3, 5, 6, 7, 7], "{:#?}", errors(text, &diags));
}

#[test]
fn omitted_types_are_int_with_a_warning() {
    let (unit, diags) = cyclone("main() { return 0; } static x = 3;");
    assert_eq!(unit.items.len(), 2);
    assert!(!diags.has_errors());
    assert_eq!(diags.iter().map(|d| d.code.0).collect::<Vec<_>>(), ["W0002", "W0002"]);
}

#[test]
fn a_second_storage_class_is_a_warning() {
    let (_, diags) = cyclone("static extern int x;");
    assert_eq!(diags.iter().map(|d| d.code.0).collect::<Vec<_>>(), ["W0001"]);
}

#[test]
fn junk_is_a_few_errors_not_thousands() {
    let junk: String = (0..200_000u32).map(|i| char::from_u32(i * 7919 % 0xd800).unwrap_or('x')).collect();
    let (_, diags) = cyclone(&junk);
    assert!(diags.has_errors() && diags.iter().count() < 250, "{}", diags.iter().count());
}
