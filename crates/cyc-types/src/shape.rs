//! Representation by shape (docs/adr/002-polymorphism-by-shape.md): values of kind B take 4 or 8 bytes, and a polymorphic
//! function or type has one instance in C for each choice. Types that C cannot tell apart are *erased* to one.

use crate::kind::{Aqual, Arg, Args, Kind, Size, TyParam, Var};
use crate::region::Region;
use crate::ty::*;

/// How much room a value of kind B takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Shape {
    /// Four bytes: `int`, `unsigned`, enumerations.
    W4,
    /// A machine word: `long`, thin pointers, handles, tags, abstract types.
    W8,
}

impl Shape {
    /// The type that stands for all of the shape in instances: `int`, or `void *`.
    pub fn representative(self) -> Ty {
        match self {
            Shape::W4 => Ty::INT,
            Shape::W8 => Ty::WORD,
        }
    }

    /// Size in bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Shape::W4 => 4,
            Shape::W8 => 8,
        }
    }
}

impl FnTy {
    /// Does it bind variables that its C code depends on? Then a pointer to it is a table of its instances.
    pub fn is_shaped(&self) -> bool {
        self.vars.iter().any(|var| var.kind == Kind::B)
    }
}

impl Types {
    /// The shape of a type of kind B; None for other types, and for variables, whose shape an instance decides.
    pub fn shape(&self, ty: Ty) -> Option<Shape> {
        let by_bits = |int: IntTy| match int.bits() {
            32 => Some(Shape::W4),
            64 => Some(Shape::W8),
            _ => None,
        };
        match self.kind(ty) {
            TyKind::Int(int) => by_bits(*int),
            TyKind::Enum(id) => by_bits(self.enumeration(*id).underlying),
            TyKind::Pointer(ptr) => (ptr.bound != Bound::Fat).then_some(Shape::W8),
            TyKind::Tag(_) | TyKind::Handle(_) | TyKind::AqualHandle(_) => Some(Shape::W8),
            TyKind::Abstract(id, _) => (self.abstract_type(*id).kind == Kind::B).then_some(Shape::W8),
            _ => None,
        }
    }

    /// The shapes of the arguments for variables of kind B, in order.
    pub fn shapes(&self, vars: &[TyParam], args: Args) -> Vec<Shape> {
        let boxed = vars.iter().zip(self.args(args)).filter(|(var, _)| var.kind == Kind::B);
        let shape = |arg: &Arg| if let Arg::Type(ty) = arg { self.shape(*ty) } else { None };
        boxed.map(|(_, arg)| shape(arg).unwrap_or(Shape::W8)).collect()
    }

    /// Arguments that stand for all of the given shapes; what has no shape does not exist in C.
    pub fn shape_args(&self, vars: &[TyParam], shapes: &[Shape]) -> Vec<Arg> {
        let mut shapes = shapes.iter();
        let arg = |var: &TyParam| match var.kind {
            Kind::B => Arg::Type(shapes.next().copied().unwrap_or(Shape::W8).representative()),
            kind => nothing(kind),
        };
        vars.iter().map(arg).collect()
    }

    /// The type of which C has one for all types that it represents alike, where an object of the type lies within another.
    pub fn erase(&self, ty: Ty) -> Ty {
        if let Some(shape) = self.shape(ty) {
            return shape.representative();
        }
        let place = |part: &QTy| QTy { ty: self.erase(part.ty), ..*part };
        match self.kind(ty) {
            TyKind::Array { elem, len, zeroterm } => {
                self.intern(TyKind::Array { elem: place(elem), len: *len, zeroterm: *zeroterm })
            }
            TyKind::OpenArray { elem, .. } => {
                self.intern(TyKind::Array { elem: place(elem), len: None, zeroterm: false })
            }
            TyKind::Tuple(parts) => self.intern(TyKind::Tuple(parts.iter().map(place).collect())),
            TyKind::Aggr(id) => self.intern(TyKind::Aggr(self.erased_aggr(*id))),
            TyKind::Variant(id, variant) => self.intern(TyKind::Variant(self.erased_datatype(*id), *variant)),
            _ => ty,
        }
    }

    /// The instance whose C type the given one shares.
    pub fn erased_aggr(&self, id: AggrId) -> AggrId {
        let aggr = self.aggr(id);
        if aggr.params.is_empty() && aggr.exists.is_empty() {
            return id;
        }
        let given = self.args(self.aggr_args(id));
        let erased = |(i, (param, arg)): (usize, (&TyParam, &Arg))| {
            self.erased_arg(param, *arg, || self.within_aggr(id, i as u32))
        };
        let mut args: Vec<Arg> = aggr.params.iter().zip(given).enumerate().map(erased).collect();
        // What an existential struct hides is a word.
        args.extend(self.shape_args(&aggr.exists, &[]));
        self.aggr_instance(id, self.intern_args(args))
    }

