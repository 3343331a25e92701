//! Programs made from the table: buffers at the limits of their sizes, and what may not be kept.

use super::{Declared, Extent, Function, Role};
use cyc_types::{Bound, FnTy, IntTy, Ty, TyKind};
use std::fmt::Write;

/// What stands before the calls: buffers of each type of element, and what the other arguments are. Objects have exactly the
/// size that they are asked for, so that sanitizers see every step beyond.
const PRELUDE: &str = include_str!("prelude.cyc");

/// One program that calls each function with a sized buffer at its limits; what it prints when all is well.
pub fn limits(table: &[Function], declared: &Declared) -> (String, String) {
    let mut program = PRELUDE.to_string();
    let mut calls = String::new();
    let mut expected = String::new();
    for function in table.iter().filter(|f| f.raises.is_some()) {
        let Some((_, ty)) = declared.functions.get(&function.name) else { continue };
        let caller = Caller { function, ty, declared };
        let name = function.name.replace("::", "_");
        let _ = writeln!(program, "\nstatic void at_limits_{name}() {{\n{}}}", caller.attempts());
        let _ = writeln!(calls, "  at_limits_{name}();\n  printf(\"{}\\n\");", function.name);
        let _ = writeln!(expected, "{}", function.name);
    }
    let _ = write!(program, "\nint main() {{\n{calls}  return 0;\n}}\n");
    (program, expected)
}

struct Caller<'a> {
    function: &'a Function,
    ty: &'a FnTy,
    declared: &'a Declared,
}

impl Caller<'_> {
    /// The positions of buffers whose size is said by arguments.
    fn buffers(&self) -> Vec<usize> {
        let sized = |i: &usize| matches!(self.function.params()[*i].extent, Extent::Arguments(_));
        (0..self.function.params().len()).filter(sized).collect()
    }

    /// The arguments that say how large the buffers are.
    fn sizes(&self) -> &[String] {
        match self.buffers().first().map(|i| &self.function.params()[*i].extent) {
            Some(Extent::Arguments(names)) => names,
            _ => &[],
        }
    }

    /// Loops over the cases of the prelude, for each buffer; and two buffers in one object, each before the other.
    fn attempts(&self) -> String {
        let buffers = self.buffers();
        let mut text = String::new();
        for &buffer in &buffers {
            let element = self.element(buffer);
            let (cases, sizes): (_, &[&str]) = match (self.sizes().len(), self.counts_in_int()) {
                (1, false) => ("counted", &["one.n"]),
                (1, true) => ("counted_in_int", &["(int)one.n"]),
                _ => ("products", &["one.n", "one.m"]),
            };
            let make = format!("one.null ? NULL : make_{element}(16) + one.offset");
            let call = self.attempt(&self.call(&[(buffer, "p")], sizes));
            let _ = writeln!(
                text,
                "  for (int i = 0; i < numelts({cases}); i++) {{\n    struct attempt one = {cases}[i];\n    {} p = {make};\n{call}  }}",
                pointer_to(element)
            );
        }
        if let &[a, b] = &buffers[..] {
            let element = self.element(a);
            let call = self.attempt(&self.call(&[(a, "p + one.offset"), (b, "p + 1 - one.offset")], &["16"]));
            let _ = writeln!(
                text,
                "  for (int i = 0; i < 2; i++) {{\n    struct attempt one = attempt{{0, i, 16, 1, 0}};\n    {} p = make_{element}(17);\n{call}  }}",
                pointer_to(element)
            );
        }
        text
    }

    /// The call with these buffers and sizes; other buffers are large enough, other arguments the prelude's.
    fn call(&self, buffers: &[(usize, &str)], sizes: &[&str]) -> String {
        let argument = |i: usize| {
            let param = &self.function.params()[i];
            if let Some((_, at)) = buffers.iter().find(|(buffer, _)| *buffer == i) {
                return (*at).to_string();
            }
            if let Some(k) = self.sizes().iter().position(|name| *name == param.name) {
                return sizes[k].to_string();
            }
            match (&param.extent, param.role, param.name.as_str()) {
                (Extent::Arguments(_), ..) => format!("make_{}(64)", self.element(i)),
                (_, Role::Plain, "sz" | "size") => "sizeof(int)".into(),
                (_, Role::Plain, "fd") => format!("fd_{}()", self.function.name),
                (.., name) => format!("some_{name}"),
            }
        };
        let mut arguments: Vec<String> = (0..self.function.params().len()).map(argument).collect();
        arguments.extend(self.function.varargs.then(|| "some_text".to_string()));
        format!("{}({})", self.function.name, arguments.join(", "))
    }

    /// The call, and whether it does what it must.
    fn attempt(&self, call: &str) -> String {
        let raised = match self.function.raises.as_deref() {
            Some("Array_bounds") => "&Array_bounds".to_string(),
            other => format!("&{}(_)", other.unwrap_or_default()),
        };
        format!(
            "    int outcome = 2;\n    try {{ {call}; outcome = 0; }} catch {{ case {raised}: outcome = 1; break; }}\n    \
             judge(\"{call}\", one, outcome);\n"
        )
    }

    /// The element of a buffer, as the prelude's names end; the caller's choice is `int`.
    fn element(&self, param: usize) -> &'static str {
        let types = &self.declared.unit.types;
        let Some(pointer) = types.as_pointer(self.ty.params[param].ty) else { return "number" };
        match types.kind(pointer.to.ty) {
            TyKind::Int(IntTy::Long) => "long",
            TyKind::Var(_) => "int",
            TyKind::Aggr(_) => "pollfd",
            _ if pointer.zeroterm => "text",
            _ => "char",
        }
    }

    fn counts_in_int(&self) -> bool {
        let count = self.sizes().first().and_then(|name| self.function.position(name));
        count.is_some_and(|i| self.ty.params[i].ty == Ty::INT)
    }
}

