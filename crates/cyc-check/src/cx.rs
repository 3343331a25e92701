//! The state of checking one unit: what every construct's file shares.

use crate::Options;
use crate::coerce::Instantiated;
use crate::infer::InferTable;
use crate::region::{RegionCx, ScopeKind};
use crate::scope::Names;
use crate::stmt::jumps::Jumps;
use crate::tast::{Local, LocalId, TypedUnit};
use crate::types::Binders;
use cyc_base::{Diagnostic, Diagnostics, SourceMap, Span, Symbol};
use cyc_syntax::ast::Ident;
use cyc_types::{FnTy, QTy, ScopeId, Ty, TyParam, Types, Var};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The checker of one unit. Its methods live with the construct they check, in `impl Checker` blocks.
pub struct Checker<'a> {
    pub source: &'a SourceMap,
    pub options: Options,
    /// What has been checked so far: types, globals, functions.
    pub unit: TypedUnit,
    pub diags: Diagnostics,
    pub names: Names,
    /// The function being checked. There is always one: outside functions it is an empty context
    /// whose `inside` is false, so that constant expressions and initialisers of the top level are
    /// checked by the same code.
    pub func: FnCx,
    /// The function types around the type being resolved, innermost last.
    pub(crate) binders: Binders,
    pub(crate) decls: crate::decl::DeclCx,
}

/// What is known about the function being checked.
pub struct FnCx {
    /// False at the top level, where inference regions are the heap and locals are thrown away.
    pub inside: bool,
    pub name: Symbol,
    /// Its type; None at the top level.
    pub ty: Option<Rc<FnTy>>,
    /// The result type, bound regions replaced by `Region::Param`.
    pub ret: Ty,
    pub locals: Vec<Local>,
    /// Indexed by [`ScopeId`]; number 0 is the function's own scope, with its parameters.
    pub scopes: Vec<ScopeInfo>,
    pub current: ScopeId,
    /// What `Var::Param(i)` stands for: the variables of the function, then those that patterns unpack.
    pub params: Vec<TyParam>,
    pub regions: RegionCx,
    /// What was instantiated. Judged by [`Checker::check_alias_bounds`].
    pub(crate) alias_bounds: Vec<Instantiated>,
    /// What calls overwrite as a whole. Judged by [`Checker::check_overwritten`].
    pub(crate) overwritten: Vec<(Ty, Span)>,
    /// Variables of types whose objects the function may overwrite as a whole: its callers answer for that.
    pub(crate) replaceable: Vec<Var>,
    /// Names that were reported as undeclared.
    pub undeclared: FxHashSet<Symbol>,
    /// Type variables.
    pub infer: InferTable,
    /// What patterns unpacked from existential structs.
    pub hidden: Vec<Hidden>,
    /// Labels, and what `break`, `continue` and `fallthru` leave.
    pub jumps: Jumps,
    /// The functions nested in it.
    pub(crate) nested: crate::decl::nested::NestedCx,
    /// The arguments that may be borrowed while what comes of them is used.
    pub(crate) borrows: Vec<crate::region::Borrow>,
    /// Locals declared `register`: their address may not be taken.
    pub registers: FxHashSet<LocalId>,
    /// Locals whose initialisers are being checked, and whether they mention them.
    pub initialising: Vec<(LocalId, bool)>,
}

/// A variable of [`FnCx::params`] that stands for what an existential struct hides.
#[derive(Clone, Copy, Debug)]
pub struct Hidden {
    pub index: u32,
    /// The block to whose end it means something.
    pub scope: ScopeId,
    /// The age of type inference when it was unpacked: older types may not become ones that mention it. An older
    /// variable could hold what was unpacked in an earlier round of a loop.
    pub born: u32,
    /// The pattern.
    pub span: Span,
}

/// A block, as a region.
#[derive(Clone, Debug)]
pub struct ScopeInfo {
    pub parent: Option<ScopeId>,
    /// Distance from the function's own scope.
    pub depth: u32,
    /// What `` `L `` names it: a label, or the function's name for scope 0.
    pub name: Option<Symbol>,
    /// The block with its braces; of a region, from its declaration on.
    pub span: Span,
    pub kind: ScopeKind,
}

