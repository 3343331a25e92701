//! The C functions that stand for a polymorphic one: one for each list of shapes of its variables of kind B. Instances of
//! functions with external linkage are all made where the function is defined, so that other units can call them by
//! name; the linker drops what nobody calls. Instances of static functions are made on demand.

use crate::Unit;
use crate::ctree::Text;
use cyc_mir::tast::{Global, GlobalId, Linkage};
use cyc_types::{Args, Bound, FnTy, Fold, Shape, Ty, TyKind, TyParam, Types};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

/// A function at shapes of its variables of kind B, in order; none for a function without such variables.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Instance {
    pub global: GlobalId,
    pub shapes: Rc<[Shape]>,
}

/// What has been asked for.
#[derive(Default)]
pub(crate) struct Instances {
    seen: RefCell<FxHashSet<Instance>>,
    /// In order of first mention.
    order: RefCell<Vec<Instance>>,
    /// Functions whose tables are mentioned, likewise.
    tables: RefCell<Vec<GlobalId>>,
}

impl Instances {
    fn want(&self, instance: &Instance) {
        if self.seen.borrow_mut().insert(instance.clone()) {
            self.order.borrow_mut().push(instance.clone());
        }
    }

    /// The `i`-th instance that was asked for; the list grows while bodies are emitted.
    pub fn get(&self, i: usize) -> Option<Instance> {
        self.order.borrow().get(i).cloned()
    }

    pub fn tables(&self) -> Vec<GlobalId> {
        self.tables.borrow().clone()
    }
}

/// Every list of `n` shapes, the first varying slowest: the order of a table.
fn all_shapes(n: usize) -> impl Iterator<Item = Rc<[Shape]>> {
    let shape = move |number: usize, i: usize| if number >> (n - 1 - i) & 1 == 1 { Shape::W8 } else { Shape::W4 };
    (0..1 << n).map(move |number| (0..n).map(|i| shape(number, i)).collect())
}

impl<'a> Unit<'a> {
    fn function_type(&self, id: GlobalId) -> &'a FnTy {
        let Some(function) = self.unit.types.as_function(self.unit.global(id).qty.ty) else {
            unreachable!("functions have function types")
        };
        function
    }

    /// Does the function have one C function for each choice of shapes? C's have one for all.
    pub fn is_shaped(&self, id: GlobalId) -> bool {
        !is_of_c(self.unit.global(id)) && self.function_type(id).is_shaped()
    }

    /// The instance that a call with these arguments reaches.
    fn instance(&self, id: GlobalId, args: Args) -> Instance {
        let vars = &self.function_type(id).vars;
        let shapes =
            if self.is_shaped(id) { self.unit.types.shapes(vars, args).into() } else { Rc::new([]) as Rc<[_]> };
        Instance { global: id, shapes }
    }

    /// The name of a function at arguments for its variables; without them a polymorphic one is the table of its instances.
    pub fn function_name(&self, id: GlobalId, args: Args) -> Text {
        if !self.function_type(id).is_shaped() {
            return self.names.global(id);
        }
        if args == Args::NONE {
            let mut tables = self.instances.tables.borrow_mut();
            if !tables.contains(&id) {
                tables.push(id);
                self.all_instances(id);
            }
            return self.table_name(id).into();
        }
        let instance = self.instance(id, args);
        self.instance_name(&instance)
    }

    fn instance_name(&self, instance: &Instance) -> Text {
        if !instance.shapes.is_empty() {
            self.instances.want(instance);
        }
        self.name_at(instance.global, &instance.shapes)
    }

    /// The name of a function at shapes.
    pub fn name_at(&self, id: GlobalId, shapes: &[Shape]) -> Text {
        if shapes.is_empty() {
            return self.names.global(id);
        }
        let mut name = self.names.global(id).into_owned();
        shapes.iter().for_each(|shape| {
            let _ = write!(name, "${}", shape.bytes());
        });
        name.into()
    }

    /// Asks for all instances of a polymorphic function; their names, in the order of its table.
    pub fn all_instances(&self, id: GlobalId) -> Vec<Text> {
        let n = self.function_type(id).vars.iter().filter(|var| var.kind == cyc_types::Kind::B).count();
        if !self.is_shaped(id) {
            return vec![self.names.global(id); 1 << n];
        }
        all_shapes(n).map(|shapes| self.instance_name(&Instance { global: id, shapes })).collect()
    }

    /// The position of an instance in its function's table.
    pub fn table_index(&self, vars: &[TyParam], args: Args) -> u64 {
        self.unit.types.shapes(vars, args).iter().fold(0, |index, shape| index << 1 | (*shape == Shape::W8) as u64)
    }

    fn table_name(&self, id: GlobalId) -> String {
        format!("{}$table", self.names.global(id))
    }

    /// The tables that stand for polymorphic functions as values. Units that mention the same function share one, so that
    /// its address is the same everywhere.
    pub fn tables(&self) -> String {
        let mut out = String::new();
        for id in self.instances.tables() {
            let shared = self.unit.global(id).linkage != Linkage::Internal;
            let (before, after) = if shared { ("", " __attribute__((weak))") } else { ("static ", "") };
            let entries: Vec<String> = self.all_instances(id).iter().map(|name| format!("(cyc_code){name}")).collect();
            let name = self.table_name(id);
            let n = entries.len();
            let _ = writeln!(out, "{before}const cyc_code {name}[{n}]{after} = {{{}}};", entries.join(", "));
        }
        out
    }

    /// The function's type in C at the shapes.
    pub fn function_at(&self, id: GlobalId, shapes: &[Shape]) -> Rc<FnTy> {
        let types = &self.unit.types;
        let global = self.unit.global(id);
        let Some(function) = types.as_function(global.qty.ty) else { unreachable!("functions have function types") };
        if function.vars.iter().all(|var| !var.kind.is_type()) {
            return function.clone();
        }
        if is_of_c(global) && global.linkage == Linkage::Extern {
            return Rc::new(of_c(types, function));
        }
        Rc::new(types.function_at(function, &types.shape_args(&function.vars, shapes)))
    }

    /// The function's type in C as a call with these arguments sees it.
    pub fn callee_type(&self, id: GlobalId, args: Args) -> Rc<FnTy> {
        self.function_at(id, &self.instance(id, args).shapes)
    }
}

fn is_of_c(global: &Global) -> bool {
    global.c_name.is_some() || global.from_c_text
}

/// The prototype of a function of C: a variable of kind B is a word, `void *`, and so is a pointer to any variable.
fn of_c(types: &Types, function: &FnTy) -> FnTy {
    struct Words;
    impl Fold for Words {
        fn ty(&mut self, types: &Types, ty: Ty) -> Option<Ty> {
            match types.kind(ty) {
                TyKind::Var(_) => Some(Ty::WORD),
                TyKind::Pointer(ptr) if ptr.bound != Bound::Fat && matches!(types.kind(ptr.to.ty), TyKind::Var(_)) => {
                    let to = cyc_types::QTy { ty: Ty::VOID, ..ptr.to };
                    Some(types.pointer(cyc_types::PtrTy { to, ..*ptr }))
                }
                _ => None,
            }
        }
    }
    let ty = |ty| types.fold(ty, &mut Words);
    FnTy {
        vars: vec![],
        ret: ty(function.ret),
        params: function.params.iter().map(|p| cyc_types::QTy { ty: ty(p.ty), ..*p }).collect(),
        ..function.clone()
    }
}