    /// The instance of an existential struct as its objects lie in memory: what it hides is a word.
    pub fn packed_aggr(&self, id: AggrId) -> AggrId {
        let aggr = self.aggr(id);
        let given = self.args(self.aggr_args(id));
        if aggr.exists.is_empty() || given.len() > aggr.params.len() {
            return id;
        }
        let hidden = aggr.exists.iter().map(|var| self.hidden_arg(var, given));
        let args = given.iter().copied().chain(hidden).collect();
        self.aggr_instance(id, self.intern_args(args))
    }

    /// What stands for a hidden variable, which may be copied only if all that it can hide may be. `given`: the arguments of
    /// the struct, which its alias bound may name.
    fn hidden_arg(&self, var: &TyParam, given: &[Arg]) -> Arg {
        let bound = match var.bound {
            Aqual::Var(Var::Own(i)) => match given.get(i as usize) {
                Some(Arg::Aqual(aqual)) => *aqual,
                _ => Aqual::Restricted,
            },
            bound => bound,
        };
        match (var.kind, self.as_pointer(Ty::WORD)) {
            (Kind::B, Some(word)) if bound != Aqual::Aliasable => {
                Arg::Type(self.intern(TyKind::Pointer(PtrTy { aqual: bound, ..word })))
            }
            (Kind::Q, _) => Arg::Aqual(bound),
            (kind, _) => nothing(kind),
        }
    }

    /// The instance whose variants the given one's share in C.
    pub fn erased_datatype(&self, id: DatatypeId) -> DatatypeId {
        let datatype = self.datatype(id);
        if datatype.params.is_empty() {
            return id;
        }
        let given = self.args(self.datatype_args(id));
        let erased = |(i, (param, arg)): (usize, (&TyParam, &Arg))| {
            self.erased_arg(param, *arg, || self.within_datatype(id, i as u32))
        };
        let args = datatype.params.iter().zip(given).enumerate().map(erased).collect();
        self.datatype_instance(id, self.intern_args(args))
    }

    /// `within`: does the layout depend on the argument, if it is of kind A?
    fn erased_arg(&self, param: &TyParam, arg: Arg, within: impl Fn() -> bool) -> Arg {
        match arg {
            Arg::Type(ty) if param.kind == Kind::B || within() => Arg::Type(self.erase(ty)),
            _ => nothing(param.kind),
        }
    }

    /// Is the `param`-th parameter part of the definition's objects, other than behind a pointer?
    fn within_aggr(&self, id: AggrId, param: u32) -> bool {
        let fields = self.aggr(id).fields.as_deref().unwrap_or_default();
        fields.iter().any(|field| self.is_within(field.qty.ty, param))
    }

    fn within_datatype(&self, id: DatatypeId, param: u32) -> bool {
        let mut fields = self.datatype(id).variants.iter().flat_map(|variant| &variant.fields);
        fields.any(|field| self.is_within(field.ty, param))
    }

    /// Does an object of type `ty`, which stands in a definition, hold an object of the definition's parameter?
    fn is_within(&self, ty: Ty, param: u32) -> bool {
        let passed = |args: Args, inside: &dyn Fn(u32) -> bool| {
            let mut args = self.args(args).iter().zip(0..);
            args.any(|(arg, i)| matches!(arg, Arg::Type(ty) if self.is_within(*ty, param)) && inside(i))
        };
        match self.kind(ty) {
            TyKind::Var(Var::Own(index)) => *index == param,
            TyKind::Array { elem, .. } | TyKind::OpenArray { elem, .. } => self.is_within(elem.ty, param),
            TyKind::Tuple(parts) => parts.iter().any(|part| self.is_within(part.ty, param)),
            TyKind::Aggr(id) => passed(self.aggr_args(*id), &|i| self.within_aggr(*id, i)),
            TyKind::Variant(id, _) => passed(self.datatype_args(*id), &|i| self.within_datatype(*id, i)),
            _ => false,
        }
    }

    /// The function type at arguments for all of its variables.
    pub fn function_at(&self, function: &FnTy, args: &[Arg]) -> FnTy {
        let place = |param: &QTy| QTy { ty: self.substitute(param.ty, args), ..*param };
        let varargs = match &function.varargs {
            Varargs::Typed { elem, inject } => Varargs::Typed { elem: place(elem), inject: *inject },
            plain => plain.clone(),
        };
        FnTy {
            vars: vec![],
            ret: self.substitute(function.ret, args),
            params: function.params.iter().map(place).collect(),
            varargs,
            effect: None,
            constraints: vec![],
            attrs: function.attrs.clone(),
        }
    }
}

/// What stands for an argument that no object is made of.
fn nothing(kind: Kind) -> Arg {
    match kind {
        Kind::B => Arg::Type(Ty::WORD),
        Kind::M | Kind::A => Arg::Type(Ty::VOID),
        Kind::E => Arg::Region(Region::Heap),
        Kind::I => Arg::Size(Size::Const(0)),
        Kind::Q => Arg::Aqual(Aqual::Aliasable),
    }
}