impl FnCx {
    /// A function's context, its own scope entered; for the top level with `inside: false`.
    pub fn new(name: Symbol, inside: bool, span: Span) -> FnCx {
        FnCx {
            inside,
            name,
            ty: None,
            ret: Ty::VOID,
            locals: vec![],
            scopes: vec![ScopeInfo {
                parent: None,
                depth: 0,
                name: inside.then_some(name),
                span,
                kind: ScopeKind::Block,
            }],
            current: ScopeId(0),
            params: vec![],
            regions: RegionCx::default(),
            alias_bounds: vec![],
            overwritten: vec![],
            replaceable: vec![],
            undeclared: FxHashSet::default(),
            infer: InferTable::default(),
            hidden: vec![],
            jumps: Jumps::default(),
            nested: Default::default(),
            borrows: vec![],
            registers: FxHashSet::default(),
            initialising: vec![],
        }
    }

    /// Names of the labels, by number.
    pub(crate) fn label_names(&self) -> Vec<Symbol> {
        self.jumps.names.clone()
    }

    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    pub fn local_mut(&mut self, id: LocalId) -> &mut Local {
        &mut self.locals[id.0 as usize]
    }

    pub fn scope(&self, id: ScopeId) -> &ScopeInfo {
        &self.scopes[id.0 as usize]
    }

    /// The block whose variables are declared here: regions that were declared in it hold none.
    pub fn storage(&self) -> ScopeId {
        let mut around = self.scopes_around(self.current);
        around.find(|scope| self.scope(*scope).kind == ScopeKind::Block).unwrap_or(ScopeId(0))
    }

    /// Where the region of a scope can be named.
    pub fn extent(&self, scope: ScopeId) -> ScopeId {
        match self.scope(scope) {
            ScopeInfo { kind: ScopeKind::Borrowed, parent: Some(around), .. } => *around,
            _ => scope,
        }
    }

    /// Is `outer` the scope `inner` or one around it?
    pub fn encloses(&self, outer: ScopeId, inner: ScopeId) -> bool {
        let depth = self.scope(outer).depth;
        let mut at = inner;
        while self.scope(at).depth > depth {
            match self.scope(at).parent {
                Some(parent) => at = parent,
                None => return false,
            }
        }
        at == outer
    }
}

impl<'a> Checker<'a> {
    pub fn new(source: &'a SourceMap) -> Checker<'a> {
        Checker {
            source,
            options: Options::default(),
            unit: TypedUnit::default(),
            diags: Diagnostics::default(),
            names: Names::default(),
            func: FnCx::new(Symbol::new("the top level"), false, Span::NONE),
            binders: Binders::default(),
            decls: Default::default(),
        }
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diags.push(diagnostic);
    }

    pub fn types(&self) -> &Types {
        &self.unit.types
    }

    /// Enters a block: a scope of names and a region. `span` is the block with its braces.
    pub fn push_scope(&mut self, span: Span) -> ScopeId {
        self.push_labelled_scope(None, span)
    }

    /// As [`Checker::push_scope`]; the label, if any, names the block's region `` `L ``.
    pub fn push_labelled_scope(&mut self, label: Option<Ident>, span: Span) -> ScopeId {
        let parent = self.func.current;
        let depth = self.func.scope(parent).depth + 1;
        let id = ScopeId(self.func.scopes.len() as u32);
        self.func.scopes.push(ScopeInfo {
            parent: Some(parent),
            depth,
            name: label.map(|l| l.name),
            span,
            kind: ScopeKind::Block,
        });
        self.func.current = id;
        self.names.push();
        id
    }

    /// Leaves the current block.
    pub fn pop_scope(&mut self) {
        self.names.pop();
        if let Some(parent) = self.func.scope(self.func.current).parent {
            self.func.current = parent;
        }
    }

    /// A local the checker needs for itself; it has no name that a program could write.
    pub fn temp_local(&mut self, hint: &str, qty: QTy, span: Span) -> LocalId {
        self.add_local(Symbol::new(hint), qty, true, span)
    }

    pub(crate) fn add_local(&mut self, name: Symbol, qty: QTy, synthetic: bool, span: Span) -> LocalId {
        let id = LocalId(self.func.locals.len() as u32);
        let scope = self.func.storage();
        self.func.locals.push(Local { name, qty, scope, address_taken: false, synthetic, attrs: vec![], span });
        id
    }
}
