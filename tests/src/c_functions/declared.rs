//! What the headers declare, and whether it agrees with the table.

use super::{Extent, Function, Outcome, Param, Role};
use crate::tools::{Job, files_below, root};
use cyc_base::SourceMap;
use cyc_check::tast::{Global, Linkage, TypedUnit};
use cyc_types::{Bound, FnTy, PtrTy, QTy, Region, Ty, TyKind};
use std::collections::HashMap;
use std::rc::Rc;

/// The C functions of all headers of the library, by their names.
pub struct Declared {
    pub unit: TypedUnit,
    pub functions: HashMap<String, (String, Rc<FnTy>)>,
}

/// Reads all headers of the library.
///
/// # Panics
/// When a header is not accepted.
pub fn declared() -> Declared {
    let include = root().join("lib/include");
    let names: Vec<String> = files_below(&include, ".h")
        .iter()
        .map(|path| path.strip_prefix(&include).unwrap_or(path).to_string_lossy().into_owned())
        .collect();
    let folder = tempfile::tempdir().expect("a scratch directory");
    let all = folder.path().join("all.cyc");
    let text: String = names.iter().map(|name| format!("#include <{name}>\n")).collect();
    std::fs::write(&all, text).expect("the scratch directory is writable");
    let ran = Job::new("cc").args(["-E", "-xc", "-D__CYCLONE__", "-I"]).arg(&include).arg(&all).run();
    assert_eq!(ran.status, 0, "{}", ran.err());
    let source = SourceMap::new("all.cyc", ran.out());
    let (unit, errors) = cyc_syntax::parse(source.text(), &cyc_syntax::Options::default());
    assert!(!errors.has_errors(), "the headers do not parse");
    let (unit, errors) = cyc_check::check_with(&unit, &source, &cyc_check::Options::default());
    assert!(!errors.has_errors(), "the headers are not accepted: {:?}", errors.iter().next());
    let here = include.to_string_lossy().into_owned() + "/";
    let mut functions = HashMap::new();
    for global in unit.globals.iter().filter(|g| is_c_function(g)) {
        let file = &source.files[source.locate(global.span).file].name;
        let TyKind::Function(ty) = unit.types.kind(global.qty.ty) else { continue };
        if let Some(header) = file.strip_prefix(&here) {
            functions.insert(full_name(global), (header.to_string(), ty.clone()));
        }
    }
    Declared { unit, functions }
}

fn is_c_function(global: &Global) -> bool {
    global.is_function && global.c_name.is_some() && global.linkage == Linkage::Extern
}

fn full_name(global: &Global) -> String {
    match global.namespace.as_str() {
        "" => global.name.as_str().to_string(),
        namespace => format!("{namespace}::{}", global.name.as_str()),
    }
}

/// What a declaration says that the table does not, or the other way round.
pub fn disagreements(function: &Function, declared: &Declared) -> Vec<String> {
    let Some((header, ty)) = declared.functions.get(&function.name) else {
        return vec!["no header declares it".into()];
    };
    let mut found = vec![];
    if *header != function.header {
        found.push(format!("it is declared in {header}"));
    }
    let judge = Judge { unit: &declared.unit, function, ty };
    match &function.params {
        None => found
            .extend(ty.params.iter().filter(|p| judge.pointer(p.ty).is_some()).map(|_| "it takes a pointer".into())),
        Some(params) if params.len() != ty.params.len() => {
            found.push(format!("it has {} parameters, here {}", ty.params.len(), params.len()));
        }
        Some(params) => {
            let each = params.iter().zip(&ty.params).enumerate();
            found.extend(each.flat_map(|(i, (param, qty))| judge.param(i as u32 + 1, param, *qty)));
        }
    }
    found.extend(judge.outcome());
    found
}

struct Judge<'a> {
    unit: &'a TypedUnit,
    function: &'a Function,
    ty: &'a FnTy,
}

