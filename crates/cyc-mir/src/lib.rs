//! The control-flow graph with explicit checks, and its lowering from the typed tree.
