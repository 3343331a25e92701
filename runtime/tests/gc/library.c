/* library.c - loaded by reach.c with dlopen: a global and a thread-local that keep an object. */
static void *volatile global;
static _Thread_local void *volatile local;

void keep_global(void *p);
void keep_global(void *p) { global = p; }

void keep_local(void *p);
void keep_local(void *p) { local = p; }
