void *c_identity(void *x) { return x; }
void *c_pointer(void *p) { return p; }
int c_apply(int (*f)(void *), void *x) { return f(x); }
