//! Benchmarks: `cargo xtask bench <name>`. Each builds what it needs, prints
//! tables, and leaves JSON and SVG in `bench/results/`.

pub mod measure;
pub mod svg;
pub mod table;