fn pointer_to(element: &str) -> &'static str {
    match element {
        "long" => "long ?`H",
        "int" => "int ?`H",
        "pollfd" => "struct pollfd ?`H",
        "text" => "char ?`H",
        _ => "char ?@nozeroterm `H",
    }
}

/// Programs that hand to a function that keeps it what ends before, by the names of function and parameter: a nested function
/// that uses its frame, a local object, one of a region.
pub fn keeping(table: &[Function], declared: &Declared) -> Vec<(String, String)> {
    let mut programs = vec![];
    for function in table {
        let Some((header, ty)) = declared.functions.get(&function.name) else { continue };
        for (i, param) in function.params().iter().enumerate().filter(|(_, p)| p.keeps) {
            let Some(pointer) = declared.unit.types.as_pointer(ty.params[i].ty) else { continue };
            let local = match declared.unit.types.kind(pointer.to.ty) {
                TyKind::Function(f) if f.ret == Ty::VOID => "int x = 1; void kept() { x++; }",
                TyKind::Function(_) => "int x = 1; int kept() { return x; }",
                TyKind::Datatype(_) => "region r; datatype exn @`r kept = rnew(r) Core::Failure(\"\");",
                _ if pointer.bound == Bound::Fat => "char text[4] @zeroterm = {'a', 0, 0, 0}; char ?kept = text;",
                // No program has one that ends: they are all made by C.
                _ => continue,
            };
            let others = |k: usize| if k == i { "kept" } else { "\"\"" };
            let arguments: Vec<&str> = (0..ty.params.len()).map(others).collect();
            let call = format!("{}({})", function.name, arguments.join(", "));
            let text = format!("#include <core.h>\n#include <{header}>\nvoid f() {{ {local} {call}; }}\n");
            programs.push((format!("{}, {}", function.name, param.name), text));
        }
    }
    programs
}
