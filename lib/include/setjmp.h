// Nothing: jumps out of functions are exceptions.
