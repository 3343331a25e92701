//! Dataflow over MIR: initialisation, null and bounds facts, check elimination.
