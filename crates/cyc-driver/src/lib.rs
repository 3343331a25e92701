//! Sessions, processes, build graph and cache: the only crate with I/O.
