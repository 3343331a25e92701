//! Structs, unions and datatypes with parameters. An instance is a definition with a list of arguments; it has an
//! identity of its own, so that two types are equal exactly if their handles are. The fields of an instance are made
//! when they are first asked for: a definition may mention ever larger instances of itself.

use crate::kind::{Aqual, Arg, Args, Size, TyParam, Var};
use crate::region::Region;
use crate::ty::*;
use std::cell::OnceCell;

#[derive(Clone, Debug)]
pub struct AggrInstance {
    def: u32,
    args: Args,
    /// Is it the definition itself, at its own parameters?
    own: bool,
    fields: OnceCell<Vec<Field>>,
}

#[derive(Clone, Debug)]
pub struct DatatypeInstance {
    def: u32,
    args: Args,
    own: bool,
    variants: OnceCell<Vec<Vec<QTy>>>,
}

impl Types {
    /// A new struct or union; the handle is its instance at its own parameters.
    pub fn declare_aggr(&mut self, aggr: Aggr) -> AggrId {
        let args = self.own_args(&aggr.params);
        let def = self.aggr_defs.len() as u32;
        self.aggr_defs.push(aggr);
        self.new_aggr(AggrInstance { def, args, own: true, fields: OnceCell::new() })
    }

    /// A new datatype; the handle is its instance at its own parameters.
    pub fn declare_datatype(&mut self, datatype: Datatype) -> DatatypeId {
        let args = self.own_args(&datatype.params);
        let def = self.datatype_defs.len() as u32;
        self.datatype_defs.push(datatype);
        self.new_datatype(DatatypeInstance { def, args, own: true, variants: OnceCell::new() })
    }

    /// The parameters of a definition, as arguments within it.
    pub fn own_args(&self, params: &[TyParam]) -> Args {
        self.intern_args(params.iter().zip(0..).map(|(param, i)| param.arg(Var::Own(i), self)).collect())
    }

    /// The variables of a function as arguments in its own body; none if they are regions only, which calls need not tell.
    pub fn params_for_themselves(&self, params: &[TyParam]) -> Args {
        if !params.iter().any(|param| param.kind.is_type()) {
            return Args::NONE;
        }
        self.intern_args(params.iter().zip(0..).map(|(param, i)| param.arg(Var::Param(i), self)).collect())
    }

    fn new_aggr(&self, instance: AggrInstance) -> AggrId {
        let id = AggrId(self.aggr_instances.len() as u32);
        self.aggr_handles.borrow_mut().insert((instance.def, instance.args), id);
        self.aggr_instances.push(Box::new(instance));
        id
    }

    fn new_datatype(&self, instance: DatatypeInstance) -> DatatypeId {
        let id = DatatypeId(self.datatype_instances.len() as u32);
        self.datatype_handles.borrow_mut().insert((instance.def, instance.args), id);
        self.datatype_instances.push(Box::new(instance));
        id
    }

    /// The same definition at other arguments.
    pub fn aggr_instance(&self, id: AggrId, args: Args) -> AggrId {
        let def = self.aggr_instances[id.0 as usize].def;
        if let Some(&known) = self.aggr_handles.borrow().get(&(def, args)) {
            return known;
        }
        self.new_aggr(AggrInstance { def, args, own: false, fields: OnceCell::new() })
    }

    /// The same definition at other arguments.
    pub fn datatype_instance(&self, id: DatatypeId, args: Args) -> DatatypeId {
        let def = self.datatype_instances[id.0 as usize].def;
        if let Some(&known) = self.datatype_handles.borrow().get(&(def, args)) {
            return known;
        }
        self.new_datatype(DatatypeInstance { def, args, own: false, variants: OnceCell::new() })
    }

    /// The definition.
    pub fn aggr(&self, id: AggrId) -> &Aggr {
        &self.aggr_defs[self.aggr_instances[id.0 as usize].def as usize]
    }

    /// The definition, to complete it. Its fields must not have been asked for at other arguments while it was incomplete;
    /// they are not kept in that case, so that nothing goes stale.
    pub fn aggr_mut(&mut self, id: AggrId) -> &mut Aggr {
        let def = self.aggr_instances[id.0 as usize].def;
        &mut self.aggr_defs[def as usize]
    }

    /// The definition.
    pub fn datatype(&self, id: DatatypeId) -> &Datatype {
        &self.datatype_defs[self.datatype_instances[id.0 as usize].def as usize]
    }

    pub fn datatype_mut(&mut self, id: DatatypeId) -> &mut Datatype {
        let def = self.datatype_instances[id.0 as usize].def;
        &mut self.datatype_defs[def as usize]
    }

    /// The definition's instance at its own parameters.
    pub fn own_aggr(&self, id: AggrId) -> AggrId {
        self.aggr_instance(id, self.own_args(&self.aggr(id).params))
    }

    /// The definition's instance at its own parameters.
    pub fn own_datatype(&self, id: DatatypeId) -> DatatypeId {
        self.datatype_instance(id, self.own_args(&self.datatype(id).params))
    }

    pub fn aggr_args(&self, id: AggrId) -> Args {
        self.aggr_instances[id.0 as usize].args
    }

    pub fn datatype_args(&self, id: DatatypeId) -> Args {
        self.datatype_instances[id.0 as usize].args
    }

    pub fn same_aggr_def(&self, a: AggrId, b: AggrId) -> bool {
        self.aggr_instances[a.0 as usize].def == self.aggr_instances[b.0 as usize].def
    }

