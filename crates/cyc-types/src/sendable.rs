//! What may move to another thread, and what several threads may read at once (memory, section 14.2; ADR 5).
//!
//! A value may move when nobody who stays behind can reach what it leads to: numbers, and unique pointers to such values. An
//! aliasable pointer never moves, whatever it points to: `const` is a view, behind which others may write, and a pointer
//! into the heap passes for one into any region. What C code makes safe for threads moves and is shared by its address.

use crate::kind::{Aqual, Var};
use crate::region::Region;
use crate::ty::*;
use crate::visit::Part;
use rustc_hash::FxHashSet;

/// Why a value may not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// A pointer that others may hold too.
    Aliased,
    /// A pointer to what is written to, while others read it.
    Written,
    Counted,
    /// A unique pointer into a region that may end before the thread does.
    ShortLived,
    /// A function: what it touches is not known where it is called.
    Code,
    /// A handle: one thread at a time allocates in a region.
    Handle,
    /// A type variable, of which nothing is known.
    Variable,
    /// A type that is not defined here, or that is hidden.
    Hidden,
    /// An extensible datatype, whose constructors are not all known.
    Extensible,
}

/// The part of a type that stands in the way, and how one comes to it: fields' names, outermost first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hindrance {
    pub obstacle: Obstacle,
    pub ty: Ty,
    pub path: Vec<String>,
}

/// One judgement, while the parts of a type are gone through.
struct Judge<'a> {
    types: &'a Types,
    /// Variables that stand for types that pass.
    trusted: &'a [Var],
    /// Is it about reading by several threads, rather than moving?
    sharing: bool,
    /// Are functions known by other means?
    code: bool,
    /// Asked before, with the same regions owned: that answer stands or falls with the whole.
    seen: FxHashSet<(Ty, Vec<Region>)>,
    path: Vec<String>,
    /// Regions that are not known yet and must turn out to be the heap.
    heap: Vec<Region>,
}

impl Types {
    /// What keeps values of the type from moving to another thread. `trusted`: variables of sendable types.
    pub fn unsendable(&self, ty: Ty, trusted: &[Var]) -> Option<Hindrance> {
        self.judge(false, false, trusted).part(ty, &[]).err()
    }

    /// The regions, not known while a function is checked, that must be the heap if values of the type are to move.
    pub fn must_be_heap(&self, ty: Ty) -> Vec<Region> {
        let mut judge = self.judge(false, false, &[]);
        let _ = judge.part(ty, &[]);
        judge.heap
    }

    /// What keeps several threads from reading a value of the type at once, where none writes to its place. `trusted`:
    /// variables of types that admit it. `code`: functions do, too.
    pub fn unshareable(&self, ty: Ty, trusted: &[Var], code: bool) -> Option<Hindrance> {
        self.judge(true, code, trusted).part(ty, &[]).err()
    }

    fn judge<'a>(&'a self, sharing: bool, code: bool, trusted: &'a [Var]) -> Judge<'a> {
        Judge { types: self, trusted, sharing, code, seen: FxHashSet::default(), path: vec![], heap: vec![] }
    }

    /// The type variables that occur in a type.
    pub fn variables(&self, ty: Ty) -> Vec<Var> {
        let mut found = vec![];
        self.any_part(ty, &mut |part| {
            if let Part::Type(ty) = part
                && let TyKind::Var(var) = self.kind(ty)
            {
                found.push(*var);
            }
            false
        });
        found
    }

    /// Is a pointer to the type safe to use from several threads: has C code a lock behind it?
    pub fn is_thread_safe(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Aggr(id) if self.aggr(*id).thread_safe)
    }

    /// Is the type that of the object behind a dynamic region's key?
    fn is_key_object(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Aggr(id) if self.aggr(*id).name.as_str() == "Core::DynamicRegion")
    }
}

