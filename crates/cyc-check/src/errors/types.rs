//! Errors of types: E03xx.
