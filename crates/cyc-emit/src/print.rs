//! Printing C expressions with the parentheses that C and its compilers' warnings ask for.

use crate::ctree::Expr;
use crate::names::Locals;

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
        Expr::Number(_) | Expr::File(_) | Expr::Runtime(..) | Expr::SizeOf(_) | Expr::Compound(..) => POSTFIX,
        Expr::Negative(_) | Expr::Unary(..) | Expr::Cast(..) => UNARY,
        Expr::Binary(op, ..) => precedence(op),
    }
}

/// Operators that people misread inside others: operands that are binary get parentheses.
fn easily_misread(op: &str) -> bool {
    matches!(op, "<<" | ">>" | "&" | "^" | "|" | "&&" | "||" | "==" | "!=" | "<" | ">" | "<=" | ">=")
}

/// Writes expressions, and notes which locals they mention.
pub(crate) struct Printer<'p> {
    pub out: &'p mut String,
    pub names: &'p Locals,
    pub mentioned: &'p mut [bool],
}

impl Printer<'_> {
    pub fn expr(&mut self, e: &Expr) {
        self.at_least(e, 0);
    }

    /// An operand of `++` and the like.
    pub fn postfix_operand(&mut self, e: &Expr) {
        self.at_least(e, POSTFIX);
    }

    fn at_least(&mut self, e: &Expr, least: u8) {
        if level(e) < least {
            self.out.push('(');
            self.plain(e);
            self.out.push(')');
        } else {
            self.plain(e);
        }
    }

    fn operand(&mut self, op: &str, e: &Expr, right: bool) {
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
        self.at_least(e, least);
    }

    fn number(&mut self, mut value: u64) {
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (value % 10) as u8;
            value /= 10;
            if value == 0 {
                break;
            }
        }
        digits[at..].iter().for_each(|d| self.out.push(*d as char));
    }

    fn plain(&mut self, e: &Expr) {
        match e {
            Expr::Local(local) => {
                self.mentioned[*local as usize] = true;
                self.names.write(*local, self.out);
            }
            Expr::Atom(text) | Expr::Negative(text) => self.out.push_str(text),
            Expr::Number(value) => self.number(*value),
            Expr::File(slot) => {
                self.out.push_str("_cycF");
                self.number(*slot as u64);
            }
            Expr::Unary(op, inner) => {
                self.out.push_str(op);
                // `- -x` must not become `--x`.
                let again = matches!(**inner, Expr::Negative(_))
                    || matches!(**inner, Expr::Unary(o, _) if o == *op && o != "!");
                if again {
                    self.out.push(' ');
                }
                self.at_least(inner, UNARY);
            }
            Expr::Binary(op, a, b) => {
                self.operand(op, a, false);
                self.out.push(' ');
                self.out.push_str(op);
                self.out.push(' ');
                self.operand(op, b, true);
            }
            Expr::Cast(ty, inner) => {
                self.out.push('(');
                self.out.push_str(ty);
                self.out.push(')');
                self.at_least(inner, UNARY);
            }
            Expr::Call(function, args) => {
                self.at_least(function, POSTFIX);
                self.arguments(args);
            }
            Expr::Runtime(function, args) => {
                self.out.push_str(function);
                self.arguments(args);
            }
            Expr::Index(array, index) => {
                self.at_least(array, POSTFIX);
                self.out.push('[');
                self.expr(index);
                self.out.push(']');
            }
            Expr::Member(inner, name) => {
                match &**inner {
                    Expr::Unary("*", pointer) => {
                        self.at_least(pointer, POSTFIX);
                        self.out.push_str("->");
                    }
                    other => {
                        self.at_least(other, POSTFIX);
                        self.out.push('.');
                    }
                }
                self.out.push_str(name);
            }
            Expr::SizeOf(ty) => {
                self.out.push_str("sizeof(");
                self.out.push_str(ty);
                self.out.push(')');
            }
            Expr::Compound(ty, parts) => {
                self.out.push('(');
                self.out.push_str(ty);
                self.out.push_str("){");
                for (i, (name, value)) in parts.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    if let Some(name) = name {
                        self.out.push('.');
                        self.out.push_str(name);
                        self.out.push_str(" = ");
                    }
                    self.expr(value);
                }
                self.out.push('}');
            }
        }
    }

    fn arguments(&mut self, args: &[Expr]) {
        self.out.push('(');
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.expr(arg);
        }
        self.out.push(')');
    }
}

/// The text of an expression without locals.
pub(crate) fn constant(e: &Expr) -> String {
    let mut out = String::new();
    Printer { out: &mut out, names: &Locals::default(), mentioned: &mut [] }.expr(e);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(e: Expr) -> String {
        let mut out = String::new();
        let names = Locals::new(vec!["x".into(), "y".into()]);
        Printer { out: &mut out, names: &names, mentioned: &mut [false; 2] }.expr(&e);
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
