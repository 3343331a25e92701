//! Printing C expressions with the parentheses that C and its compilers' warnings ask for.

use crate::ctree::{Expr, Text};

const POSTFIX: u8 = 16;
const UNARY: u8 = 15;

fn precedence(op: &str) -> u8 {
    match op {
        "*" | "/" | "%" => 13,
        "+" | "-" => 12,
        "<<" | ">>" => 11,
        "<" | ">" | "<=" | ">=" => 10,
        "==" | "!=" => 9,
        "&" => 8,
        "^" => 7,
        "|" => 6,
        "&&" => 5,
        "||" => 4,
        _ => 2,
    }
}

fn level(e: &Expr) -> u8 {
    match e {
        Expr::Local(_) | Expr::Atom(_) | Expr::Call(..) | Expr::Index(..) | Expr::Member(..) => POSTFIX,
        Expr::SizeOf(_) | Expr::Compound(..) => POSTFIX,
        Expr::Negative(_) | Expr::Unary(..) | Expr::Cast(..) => UNARY,
        Expr::Binary(op, ..) => precedence(op),
    }
}

/// Operators that people misread inside others: operands that are binary get parentheses.
fn easily_misread(op: &str) -> bool {
    matches!(op, "<<" | ">>" | "&" | "^" | "|" | "&&" | "||" | "==" | "!=" | "<" | ">" | "<=" | ">=")
}

pub(crate) fn expr(out: &mut String, names: &[Text], e: &Expr) {
    at_least(out, names, e, 0);
}

/// An operand of `++` and the like.
pub(crate) fn postfix_operand(out: &mut String, names: &[Text], e: &Expr) {
    at_least(out, names, e, POSTFIX);
}

fn at_least(out: &mut String, names: &[Text], e: &Expr, least: u8) {
    if level(e) < least {
        out.push('(');
        plain(out, names, e);
        out.push(')');
    } else {
        plain(out, names, e);
    }
}

fn operand(out: &mut String, names: &[Text], op: &str, e: &Expr, right: bool) {
    let own = precedence(op);
    let confusing = match e {
        Expr::Binary(inner, ..) if easily_misread(op) => {
            let arithmetic = precedence(inner) >= 12;
            let comparison = matches!(own, 9 | 10);
            !(comparison && arithmetic) && (*inner != op || right)
        }
        _ => false,
    };
    let least = if confusing { POSTFIX } else { own + right as u8 };
    at_least(out, names, e, least);
}

fn plain(out: &mut String, names: &[Text], e: &Expr) {
    match e {
        Expr::Local(local) => out.push_str(&names[*local as usize]),
        Expr::Atom(text) | Expr::Negative(text) => out.push_str(text),
        Expr::Unary(op, inner) => {
            out.push_str(op);
            // `- -x` must not become `--x`.
            if matches!(**inner, Expr::Negative(_)) || matches!(**inner, Expr::Unary(o, _) if o == *op && o != "!") {
                out.push(' ');
            }
            at_least(out, names, inner, UNARY);
        }
        Expr::Binary(op, a, b) => {
            operand(out, names, op, a, false);
            out.push(' ');
            out.push_str(op);
            out.push(' ');
            operand(out, names, op, b, true);
        }
        Expr::Cast(ty, inner) => {
            out.push('(');
            out.push_str(ty);
            out.push(')');
            at_least(out, names, inner, UNARY);
        }
        Expr::Call(function, args) => {
            at_least(out, names, function, POSTFIX);
            list(out, names, args, '(', ')');
        }
        Expr::Index(array, index) => {
            at_least(out, names, array, POSTFIX);
            out.push('[');
            expr(out, names, index);
            out.push(']');
        }
        Expr::Member(inner, name) => {
            match &**inner {
                Expr::Unary("*", pointer) => {
                    at_least(out, names, pointer, POSTFIX);
                    out.push_str("->");
                }
                other => {
                    at_least(out, names, other, POSTFIX);
                    out.push('.');
                }
            }
            out.push_str(name);
        }
        Expr::SizeOf(ty) => {
            out.push_str("sizeof(");
            out.push_str(ty);
            out.push(')');
        }
        Expr::Compound(ty, parts) => {
            out.push('(');
            out.push_str(ty);
            out.push_str("){");
            for (i, (name, value)) in parts.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                if let Some(name) = name {
                    out.push('.');
                    out.push_str(name);
                    out.push_str(" = ");
                }
                expr(out, names, value);
            }
            out.push('}');
        }
    }
}

fn list(out: &mut String, names: &[Text], items: &[Expr], open: char, close: char) {
    out.push(open);
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        expr(out, names, item);
    }
    out.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(e: Expr) -> String {
        let mut out = String::new();
        expr(&mut out, &["x".into(), "y".into()], &e);
        out
    }

    #[test]
    fn parentheses_follow_precedence_and_association() {
        let (x, y) = (|| Expr::Local(0), || Expr::Local(1));
        assert_eq!(show(Expr::binary("-", x(), Expr::binary("-", y(), x()))), "x - (y - x)");
        assert_eq!(show(Expr::binary("-", Expr::binary("-", x(), y()), x())), "x - y - x");
        assert_eq!(show(Expr::binary("*", Expr::binary("+", x(), y()), x())), "(x + y) * x");
        assert_eq!(show(Expr::binary("&", x(), Expr::binary("==", y(), x()))), "x & (y == x)");
        assert_eq!(show(Expr::binary("<", Expr::binary("+", x(), y()), x())), "x + y < x");
        assert_eq!(show(Expr::unary("-", Expr::Negative("-1".into()))), "- -1");
        assert_eq!(show(Expr::unary("*", x()).member("f")), "x->f");
        assert_eq!(show(Expr::unary("*", Expr::unary("&", x())).member("f")), "x.f");
    }
}
