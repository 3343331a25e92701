//! Generated programs as text: a header, a unit with the functions that others may call, and the main unit.

use super::expr::{Expr, Function, Value};
use super::types::Type;
use super::{PRELUDE, PRELUDE_H};
use std::fmt::Write;

pub struct Program {
    /// Names and contents of its files.
    pub files: Vec<(&'static str, String)>,
    /// What it prints.
    pub out: String,
}

fn head(function: &Function) -> String {
    let params: Vec<String> = function.params.iter().enumerate().map(|(i, ty)| ty.declare(&format!("x{i}"))).collect();
    format!("{} f{}({})", function.ret.text(), function.number, params.join(", "))
}

/// The functions that print a type and its parts.
fn printer(ty: &Type, done: &mut Vec<Type>, out: &mut String) {
    if done.contains(ty) {
        return;
    }
    let show = |part: &Type, value: &str| format!("show_{}({value});", part.word());
    let body = match ty {
        Type::Int => "printf(\"%d\", x);".into(),
        Type::Unsigned => "printf(\"%u\", x);".into(),
        Type::Long => "printf(\"%ld\", x);".into(),
        Type::Colour => "printf(\"%d\", (int)x);".into(),
        Type::Text => "printf(\"'%s'\", x);".into(),
        Type::Pair(a, b) => {
            format!("printf(\"(\"); {} printf(\" \"); {} printf(\")\");", show(a, "x->fst"), show(b, "x->snd"))
        }
        Type::Tuple(a, b) => {
            format!("printf(\"(\"); {} printf(\" \"); {} printf(\")\");", show(a, "x[0]"), show(b, "x[1]"))
        }
        Type::List(elem) => format!(
            "printf(\"[\"); for (; x != NULL; x = x->tl) {{ {} if (x->tl != NULL) printf(\" \"); }} printf(\"]\");",
            show(elem, "x->hd")
        ),
        Type::Array(elem) => format!(
            "printf(\"[\"); for (int i = 0; i < 3; i++) {{ {} if (i < 2) printf(\" \"); }} printf(\"]\");",
            show(elem, "x[i]")
        ),
        Type::Var(_) | Type::Function(..) => unreachable!("not printed"),
    };
    done.push(ty.clone());
    match ty {
        Type::Pair(a, b) | Type::Tuple(a, b) => {
            printer(a, done, out);
            printer(b, done, out);
        }
        Type::List(elem) | Type::Array(elem) => printer(elem, done, out),
        _ => {}
    }
    let _ = writeln!(out, "static void show_{}({}) {{ {body} }}", ty.word(), ty.declare("x"));
}

pub fn program(functions: &[Function], calls: &[(Type, Expr, Value)]) -> Program {
    // A static function calls any before it; one of the other unit only those of that unit.
    let mut header = String::from(PRELUDE_H);
    let (mut there, mut here) = (format!("#include \"poly.h\"\n{PRELUDE}"), String::new());
    for function in functions {
        let head = head(function);
        let body = format!(" {{ return {}; }}\n", function.body.text());
        if function.internal {
            let _ = write!(here, "static {head}{body}");
        } else {
            let _ = writeln!(header, "{head};");
            there += &(head + &body);
        }
    }
    let mut main = String::from("#include <stdio.h>\n#include \"poly.h\"\n");
    // A static function that the other unit calls has to be there too.
    let statics: String = functions.iter().filter(|f| f.internal).map(|f| format!("static {};\n", head(f))).collect();
    there = there.replacen("#include \"poly.h\"\n", &format!("#include \"poly.h\"\n{statics}"), 1);
    there += &here;
    main += &statics;
    main += &here;
    let mut done = vec![];
    calls.iter().for_each(|(ty, ..)| printer(ty, &mut done, &mut main));
    main.push_str("int main() {\n");
    let mut out = String::new();
    for (ty, expr, value) in calls {
        let _ = writeln!(main, "  show_{}({}); printf(\"\\n\");", ty.word(), expr.text());
        let _ = writeln!(out, "{}", value.shown());
    }
    main.push_str("  return 0;\n}\n");
    Program { files: vec![("poly.h", header), ("there.cyc", there), ("main.cyc", main)], out }
}