    /// The number of the definition: equal for all instances of one datatype.
    pub fn datatype_def(&self, id: DatatypeId) -> u32 {
        self.datatype_instances[id.0 as usize].def
    }

    pub fn same_datatype_def(&self, a: DatatypeId, b: DatatypeId) -> bool {
        self.datatype_instances[a.0 as usize].def == self.datatype_instances[b.0 as usize].def
    }

    /// The fields at the instance's arguments; None while the definition is incomplete.
    pub fn fields(&self, id: AggrId) -> Option<&[Field]> {
        let instance = &self.aggr_instances[id.0 as usize];
        let fields = self.aggr_defs[instance.def as usize].fields.as_ref()?;
        if instance.own {
            return Some(fields);
        }
        let args = self.args(instance.args);
        Some(instance.fields.get_or_init(|| {
            let at = |f: &Field| QTy { ty: self.substitute_own(f.qty.ty, args), ..f.qty };
            let when = |f: &Field| f.when.map(|c| Condition { tag: self.substitute_own(c.tag, args), ..c });
            fields.iter().map(|f| Field { qty: at(f), when: when(f), ..f.clone() }).collect()
        }))
    }

    /// The components of a variant at the instance's arguments; None if there is no such variant.
    pub fn variant_fields(&self, id: DatatypeId, variant: u32) -> Option<&[QTy]> {
        let instance = &self.datatype_instances[id.0 as usize];
        let variants = &self.datatype_defs[instance.def as usize].variants;
        if instance.own {
            return variants.get(variant as usize).map(|v| &v.fields[..]);
        }
        // While variants are missing nothing is kept that would go stale.
        if !self.datatype_defs[instance.def as usize].defined {
            return None;
        }
        let args = self.args(instance.args);
        let made = instance.variants.get_or_init(|| {
            let at = |f: &QTy| QTy { ty: self.substitute_own(f.ty, args), ..*f };
            variants.iter().map(|v| v.fields.iter().map(at).collect()).collect()
        });
        made.get(variant as usize).map(|fields| &fields[..])
    }

    /// Every instance of a struct or union, definitions at their own parameters included.
    pub fn aggr_ids(&self) -> impl Iterator<Item = AggrId> + use<> {
        (0..self.aggr_instances.len() as u32).map(AggrId)
    }

    /// Every instance of a datatype, definitions at their own parameters included.
    pub fn datatype_ids(&self) -> impl Iterator<Item = DatatypeId> + use<> {
        (0..self.datatype_instances.len() as u32).map(DatatypeId)
    }

    /// Is the instance its definition at its own parameters? Then, with parameters, no object has this type.
    pub fn is_own_aggr(&self, id: AggrId) -> bool {
        self.aggr_instances[id.0 as usize].own
    }

    pub fn is_own_datatype(&self, id: DatatypeId) -> bool {
        self.datatype_instances[id.0 as usize].own
    }

    /// `regions_of(t)`: the regions that values of the type may point into (memory, section 2.4).
    pub fn regions_of(&self, ty: Ty) -> Region {
        let mut atoms = vec![];
        self.collect_regions(ty, &mut atoms);
        self.effect(atoms)
    }

    fn collect_regions(&self, ty: Ty, atoms: &mut Vec<Region>) {
        match self.kind(ty) {
            TyKind::Pointer(ptr) => {
                atoms.push(ptr.region);
                self.collect_regions(ptr.to.ty, atoms);
            }
            TyKind::Array { elem, .. } | TyKind::OpenArray { elem, .. } => self.collect_regions(elem.ty, atoms),
            TyKind::Tuple(parts) => parts.iter().for_each(|p| self.collect_regions(p.ty, atoms)),
            TyKind::Aggr(id) => self.collect_arg_regions(self.aggr_args(*id), atoms),
            TyKind::Datatype(id) | TyKind::Variant(id, _) => {
                self.collect_arg_regions(self.datatype_args(*id), atoms);
            }
            TyKind::Abstract(_, args) => self.collect_arg_regions(*args, atoms),
            TyKind::Handle(region) => atoms.push(*region),
            TyKind::Var(_) | TyKind::Infer(_) => atoms.push(Region::Of(ty)),
            TyKind::Function(function) => atoms.extend(self.effect_from_outside(function)),
            _ => {}
        }
    }

    fn collect_arg_regions(&self, args: Args, atoms: &mut Vec<Region>) {
        for arg in self.args(args) {
            match arg {
                Arg::Type(ty) => self.collect_regions(*ty, atoms),
                Arg::Region(region) => atoms.push(*region),
                Arg::Size(_) | Arg::Aqual(_) => {}
            }
        }
    }

    /// `aquals(t)`: the outermost qualifier of a type (memory, section 3.4).
    pub fn aqual_of(&self, ty: Ty) -> Aqual {
        match self.kind(ty) {
            TyKind::Pointer(ptr) => ptr.aqual,
            TyKind::Var(_) | TyKind::Infer(_) => Aqual::Of(ty),
            TyKind::Error => Aqual::Error,
            _ => Aqual::Aliasable,
        }
    }

    /// `sizeof(t)` as a type-level integer.
    pub fn size_of(&self, ty: Ty) -> Size {
        match self.layout(ty) {
            Some(layout) => Size::Const(layout.size),
            None if ty == Ty::ERROR => Size::Error,
            None => Size::SizeOf(ty),
        }
    }
}
