//! Declarations and definitions.

use super::Printer;
use crate::ast::*;

/// The type at the bottom of pointers, arrays and functions: what the specifiers said.
fn base_of(mut ty: &Type) -> &Type {
    loop {
        ty = match &ty.kind {
            TypeKind::Pointer(pointer) => &pointer.to,
            TypeKind::Array { elem, .. } => elem,
            TypeKind::Function(function) => &function.ret,
            _ => return ty,
        };
    }
}

fn defines(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::AggrDef(_) | TypeKind::EnumDef(_) | TypeKind::DatatypeDef(_))
}

impl Printer {
    fn storage(&mut self, storage: Storage) {
        self.text(match storage {
            Storage::Auto => "auto ",
            Storage::Register => "register ",
            Storage::Static => "static ",
            Storage::Extern => "extern ",
            Storage::ExternC => "extern \"C\" ",
            Storage::Typedef => "typedef ",
            Storage::Abstract => "abstract ",
        });
    }

    fn specs(&mut self, specs: &DeclSpecs) {
        if let Some((storage, _)) = specs.storage {
            self.storage(storage);
        }
        self.text(if specs.inline { "inline " } else { "" });
        self.text(if specs.noreturn { "_Noreturn " } else { "" });
        self.text(if specs.thread_local { "_Thread_local " } else { "" });
        self.attrs(&specs.attrs);
    }

    pub(super) fn function(&mut self, function: &Function) {
        self.specs(&function.specs);
        let name = self.apart(|p| p.name(&function.name));
        self.declared(&function.ty, name);
        self.text(" ");
        self.block(&function.body);
    }

    pub(super) fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Vars { specs, base, vars } => {
                self.specs(specs);
                self.base_type(base);
                for (i, var) in vars.iter().enumerate() {
                    self.text(if i > 0 { ", " } else { " " });
                    self.init_declarator(var);
                }
                self.text(";");
            }
            Decl::Let { pattern, init, .. } => {
                self.text("let ");
                self.pattern(pattern);
                self.text(" = ");
                self.expr(init);
                self.text(";");
            }
            Decl::LetVars { names, .. } => {
                self.text("let ");
                self.list(names, ", ", |p, name| p.text(name.name.as_str()));
                self.text(";");
            }
            Decl::Region { var, name, open, .. } => {
                self.text("region");
                if let Some(var) = var {
                    self.binders(std::slice::from_ref(var));
                }
                self.text(" ");
                self.text(name.name.as_str());
                if let Some(open) = open {
                    self.wrapped(" = open(", ")", |p| p.expr(open));
                }
                self.text(";");
            }
            Decl::StaticAssert { cond, message, .. } => self.static_assert(cond, message.as_deref()),
        }
    }

    /// Attributes stand right behind the name, where they are read as the declarator's own.
    fn init_declarator(&mut self, var: &Declarator) {
        let name = self.apart(|p| {
            p.name(&var.name);
            if let Some(binders) = &var.binders {
                p.binders(binders);
            }
            p.own_attrs(&var.attrs);
        });
        let (_, text) = self.declarator(&var.ty, name);
        self.text(&text);
        if let Some(asm_name) = &var.asm_name {
            self.text(" asm(");
            self.string(asm_name);
            self.text(")");
        }
        if let Some(init) = &var.init {
            self.text(" = ");
            self.init(init);
        }
    }

    fn own_attrs(&mut self, attrs: &[Attr]) {
        if !attrs.is_empty() {
            self.text(" ");
            self.attrs(attrs);
            self.out.pop();
        }
    }

    pub(super) fn static_assert(&mut self, cond: &Expr, message: Option<&[u8]>) {
        self.text("_Static_assert(");
        self.expr_in(cond, 1);
        if let Some(message) = message {
            self.text(", ");
            self.string(message);
        }
        self.text(");");
    }

    pub(super) fn aggr_def(&mut self, def: &AggrDef) {
        self.text(if def.tagged { "@tagged " } else { "" });
        self.text(if def.is_union { "union " } else { "struct " });
        if let Some(name) = &def.name {
            self.name(name);
            self.binders(&def.params);
            self.text(" ");
        }
        self.text("{");
        if !def.existentials.is_empty() {
            self.text(" ");
            self.binders(&def.existentials);
        }
        self.constraints(&def.constraints, " : ");
        self.indent += 1;
        let mut fields = def.fields.as_slice();
        while let Some((first, rest)) = fields.split_first() {
            let base = base_of(&first.ty);
            // One definition for several fields: they were declared together.
            let together = rest
                .iter()
                .take_while(|f| f.name.is_some() && defines(base) && std::ptr::eq(base_of(&f.ty), base))
                .count();
            self.line();
            self.fields(base, &fields[..=together]);
            fields = &rest[together..];
        }
        self.indent -= 1;
        self.line();
        self.text("}");
        self.own_attrs(&def.attrs);
    }

    fn fields(&mut self, base: &Type, fields: &[FieldDecl]) {
        if fields[0].name.is_none() {
            self.attrs(&fields[0].attrs);
        }
        self.base_type(base);
        for (i, field) in fields.iter().enumerate() {
            self.text(if i > 0 { ", " } else { " " });
            if let Some(name) = field.name {
                let name = self.apart(|p| {
                    p.text(name.name.as_str());
                    p.own_attrs(&field.attrs);
                });
                let (_, text) = self.declarator(&field.ty, name);
                self.text(&text);
            }
            if let Some(requires) = &field.requires {
                self.wrapped(" @requires(", ")", |p| p.expr(requires));
            }
            if let Some(width) = &field.width {
                self.text(" : ");
                self.expr_in(width, 2);
            }
        }
        self.text(";");
    }

    pub(super) fn enum_def(&mut self, def: &EnumDef) {
        self.text("enum ");
        if let Some(name) = &def.name {
            self.name(name);
            self.text(" ");
        }
        self.text("{ ");
        self.list(&def.items, ", ", |p, item| {
            p.name(&item.name);
            if let Some(value) = &item.value {
                p.text(" = ");
                p.expr_in(value, 2);
            }
        });
        self.text(" }");
        self.own_attrs(&def.attrs);
    }

    pub(super) fn datatype_def(&mut self, def: &DatatypeDef) {
        self.text(if def.extensible { "@extensible datatype " } else { "datatype " });
        self.name(&def.name);
        self.binders(&def.params);
        self.text(" { ");
        self.list(&def.variants, "; ", |p, variant| {
            if let Some(storage) = variant.storage {
                p.storage(storage);
            }
            p.name(&variant.name);
            if !variant.params.is_empty() {
                p.wrapped("(", ")", |p| p.list(&variant.params, ", ", |p, param| p.param(param)));
            }
        });
        self.text(" }");
    }
}