impl Judge<'_> {
    fn fail(&self, ty: Ty, obstacle: Obstacle) -> Result<(), Hindrance> {
        Err(Hindrance { obstacle, ty, path: self.path.clone() })
    }

    /// `owned`: regions whose unique keys move together with the value.
    fn part(&mut self, ty: Ty, owned: &[Region]) -> Result<(), Hindrance> {
        if !self.seen.insert((ty, owned.to_vec())) {
            return Ok(());
        }
        match self.types.kind(ty).clone() {
            TyKind::Void
            | TyKind::Bool
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Complex(_)
            | TyKind::Enum(_)
            | TyKind::Tag(_)
            | TyKind::AqualHandle(_)
            | TyKind::Error => Ok(()),
            TyKind::Pointer(ptr) => self.pointer(ty, &ptr, owned),
            TyKind::Array { elem, .. } | TyKind::OpenArray { elem, .. } => self.part(elem.ty, owned),
            TyKind::Tuple(parts) => {
                let types: Vec<Ty> = parts.iter().map(|part| part.ty).collect();
                self.all(types.into_iter().enumerate().map(|(i, ty)| (i.to_string(), ty)), owned)
            }
            TyKind::Aggr(id) => self.aggregate(ty, id, owned),
            TyKind::Datatype(id) if self.types.datatype(id).extensible => self.fail(ty, Obstacle::Extensible),
            TyKind::Datatype(id) => {
                let variants = 0..self.types.datatype(id).variants.len() as u32;
                variants.into_iter().try_for_each(|variant| self.variant(ty, id, variant, owned))
            }
            TyKind::Variant(id, variant) => self.variant(ty, id, variant, owned),
            TyKind::Function(_) if self.code => Ok(()),
            TyKind::Function(_) => self.fail(ty, Obstacle::Code),
            TyKind::Var(var) if self.trusted.contains(&var) => Ok(()),
            TyKind::Var(Var::Own(_)) => self.fail(ty, Obstacle::Hidden),
            TyKind::Var(_) | TyKind::Infer(_) => self.fail(ty, Obstacle::Variable),
            TyKind::Handle(_) => self.fail(ty, Obstacle::Handle),
            TyKind::Abstract(..) | TyKind::VaList => self.fail(ty, Obstacle::Hidden),
        }
    }

    fn pointer(&mut self, ty: Ty, ptr: &PtrTy, owned: &[Region]) -> Result<(), Hindrance> {
        if matches!(self.types.kind(ptr.to.ty), TyKind::Function(_)) {
            return self.part(ptr.to.ty, owned);
        }
        if self.sharing {
            return match self.types.is_thread_safe(ptr.to.ty) {
                true => Ok(()),
                false if !ptr.to.is_const => self.fail(ty, Obstacle::Written),
                false => self.part(ptr.to.ty, owned),
            };
        }
        let in_heap = matches!(ptr.region, Region::Heap | Region::Infer(_));
        let owned_here = owned.contains(&ptr.region);
        let is_open = matches!(ptr.region, Region::Infer(_)) && !owned_here;
        let safe = self.types.is_thread_safe(ptr.to.ty);
        if is_open && (ptr.aqual == Aqual::Unique || (ptr.aqual == Aqual::Aliasable && safe)) {
            self.heap.push(ptr.region);
        }
        match ptr.aqual {
            Aqual::Aliasable if safe && in_heap => Ok(()),
            Aqual::Unique if !in_heap && !owned_here => self.fail(ty, Obstacle::ShortLived),
            Aqual::Unique if safe || self.types.is_key_object(ptr.to.ty) => Ok(()),
            Aqual::Unique => self.part(ptr.to.ty, owned),
            Aqual::Refcnt | Aqual::Autoreleased => self.fail(ty, Obstacle::Counted),
            _ => self.fail(ty, Obstacle::Aliased),
        }
    }

    fn all(&mut self, parts: impl Iterator<Item = (String, Ty)>, owned: &[Region]) -> Result<(), Hindrance> {
        for (name, ty) in parts {
            self.path.push(name);
            self.part(ty, owned)?;
            self.path.pop();
        }
        Ok(())
    }

    /// A struct that holds the unique key of a region holds the region: unique pointers into it move along. (Others may have
    /// come from outside: what outlives a region passes for what lies in it.)
    fn aggregate(&mut self, ty: Ty, id: AggrId, owned: &[Region]) -> Result<(), Hindrance> {
        let Some(fields) = self.types.fields(id) else { return self.fail(ty, Obstacle::Hidden) };
        let mut owned = owned.to_vec();
        if !self.types.aggr(id).exists.is_empty() {
            // What it hides has names of its own, which must not be taken for those of a struct around it.
            let own = |part: Part| matches!(part, Part::Region(Region::Own(_)));
            if self.types.any_arg(self.types.aggr_args(id), &mut { own }) {
                return self.fail(ty, Obstacle::Hidden);
            }
            owned.clear();
        }
        owned.extend(fields.iter().filter_map(|field| self.keyed(field.qty.ty)));
        owned.sort_unstable();
        owned.dedup();
        let name = |field: &Field| field.name.map_or(String::new(), |name| name.to_string());
        self.all(fields.iter().map(|field| (name(field), field.qty.ty)), &owned)
    }

    /// The region whose unique key a value of the type is.
    fn keyed(&self, ty: Ty) -> Option<Region> {
        let ptr = self.types.as_pointer(ty)?;
        let TyKind::Aggr(id) = self.types.kind(ptr.to.ty) else { return None };
        let is_key = ptr.aqual == Aqual::Unique && self.types.is_key_object(ptr.to.ty);
        match self.types.args(self.types.aggr_args(*id)).first() {
            Some(crate::Arg::Region(region)) if is_key => Some(*region),
            _ => None,
        }
    }

    fn variant(&mut self, ty: Ty, id: DatatypeId, variant: u32, owned: &[Region]) -> Result<(), Hindrance> {
        let Some(fields) = self.types.variant_fields(id, variant) else { return self.fail(ty, Obstacle::Hidden) };
        let name = self.types.datatype(id).variants[variant as usize].name;
        self.all(fields.iter().map(|field| (name.to_string(), field.ty)), owned)
    }
}
