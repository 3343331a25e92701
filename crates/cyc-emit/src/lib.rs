//! From MIR to a C tree and to C text: the only crate that knows C output.