impl Judge<'_> {
    fn kind(&self, ty: Ty) -> &TyKind {
        self.unit.types.kind(ty)
    }

    fn pointer(&self, ty: Ty) -> Option<PtrTy> {
        self.unit.types.as_pointer(ty)
    }

    /// Parameter `number`, counted from 1.
    fn param(&self, number: u32, param: &Param, qty: QTy) -> Vec<String> {
        let attrs = &self.ty.attrs;
        let mut found = vec![];
        let mut must = |holds: bool, what: &str| {
            if !holds {
                found.push(format!("`{}` {what}", param.name));
            }
        };
        let taken = attrs.consume.contains(&number) || attrs.noliveunique.contains(&number);
        must(taken == (param.role == Role::Takes), "is taken, or not, by its attribute");
        let overwritten = attrs.overwrites.contains(&number);
        must(overwritten == (param.role == Role::Overwrites), "is overwritten, or not, by its attribute");
        must(attrs.runs.contains(&number) == (param.role == Role::Starts), "is started, or not, by its attribute");
        let shared = attrs.shares.contains(&number);
        must(shared == (param.role == Role::Shares) || taken, "is shared, or not, by its attribute");
        let Some(pointer) = self.pointer(qty.ty) else {
            must(matches!(param.role, Role::Plain | Role::Takes), "is no pointer");
            return found;
        };
        must(param.role != Role::Plain, "is a pointer");
        must(pointer.bound == Bound::Fat || pointer.nullable == param.nullable, "may be null, or not");
        must(!param.keeps || pointer.region == Region::Heap, "is kept and need not be in the heap");
        let function = matches!(self.kind(pointer.to.ty), TyKind::Function(_));
        must(function == matches!(param.role, Role::Calls | Role::Starts), "is a function, or not");
        found.extend(self.target(param, &pointer).into_iter().map(|what| format!("`{}` {what}", param.name)));
        found
    }

    /// What a parameter points to.
    fn target(&self, param: &Param, pointer: &PtrTy) -> Vec<&'static str> {
        let to = pointer.to;
        let kind = self.kind(to.ty);
        let opaque = matches!(kind, TyKind::Datatype(_)) || !self.unit.types.is_complete(to.ty);
        let mut found = vec![];
        let mut must = |holds: bool, what| {
            if !holds {
                found.push(what);
            }
        };
        match param.role {
            Role::Reads | Role::Shares => must(to.is_const || opaque, "is only read, and not `const`"),
            Role::Writes | Role::Updates => {
                must(!to.is_const, "is written, and `const`");
                must(!matches!(kind, TyKind::Var(_)), "may have `const` parts: it is overwritten");
            }
            Role::Overwrites => must(matches!(kind, TyKind::Var(_)) && !to.is_const, "is not the caller's to choose"),
            Role::Handle => must(opaque, "is no handle: its type is known"),
            Role::Plain | Role::Passes | Role::Counts | Role::Takes | Role::Calls | Role::Starts => {}
        }
        let sized = !matches!(param.role, Role::Handle | Role::Takes | Role::Calls | Role::Starts);
        if sized {
            found.extend(self.extent(param, pointer));
        }
        found
    }

    fn extent(&self, param: &Param, pointer: &PtrTy) -> Option<&'static str> {
        let fat = pointer.bound == Bound::Fat;
        let fits = match &param.extent {
            Extent::One => pointer.bound == Bound::Thin(1) && !pointer.zeroterm,
            Extent::Fixed(n) => fat || pointer.bound == Bound::Thin(*n),
            Extent::Text => fat || pointer.zeroterm,
            Extent::Bounds => fat,
            Extent::Arguments(names) => {
                let said = names.iter().all(|name| self.function.position(name).is_some());
                let checked = fat && (self.function.raises.is_some() || param.role == Role::Passes);
                said && (checked || matches!(pointer.bound, Bound::Sized(_)))
            }
        };
        (!fits).then_some("has other bounds, or nothing is raised when they are too short")
    }

    fn outcome(&self) -> Option<String> {
        let attrs = &self.ty.attrs;
        if attrs.noreturn != (self.function.outcome == Outcome::Never) {
            return Some("it returns, or not".into());
        }
        let region = self.pointer(self.ty.ret).map(|p| p.region);
        let expected = match &self.function.outcome {
            Outcome::Never => return None,
            Outcome::Number | Outcome::Value => None,
            Outcome::Fresh(None) | Outcome::Static => Some(Region::Heap),
            Outcome::Current => Some(Region::Caller),
            Outcome::Fresh(Some(argument)) | Outcome::In(argument) => Some(self.region_of(argument)?),
        };
        (region != expected).then(|| format!("its result is in {region:?}, here in {expected:?}"))
    }

    /// The region of an argument: a pointer, or a handle.
    fn region_of(&self, argument: &str) -> Option<Region> {
        let ty = self.ty.params.get(self.function.position(argument)?)?.ty;
        match self.kind(ty) {
            TyKind::Handle(region) => Some(*region),
            _ => self.pointer(ty).map(|p| p.region),
        }
    }
}
