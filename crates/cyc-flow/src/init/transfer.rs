//! The effect of each instruction on the initialisation state, step by step as the judgement in the
//! parent module says.

use super::Init;
use super::state::{Root, State, Val};
use crate::{errors, place};
use cyc_base::Span;
use cyc_mir::mir::*;
use cyc_types::{Ty, TyKind};

/// Uses, dereferences and escapes of one uninitialised variable are one mistake.
const UNINITIALISED: u32 = 700;

/// Where a place lies, as far as it is tracked.
enum Spot {
    /// A part of a tracked object. `exact`: the whole of that part, not an element within it.
    Tracked { root: Root, path: Vec<u32>, exact: bool },
    /// Memory of which only initialised values are known.
    Memory,
}

impl Init<'_> {
    pub(super) fn transfer(&mut self, body: &Body, state: &mut State, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assign(place, rvalue) => {
                let (val, ty) = self.rvalue(body, state, rvalue, span);
                self.store(body, state, place, val, ty, span);
            }
            StmtKind::Uninit(local) => {
                state.escaped.remove(&Root::Local(*local));
                state.set(Root::Local(*local), Val::Uninit(Some(*local)));
            }
            StmtKind::Check(check) => self.check(body, state, check, span),
            StmtKind::Call { dst, callee, args } => self.call(body, state, dst.as_ref(), callee, args, span),
            StmtKind::Alloc(alloc) => {
                for operand in alloc.count.iter().chain(&alloc.region) {
                    self.consume(body, state, operand, span);
                }
                let root = Root::Site(self.sites.get(&std::ptr::from_ref(stmt)).copied().unwrap_or(u32::MAX));
                let tracked = alloc.count.is_none() && !alloc.zero && root != Root::Site(u32::MAX);
                let val = if tracked {
                    state.forget(root);
                    state.set(root, Val::Uninit(None));
                    Val::Addr(root)
                } else {
                    Val::Init
                };
                let ty = place::type_of(self.unit, body, &alloc.dst);
                self.store(body, state, &alloc.dst, val, ty, span);
            }
            StmtKind::Swap(a, b) => {
                for place in [a, b] {
                    self.consume(body, state, &Operand::Copy(place.clone()), span);
                }
            }
            StmtKind::Asm(asm) => {
                for (_, _, operand) in &asm.inputs {
                    self.consume(body, state, operand, span);
                }
                for (_, _, place) in &asm.outputs {
                    let ty = place::type_of(self.unit, body, place);
                    self.store(body, state, place, Val::Init, ty, span);
                }
            }
            // The member's value has been stored, and stands for the whole union.
            StmtKind::SetTag(..) => {}
            StmtKind::PushRegion { handle, .. } => state.set(Root::Local(*handle), Val::Init),
            StmtKind::OpenKey { key, handle } => {
                self.consume(body, state, &Operand::Copy(key.clone()), span);
                state.set(Root::Local(*handle), Val::Init);
            }
            StmtKind::PopHandler(_) | StmtKind::PopRegion(_) | StmtKind::CloseKey(_) | StmtKind::Removed(..) => {}
        }
    }

    fn check(&mut self, body: &Body, state: &mut State, check: &Check, span: Span) {
        if let (CheckKind::NonNull(Operand::Copy(pointer)), CheckReason::Deref | CheckReason::Subscript) =
            (&check.kind, check.why)
        {
            let val = self.operand(body, state, &Operand::Copy(pointer.clone()), span);
            if matches!(val, Val::Uninit(_)) {
                self.follow(body, state, val, None, pointer, span);
            }
        }
        check.kind.for_each_operand(&mut |operand| self.test(body, state, operand, span));
    }

    fn call(
        &mut self,
        body: &Body,
        state: &mut State,
        dst: Option<&Place>,
        callee: &Callee,
        args: &[Operand],
        span: Span,
    ) {
        let function = match callee {
            Callee::Direct(global, _) => Some(self.unit.global(*global).qty.ty),
            Callee::Pointer(operand) => {
                self.consume(body, state, operand, span);
                let ty = place::operand_type(self.unit, body, operand);
                self.unit.types.as_pointer(ty).map(|ptr| ptr.to.ty)
            }
            Callee::Builtin(_) => None,
        };
        let attrs =
            function.and_then(|ty| self.unit.types.as_function(ty)).map(|f| f.attrs.clone()).unwrap_or_default();
        for (i, arg) in args.iter().enumerate() {
            if attrs.initializes.contains(&(i as u32 + 1)) {
                self.initialised_by_callee(body, state, arg, span);
            } else {
                self.consume(body, state, arg, span);
            }
        }
        if let Some(dst) = dst {
            let ty = place::type_of(self.unit, body, dst);
            self.store(body, state, dst, Val::Init, ty, span);
        }
    }

    /// An argument whose target the callee initialises.
    fn initialised_by_callee(&mut self, body: &Body, state: &mut State, arg: &Operand, span: Span) {
        match self.operand(body, state, arg, span) {
            Val::Addr(root) => {
                state.set(root, Val::Init);
                state.escaped.insert(root);
            }
            Val::Uninit(_) | Val::Agg(_) => self.consume(body, state, arg, span),
            Val::Init => {}
        }
    }

    // ------------------------------------------------------------ places

    /// Follows a place; reports dereferences of uninitialised pointers.
    fn spot(&mut self, body: &Body, state: &mut State, place: &Place, span: Span) -> Spot {
        let mut ty = place::base_type(self.unit, body, place.base);
        let mut spot = match place.base {
            Base::Local(local) => Spot::Tracked { root: Root::Local(local), path: vec![], exact: true },
            Base::Global(_) => Spot::Memory,
        };
        for (i, proj) in place.proj.iter().enumerate() {
            spot = match (proj, spot) {
                (Proj::Field(part), Spot::Tracked { root, mut path, exact }) => {
                    // A union is one place.
                    if exact && !place::parts(self.unit, ty).is_empty() {
                        path.push(*part);
                    }
                    Spot::Tracked { root, path, exact }
                }
                (Proj::Element(index), Spot::Tracked { root, path, .. }) => {
                    self.test(body, state, index, span);
                    Spot::Tracked { root, path, exact: false }
                }
                (Proj::Deref(index), Spot::Tracked { root, path, .. }) => {
                    let val = state.value_at(root, &path);
                    let so_far = Place { base: place.base, proj: place.proj[..i].to_vec() };
                    self.follow(body, state, val, index.as_ref(), &so_far, span)
                }
                (Proj::Element(index) | Proj::Deref(Some(index)), Spot::Memory) => {
                    self.test(body, state, index, span);
                    Spot::Memory
                }
                (Proj::Variant(..), _) | (_, Spot::Memory) => Spot::Memory,
            };
            ty = place::step(self.unit, ty, proj);
        }
        spot
    }

    /// What a pointer with this abstract value points to.
    fn follow(
        &mut self,
        body: &Body,
        state: &mut State,
        val: Val,
        index: Option<&Operand>,
        pointer: &Place,
        span: Span,
    ) -> Spot {
        if let Some(index) = index {
            self.test(body, state, index, span);
        }
        let first = matches!(index, None | Some(Operand::Const(Const::Int(0, _))));
        match val {
            Val::Addr(root) if first => Spot::Tracked { root, path: vec![], exact: true },
            Val::Addr(_) => {
                self.escape(body, state, &val, pointer, span);
                Spot::Memory
            }
            Val::Uninit(origin) => {
                let name = self.name_of(body, origin, pointer);
                let declaration = origin.map(|local| body.locals[local.0 as usize].span);
                let key = origin.or(base_local(pointer));
                self.report(UNINITIALISED, key, || errors::uninitialised_deref(span, &name, declaration));
                Spot::Memory
            }
            Val::Init | Val::Agg(_) => Spot::Memory,
        }
    }

    fn name_of(&self, body: &Body, origin: Option<Local>, place: &Place) -> Option<String> {
        let of_origin = || body.locals[origin?.0 as usize].name.map(|name| name.to_string());
        place::describe(self.unit, body, place).or_else(of_origin)
    }

    fn store(&mut self, body: &Body, state: &mut State, place: &Place, val: Val, ty: Ty, span: Span) {
        match self.spot(body, state, place, span) {
            Spot::Tracked { root, path, exact: true } if !state.escaped.contains(&root) => {
                let root_type = self.root_type(body, root);
                state.set_at(self.unit, root, root_type, &path, val);
            }
            _ => self.require(body, state, &val, ty, place, span),
        }
    }

    // ------------------------------------------------------------ values

    /// The abstract value of an operand: a copy, which asks for nothing.
    fn operand(&mut self, body: &Body, state: &mut State, operand: &Operand, span: Span) -> Val {
        let Operand::Copy(place) = operand else { return Val::Init };
        match self.spot(body, state, place, span) {
            Spot::Memory => Val::Init,
            Spot::Tracked { root, path, exact } => {
                let val = state.value_at(root, &path);
                if val.has_uninit() {
                    self.read_early(root);
                }
                // Elements of arrays are not followed: of pointers all must be initialised; numbers are taken
                // as they are, since a loop that fills them is the usual case.
                let ty = place::type_of(self.unit, body, place);
                match (exact, val) {
                    (true, val) => val,
                    (false, val) if val.has_uninit() && !self.unit.types.bits_only(ty) => Val::Uninit(val.origin()),
                    (false, _) => Val::Init,
                }
            }
        }
    }

    /// The variable's `Uninit` instruction must stay.
    fn read_early(&mut self, root: Root) {
        if let Root::Local(local) = root {
            self.frozen.insert(local);
        }
    }

    /// A use that looks at the value but keeps no pointer from it.
    pub(super) fn test(&mut self, body: &Body, state: &mut State, operand: &Operand, span: Span) {
        let val = self.operand(body, state, operand, span);
        let ty = place::operand_type(self.unit, body, operand);
        self.require_whole(body, state, &val, ty, operand, span);
    }

    /// A use that may keep the value and everything reachable from it.
    pub(super) fn consume(&mut self, body: &Body, state: &mut State, operand: &Operand, span: Span) {
        let val = self.operand(body, state, operand, span);
        let ty = place::operand_type(self.unit, body, operand);
        self.require_whole(body, state, &val, ty, operand, span);
        if let Operand::Copy(place) = operand {
            self.escape(body, state, &val, place, span);
        }
    }

    fn require_whole(&mut self, body: &Body, state: &State, val: &Val, ty: Ty, operand: &Operand, span: Span) {
        let Operand::Copy(place) = operand else { return };
        let origin = val.origin();
        if !state.whole(self.unit, val, ty) {
            let name = self.name_of(body, origin, place);
            let declaration = origin.map(|local| body.locals[local.0 as usize].span);
            self.report(UNINITIALISED, origin.or(base_local(place)), || {
                errors::not_initialised(span, &name, declaration)
            });
        } else if let (Val::Uninit(Some(local)), TyKind::Int(_) | TyKind::Float(_) | TyKind::Bool | TyKind::Enum(_)) =
            (val, self.unit.types.kind(ty))
        {
            let declaration = &body.locals[local.0 as usize];
            if let Some(name) = declaration.name {
                self.report(1701, Some(*local), || errors::uninitialised_bits(span, name.as_str(), declaration.span));
            }
        }
    }

    /// A value that goes into memory: initialised, and what it points to escapes.
    fn require(&mut self, body: &Body, state: &mut State, val: &Val, ty: Ty, into: &Place, span: Span) {
        let origin = val.origin();
        if !state.whole(self.unit, val, ty) {
            let name = origin.and_then(|local| body.locals[local.0 as usize].name).map(|n| n.to_string());
            let declaration = origin.map(|local| body.locals[local.0 as usize].span);
            self.report(UNINITIALISED, origin.or(base_local(into)), || {
                errors::not_initialised(span, &name, declaration)
            });
        }
        self.escape(body, state, val, into, span);
    }

    fn escape(&mut self, body: &Body, state: &mut State, val: &Val, place: &Place, span: Span) {
        let unit = self.unit;
        let sites = self.site_types.clone();
        let type_of = |root: Root| match root {
            Root::Local(local) => body.locals[local.0 as usize].qty.ty,
            Root::Site(site) => sites[site as usize],
        };
        if let Err(origin) = state.escape(unit, val, &type_of) {
            let name = match origin {
                Some(local) => body.locals[local.0 as usize].name.map(|n| n.to_string()),
                None => place::describe(unit, body, place).map(|n| format!("*{n}")),
            };
            let declaration = origin.map(|local| body.locals[local.0 as usize].span);
            self.report(UNINITIALISED, origin.or(base_local(place)), || {
                errors::escapes_uninitialised(span, &name, declaration)
            });
        }
    }

    // ------------------------------------------------------------ right-hand sides

    /// The abstract value of a right-hand side, and its type as far as storing it needs it.
    fn rvalue(&mut self, body: &Body, state: &mut State, rvalue: &Rvalue, span: Span) -> (Val, Ty) {
        match rvalue {
            Rvalue::Use(operand) => {
                (self.operand(body, state, operand, span), place::operand_type(self.unit, body, operand))
            }
            Rvalue::Retype(operand, ty) => (self.retype(body, state, operand, *ty, span), *ty),
            Rvalue::Instantiate(operand, _, ty) => {
                self.consume(body, state, operand, span);
                (Val::Init, *ty)
            }
            Rvalue::AddrOf(place, ty) => (self.address(body, state, place, span), *ty),
            Rvalue::Aggregate(ty, fields) => (self.aggregate(body, state, *ty, fields, span), *ty),
            Rvalue::Array(ty, elements) => {
                elements.iter().for_each(|element| self.consume(body, state, element, span));
                (Val::Init, *ty)
            }
            Rvalue::PtrCompare(_, a, b) | Rvalue::PtrDiff(a, b) => {
                self.test(body, state, a, span);
                self.test(body, state, b, span);
                (Val::Init, Ty::INT)
            }
            Rvalue::IsNonNull(a) | Rvalue::FatNumelts(a) | Rvalue::PtrToInt(a, _) => {
                self.test(body, state, a, span);
                (Val::Init, Ty::INT)
            }
            Rvalue::Unary(_, a, ty) | Rvalue::Arith(a, _, ty) => {
                self.test(body, state, a, span);
                (Val::Init, *ty)
            }
            Rvalue::Binary(_, a, b, ty) => {
                self.test(body, state, a, span);
                self.test(body, state, b, span);
                (Val::Init, *ty)
            }
            Rvalue::ThinAdd { ptr, index, .. } | Rvalue::FatAdd { ptr, index, .. } => {
                self.consume(body, state, ptr, span);
                self.test(body, state, index, span);
                (Val::Init, place::operand_type(self.unit, body, ptr))
            }
            Rvalue::FatMake { ptr, len, ty } => {
                self.consume(body, state, ptr, span);
                self.test(body, state, len, span);
                (Val::Init, *ty)
            }
            Rvalue::FatFromZeroterm(a, ty)
            | Rvalue::FatToThin(a, ty)
            | Rvalue::FatDropZero(a, ty)
            | Rvalue::FatToBytes(a, ty) => {
                self.consume(body, state, a, span);
                (Val::Init, *ty)
            }
            Rvalue::ZeroNumelts(a) => {
                self.consume(body, state, a, span);
                (Val::Init, Ty::ULONG)
            }
            Rvalue::IsVariant(place, ..) => {
                self.inspect(body, state, place, span);
                (Val::Init, Ty::INT)
            }
            Rvalue::Tag(place) => {
                self.inspect(body, state, place, span);
                (Val::Init, Ty::UINT)
            }
            Rvalue::Bytes(ty, _) | Rvalue::Wides(ty, _) => (Val::Init, *ty),
        }
    }

    /// The tag at a place is looked at: what lies there must be initialised.
    fn inspect(&mut self, body: &Body, state: &mut State, place: &Place, span: Span) {
        self.test(body, state, &Operand::Copy(place.clone()), span);
    }

    /// The address stays known where the target's type stays the same.
    fn retype(&mut self, body: &Body, state: &mut State, operand: &Operand, ty: Ty, span: Span) -> Val {
        let val = self.operand(body, state, operand, span);
        let target = self.unit.types.as_pointer(ty).map(|ptr| ptr.to.ty);
        match val {
            Val::Addr(root) if target == Some(self.root_type(body, root)) => Val::Addr(root),
            Val::Init => Val::Init,
            _ => {
                self.consume(body, state, operand, span);
                Val::Init
            }
        }
    }

    /// `&place`. The address of a whole variable is followed; of a part, the whole must be initialised
    /// and escapes, unless the part is mere bits.
    fn address(&mut self, body: &Body, state: &mut State, place: &Place, span: Span) -> Val {
        let Spot::Tracked { root, path, exact } = self.spot(body, state, place, span) else { return Val::Init };
        let val = state.value_at(root, &path);
        if val.has_uninit() {
            self.read_early(root);
        }
        let ty = place::type_of(self.unit, body, place);
        if self.unit.types.bits_only(ty) {
            if path.is_empty() && exact && matches!(root, Root::Local(_)) {
                state.set(root, Val::Init);
            }
            return Val::Init;
        }
        if path.is_empty() && exact {
            return Val::Addr(root);
        }
        self.escape(body, state, &Val::Addr(root), place, span);
        Val::Init
    }

    fn aggregate(&mut self, body: &Body, state: &mut State, ty: Ty, fields: &[(u32, Operand)], span: Span) -> Val {
        let parts = place::parts(self.unit, ty).len();
        if parts == 0 {
            fields.iter().for_each(|(_, field)| self.consume(body, state, field, span));
            return Val::Init;
        }
        let mut vals = vec![Val::Init; parts];
        for (i, field) in fields {
            let val = self.operand(body, state, field, span);
            if let Some(slot) = vals.get_mut(*i as usize) {
                *slot = val;
            }
        }
        if vals.iter().all(|val| *val == Val::Init) { Val::Init } else { Val::Agg(vals) }
    }
}

fn base_local(place: &Place) -> Option<Local> {
    match place.base {
        Base::Local(local) => Some(local),
        Base::Global(_) => None,
    }
}
