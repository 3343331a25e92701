//! Checks as branches to cold calls that never return.

use crate::body::Function;
use crate::ctree::Expr;
use crate::literal;
use cyc_mir::types::is_fat;
use cyc_mir::*;

impl<'u, 'a> Function<'u, 'a> {
    pub(crate) fn check(&mut self, check: &Check) {
        let off = match &check.kind {
            CheckKind::NonNull(_) => self.cx.options.no_null_checks,
            CheckKind::Assert(_) | CheckKind::Member(_) | CheckKind::Match => false,
            _ => self.cx.options.no_bounds_checks,
        };
        if off {
            return;
        }
        let (file, line) = self.position();
        let failed = |name: &'static str, mut args: Vec<Expr>| {
            if check.why == CheckReason::Removed {
                return Expr::call("cyc_fail_removed", vec![file.clone(), line.clone()]);
            }
            args.extend([file.clone(), line.clone()]);
            Expr::call(name, args)
        };
        match &check.kind {
            CheckKind::NonNull(ptr) => {
                let ok = self.non_null(ptr);
                self.require(ok, failed("cyc_fail_null", vec![]));
            }
            CheckKind::Index { index, len } => {
                let ty = self.ty_of(index);
                let index = self.operand(index);
                let bad = self.outside(index.clone(), ty, *len);
                let len = Expr::name(format!("{len}ul"));
                self.fail_if(bad, failed("cyc_fail_index", vec![index, len]));
            }
            CheckKind::FatBounds { ptr, index, count } => {
                let coerced = check.why == CheckReason::Coercion;
                self.fat_bounds(ptr, index, *count, coerced, &failed);
            }
            CheckKind::FatOrNull { ptr, count } => {
                let size = self.elem_size(ptr);
                let count = Expr::Number(*count);
                let value = self.operand(ptr);
                let ok = Expr::call("cyc_fat_ok", vec![value.clone(), Expr::Number(0), count.clone()]);
                let some = Expr::call("cyc_fat_nonnull", vec![value.clone(), size]);
                let bad = Expr::binary("&&", ok.negated(), some);
                self.fail_if(bad, failed("cyc_fail_fat", vec![value, Expr::Number(0), count]));
            }
            CheckKind::AtBase(ptr) => {
                let value = self.operand(ptr);
                let ok = Expr::call("cyc_fat_at_base", vec![value.clone()]);
                self.require(ok, failed("cyc_fail_base", vec![value]));
            }
            CheckKind::ZeroScan { ptr, index } => {
                let name = format!("cyc_zero_scan_{}", self.zero_suffix(ptr));
                let (ptr, index) = (self.operand(ptr), self.relaxed(index));
                let ok = Expr::Call(Box::new(Expr::name(name)), vec![ptr, index.clone()]);
                self.require(ok, failed("cyc_fail_zero_scan", vec![index]));
            }
            CheckKind::ZeroStep { ptr } => {
                let ptr = self.operand(ptr);
                let ok = Expr::binary("!=", Expr::unary("*", ptr), Expr::Number(0));
                self.require(ok, failed("cyc_fail_zero_scan", vec![Expr::Number(1)]));
            }
            CheckKind::ZeroWrite { ptr, index, value } => self.zero_write(ptr, index, value, &failed),
            CheckKind::ZeroLast { index, len, value } => {
                let (index, value) = (self.operand(index), self.operand(value));
                let last = Expr::binary("==", index, Expr::Number(len.max(&1) - 1));
                let nonzero = Expr::binary("!=", value, Expr::Number(0));
                let bad = Expr::binary("&&", last, nonzero);
                self.fail_if(bad, failed("cyc_fail_zero_write", vec![]));
            }
            CheckKind::Assert(cond) => {
                let cond = self.operand(cond);
                self.require(cond, failed("cyc_fail_assert", vec![]));
            }
            CheckKind::Member(cond) => {
                let cond = self.operand(cond);
                self.require(cond, failed("cyc_fail_match", vec![]));
            }
            CheckKind::Match => {
                let fail = failed("cyc_fail_match", vec![]);
                self.expr_stmt(&fail);
            }
        }
    }

    /// Is an index not below `len`, as an unsigned number?
    fn outside(&mut self, index: Expr, ty: cyc_types::Ty, len: u64) -> Expr {
        use cyc_types::IntTy;
        let narrow = !matches!(
            literal::int_kind(self.types(), ty),
            IntTy::Long | IntTy::ULong | IntTy::LongLong | IntTy::ULongLong | IntTy::Int128 | IntTy::UInt128
        );
        let (unsigned, suffix) = if narrow && len <= 1 << 31 { ("unsigned", "u") } else { ("unsigned long", "ul") };
        let signed = self.is_signed(ty) || suffix == "ul" && narrow;
        let index = if signed { Expr::cast(unsigned.into(), index) } else { index };
        Expr::binary(">=", index, Expr::name(format!("{len}{suffix}")))
    }

    fn fat_bounds(
        &mut self,
        ptr: &Operand,
        index: &Operand,
        count: u64,
        coerced: bool,
        failed: &dyn Fn(&'static str, Vec<Expr>) -> Expr,
    ) {
        let size = self.elem_size(ptr);
        let count = Expr::Number(count);
        let (ptr, index) = (self.operand(ptr), self.relaxed(index));
        let ok = Expr::call("cyc_fat_ok", vec![ptr.clone(), index.clone(), count.clone()]);
        let fail = failed("cyc_fail_fat", vec![ptr.clone(), index, count]);
        if !coerced {
            return self.require(ok, fail);
        }
        // A coercion of null reports null.
        let null = Expr::call("cyc_fat_nonnull", vec![ptr, size]).negated();
        let fail_null = failed("cyc_fail_null", vec![]);
        self.begin();
        self.out.push_str("if (");
        self.write(&ok.negated());
        self.out.push_str(") { if (");
        self.write(&null);
        self.out.push_str(") ");
        self.write(&fail_null);
        self.out.push_str("; ");
        self.write(&fail);
        self.out.push_str("; }");
        self.end();
    }

    fn zero_write(
        &mut self,
        ptr: &Operand,
        index: &Operand,
        value: &Operand,
        failed: &dyn Fn(&'static str, Vec<Expr>) -> Expr,
    ) {
        let fat = is_fat(self.types(), self.ty_of(ptr));
        let (ptr, index, value) = (self.operand(ptr), self.relaxed(index), self.operand(value));
        let last = if fat {
            // The access has been checked: the element is the last one when no other follows it.
            let next = Expr::call("cyc_fat_add", vec![ptr, index]);
            Expr::binary("==", Expr::call("cyc_fat_numelts", vec![next]), Expr::Number(1))
        } else {
            let element = Expr::Index(Box::new(ptr), Box::new(index));
            Expr::binary("==", element, Expr::Number(0))
        };
        let nonzero = Expr::binary("!=", value, Expr::Number(0));
        let bad = Expr::binary("&&", nonzero, last);
        self.fail_if(bad, failed("cyc_fail_zero_write", vec![]));
    }

    fn require(&mut self, ok: Expr, fail: Expr) {
        self.fail_if(ok.negated(), fail);
    }

    fn fail_if(&mut self, bad: Expr, fail: Expr) {
        self.begin();
        // No `__builtin_expect`: gcc moves a branch to a cold call out of the function's hot part only
        // where no expectation fixes its probability.
        self.out.push_str("if (");
        self.write(&bad);
        self.out.push_str(") ");
        self.write(&fail);
        self.out.push(';');
        self.end();
    }
}
