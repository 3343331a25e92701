//! Declarations of functions and variables, definitions of variables, and the program's start.

use crate::Unit;
use crate::{init, literal};
use cyc_mir::mir::{Body, Stmt, StmtKind};
use cyc_mir::tast::{Global, GlobalId, Linkage, TypedUnit};
use cyc_types::{QTy, Shape, TyKind, Types};
use std::fmt::Write;

/// Static functions that nobody mentions are left out.
pub(crate) fn is_wanted(unit: &TypedUnit, id: GlobalId) -> bool {
    let global = unit.global(id);
    global.used || (global.linkage != Linkage::Internal)
}

/// May the object lie in read-only memory?
pub(crate) fn is_const_object(types: &Types, qty: QTy) -> bool {
    match types.kind(qty.ty) {
        TyKind::Array { elem, .. } => qty.is_const || is_const_object(types, *elem),
        _ => qty.is_const,
    }
}

/// Is the function one that a C compiler would inline if it had no checks, whose failing paths count as much as others there?
pub(crate) fn is_small(unit: &TypedUnit, body: &Body) -> bool {
    const MOST: usize = 10;
    const BLOCKS: usize = 4;
    let counts = |stmt: &Stmt| match stmt.kind {
        StmtKind::Check(_) | StmtKind::Uninit(_) | StmtKind::Removed(..) => 0,
        StmtKind::EndLoan(_) | StmtKind::Dead(_) | StmtKind::CloseKey(_) => 0,
        StmtKind::Asm(_) | StmtKind::PushRegion { .. } => MOST + 1,
        _ => 1,
    };
    let size = || body.blocks.iter().flat_map(|block| &block.stmts).map(counts).sum::<usize>();
    unit.global(body.global).linkage == Linkage::Internal && body.blocks.len() <= BLOCKS && size() <= MOST
}

/// What comes before the type in a declaration.
fn storage(cx: &Unit, id: GlobalId) -> &'static str {
    let global = cx.unit.global(id);
    match (global.linkage == Linkage::Internal, global.thread_local) {
        (true, _) if global.is_function && (global.inline || cx.small.contains(&id)) => "static inline ",
        (true, false) => "static ",
        (true, true) => "static __thread ",
        (false, true) => "__thread ",
        (false, false) => "",
    }
}

/// The attributes at the end of a declaration.
fn attributes(unit: &TypedUnit, id: GlobalId) -> String {
    let global = unit.global(id);
    let mut after = String::new();
    if global.is_function && unit.types.as_function(global.qty.ty).is_some_and(|f| f.attrs.noreturn) {
        after.push_str(" __attribute__((noreturn))");
    }
    for attr in &global.attrs {
        let _ = write!(after, " __attribute__(({attr}))");
    }
    after
}

/// A function's declarator with its storage class; attributes come with the prototype.
pub(crate) fn function_head(cx: &Unit, id: GlobalId, shapes: &[Shape], params: &[&str]) -> String {
    let global = cx.unit.global(id);
    let before = storage(cx, id);
    let function = cx.function_at(id, shapes);
    let name = cx.name_at(id, shapes).into_owned();
    let consts = global.c_name.is_some() && name != "Cyc_main";
    format!("{before}{}", cx.types.function(&function, name, consts, params))
}

/// Prototypes and `extern` declarations of everything the unit mentions.
pub(crate) fn declarations(cx: &Unit) -> String {
    let mut out = String::new();
    crate::sums::tags(cx, &mut out);
    for (i, global) in cx.unit.globals.iter().enumerate() {
        let id = GlobalId(i as u32);
        let wanted = if global.linkage == Linkage::Extern { global.used } else { is_wanted(cx.unit, id) };
        if global.from_c_text || !wanted || !cx.names.declares(id) {
            continue;
        }
        if global.is_function {
            if !cx.is_shaped(id) {
                prototype(cx, id, &[], &mut out);
            }
        } else {
            variable_declaration(cx, id, global, &mut out);
        }
    }
    let mut next = 0;
    while let Some(instance) = cx.instances.get(next) {
        prototype(cx, instance.global, &instance.shapes, &mut out);
        next += 1;
    }
    out
}

fn prototype(cx: &Unit, id: GlobalId, shapes: &[Shape], out: &mut String) {
    let after = attributes(cx.unit, id);
    let head = function_head(cx, id, shapes, &[]);
    let label = asm_label(cx, id);
    let _ = writeln!(out, "{head}{label}{after};");
}

fn asm_label(cx: &Unit, id: GlobalId) -> String {
    cx.names.label(id).map_or(String::new(), |label| format!(" __asm__({})", literal::string(label.as_bytes())))
}

fn variable_declaration(cx: &Unit, id: GlobalId, global: &Global, out: &mut String) {
    let (before, after) = (storage(cx, id), attributes(cx.unit, id));
    let declared = declared(cx, global, &cx.names.global(id));
    let label = asm_label(cx, id);
    let storage = if global.linkage == Linkage::Internal { "" } else { "extern " };
    let _ = writeln!(out, "{storage}{before}{declared}{label}{after};");
}

fn declared(cx: &Unit, global: &Global, name: &str) -> String {
    if is_const_object(&cx.unit.types, global.qty) && !global.qty.is_volatile {
        cx.types.declare_constant(global.qty, name)
    } else {
        cx.types.declare(global.qty, name)
    }
}

/// Definitions of variables with their values.
pub(crate) fn variables(cx: &Unit) -> String {
    let mut out = String::new();
    for (i, global) in cx.unit.globals.iter().enumerate() {
        let id = GlobalId(i as u32);
        if global.is_function || global.linkage == Linkage::Extern || global.from_c_text || !is_wanted(cx.unit, id) {
            continue;
        }
        let before = storage(cx, id);
        let declared = declared(cx, global, &cx.names.global(id));
        match &global.init {
            Some(value) => {
                let value = init::initialiser(cx, value);
                let _ = writeln!(out, "{before}{declared} = {value};");
            }
            None => {
                let _ = writeln!(out, "{before}{declared};");
            }
        }
    }
    out
}

/// What the run time calls: Cyclone's `main` in one of its forms (core, section 12.4).
pub(crate) fn start(cx: &Unit) -> String {
    let defined = cx.unit.functions.iter().map(|f| f.global);
    let Some(main) = defined.into_iter().find(|id| &*cx.names.global(*id) == "Cyc_main") else { return String::new() };
    let Some(function) = cx.unit.types.as_function(cx.unit.global(main).qty.ty) else { return String::new() };
    let args = ["", "argc", "argc, argv"][function.params.len().min(2)];
    let is_void = matches!(cx.unit.types.kind(function.ret), TyKind::Void);
    let call = if is_void { format!("Cyc_main({args}); return 0;") } else { format!("return Cyc_main({args});") };
    format!("\nint cyc_user_main(int argc, cyc_fat argv) {{ (void)argc, (void)argv; {call} }}\n")
}
