# gc.mk - `make check-gc`: included by runtime/lowfat/Makefile after tests.mk, whose flags it uses.

GT := $(B)/gc-tests
GTESTS := $(TOP)../tests/gc
GC_TESTS := reach api deep model threads lost
GC_LIBS := $(B)/liblowfat-gc.a $(B)/liblowfat-api.a
# Everything in one program, for the sanitizers. (liblowfat's segment-relative accesses are beyond AddressSanitizer.)
GC_ALL := $(GC_SOURCES) $(SOURCES)
GC_ALL_FLAGS := $(TFLAGS) -O1 -DLOWFAT_NO_INTERPOSE -DCYC_GC_INTERPOSE -Wno-missing-attributes
GC_ASAN := -fsanitize=address
# Reserved address space is slow there; and marking looks at what was never written.
MEMCHECK := LOWFAT_OPTIONS=arena=grown valgrind -q --undef-value-errors=no --error-exitcode=9 \
    --suppressions=$(GTESTS)/memcheck.supp
GC_TSAN := -fsanitize=thread -fno-pie -no-pie -DLOWFAT_REGION_SHIFT=30

$(GT):
	mkdir -p $@
$(GC_TESTS:%=$(GT)/%): $(GT)/%: $(GTESTS)/%.c $(GTESTS)/check.h $(GC_LIBS) | $(GT)
	$(CC) $(TFLAGS) $< $(GC_LIBS) -o $@ -lpthread
# Regions alone: scoped pools raise exceptions, which are not here.
REGIONS := $(filter-out %/scope.c,$(wildcard $(TOP)../src/region/*.c)) $(wildcard $(TOP)../src/refcount/*.c $(TOP)../src/unique/*.c)
$(GT)/region: $(GTESTS)/region.c $(GTESTS)/check.h $(REGIONS) $(TOP)../src/heap/heap.c $(GC_ALL) | $(GT)
	$(CC) $(GC_ALL_FLAGS) -DLOWFAT_OF_CYCLONE -I$(TOP)../src/region $(filter %.c,$^) -o $@ -lpthread
# Small regions, so that an object that needs some of its own is not too large to scan.
$(GT)/huge: $(GTESTS)/huge.c $(GTESTS)/check.h $(GC_ALL) $(HEADERS) | $(GT)
	$(CC) $(GC_ALL_FLAGS) -fno-pie -no-pie -DLOWFAT_REGION_SHIFT=30 $< $(GC_ALL) -o $@ -lpthread
$(GT)/library.so: $(GTESTS)/library.c | $(GT)
	$(CC) $(TFLAGS) -shared -fPIC $< -o $@
GC_UBSAN_TESTS := reach-ubsan api-ubsan model-ubsan threads-ubsan
$(GC_UBSAN_TESTS:%=$(GT)/%): $(GT)/%-ubsan: $(GTESTS)/%.c $(GTESTS)/check.h $(GC_ALL) $(HEADERS) | $(GT)
	$(CC) $(GC_ALL_FLAGS) $(UBSAN) $< $(GC_ALL) -o $@ -lpthread
GC_ASAN_TESTS := model-asan threads-asan
$(GC_ASAN_TESTS:%=$(GT)/%): $(GT)/%-asan: $(GTESTS)/%.c $(GTESTS)/check.h $(GC_SOURCES) $(GC_LIBS) | $(GT)
	$(CC) $(GC_ALL_FLAGS) $(GC_ASAN) $< $(GC_SOURCES) $(B)/liblowfat-api.a -o $@ -lpthread
GC_TSAN_TESTS := model-tsan threads-tsan
$(GC_TSAN_TESTS:%=$(GT)/%): $(GT)/%-tsan: $(GTESTS)/%.c $(GTESTS)/check.h $(GC_ALL) $(HEADERS) | $(GT)
	$(CC) $(GC_ALL_FLAGS) $(GC_TSAN) $< $(GC_ALL) -o $@ -lpthread

# Invariants are checked, all of them.
GC_DEBUG_TESTS := reach-debug api-debug model-debug threads-debug lost-debug
$(GC_DEBUG_TESTS:%=$(GT)/%): $(GT)/%-debug: $(GTESTS)/%.c $(GTESTS)/check.h $(GC_ALL) $(HEADERS) | $(GT)
	$(CC) $(GC_ALL_FLAGS) -DCYC_DEBUG=3 $< $(GC_ALL) -o $@ -lpthread

GC_SANITIZED := $(GC_DEBUG_TESTS) $(GC_UBSAN_TESTS) $(GC_ASAN_TESTS) $(GC_TSAN_TESTS)

.PHONY: check-gc check-gc-core check-gc-options check-gc-hostile check-gc-sanitizers gc-test-programs
check-gc: check-gc-core check-gc-options check-gc-hostile check-gc-sanitizers
	@echo "lowfat gc: all checks passed"

gc-test-programs: $(GC_TESTS:%=$(GT)/%) $(GT)/region $(GT)/huge $(GT)/library.so $(GC_SANITIZED:%=$(GT)/%)

check-gc-core: gc-test-programs
	$(GT)/reach $(GT)/library.so
	$(GT)/api
	$(GT)/deep
	$(GT)/threads
	$(GT)/lost
	$(GT)/region
	$(GT)/huge
	$(MAKE) -s -C $(TOP)../../bench/gc BUILD=$(GT) LOWFAT_BUILD=$(B) check
	$(GT)/model 2
	$(GT)/model 1 2 4

# Other ways to obtain address space, and a mark stack that is always full.
check-gc-options: gc-test-programs
	for o in past_end=0 stack=64 ratio=110,start=64k lost=1; do \
	    LOWFAT_GC_OPTIONS=$$o $(GT)/reach $(GT)/library.so && LOWFAT_GC_OPTIONS=$$o $(GT)/api && \
	    LOWFAT_GC_OPTIONS=$$o $(GT)/model 1 3 || exit 1; done
	LOWFAT_OPTIONS=arena=grown $(GT)/reach $(GT)/library.so
	LOWFAT_OPTIONS=arena=grown $(GT)/model 1 4 2
	ulimit -d 3000000; $(GT)/reach $(GT)/library.so

# Collecting at every allocation, or nearly, and overwriting what is swept.  The statistics test sets `every` itself.
check-gc-hostile: gc-test-programs
	LOWFAT_GC_OPTIONS=every=1,poison=1 $(GT)/reach $(GT)/library.so
	LOWFAT_GC_OPTIONS=every=50,poison=1 $(GT)/api
	LOWFAT_GC_OPTIONS=every=1,poison=1 $(GT)/model 1 5
	LOWFAT_GC_OPTIONS=every=20,poison=1,stack=64 $(GT)/model 1 6 4
	LOWFAT_GC_OPTIONS=every=200,poison=1 $(GT)/threads 10
	if command -v valgrind >/dev/null; then \
	    $(MEMCHECK) $(GT)/reach $(GT)/library.so && LOWFAT_GC_OPTIONS=every=5,poison=1 $(MEMCHECK) $(GT)/model 2; \
	else echo "gc: Memcheck NOT RUN (valgrind is not installed)"; fi

# Random graphs against a model for TORTURE seconds, another seed each time (or TORTURE_SEED): alone, in threads, with a full
# mark stack and what is swept overwritten, and with a heap that is always short.
TORTURE ?= 600
TORTURE_SEED ?= $(shell date +%s)
torture-gc: gc-test-programs
	$(GT)/model $$(($(TORTURE) / 4)) $(TORTURE_SEED)
	$(GT)/model $$(($(TORTURE) / 4)) $(TORTURE_SEED) 4
	LOWFAT_GC_OPTIONS=every=20,poison=1,stack=64 $(GT)/model $$(($(TORTURE) / 4)) $(TORTURE_SEED) 4
	LOWFAT_GC_OPTIONS=ratio=110,start=64k,poison=1 $(GT)/model $$(($(TORTURE) / 4)) $(TORTURE_SEED) 3

check-gc-sanitizers: gc-test-programs
	$(GT)/reach-debug $(GT)/library.so
	$(GT)/api-debug
	$(GT)/lost-debug
	$(GT)/threads-debug 30
	$(GT)/model-debug 2 10 3
	LOWFAT_GC_OPTIONS=every=30,poison=1 $(GT)/model-debug 1 11 3
	$(GT)/reach-ubsan $(GT)/library.so
	$(GT)/api-ubsan
	$(GT)/threads-ubsan 30
	LOWFAT_GC_OPTIONS=every=30,poison=1 $(GT)/model-ubsan 1 7 3
	ASAN_OPTIONS=detect_stack_use_after_return=0 $(GT)/model-asan 2 8 3
	$(GT)/threads-asan 20
	TSAN_OPTIONS=halt_on_error=1 $(GT)/model-tsan 2 9 3
	TSAN_OPTIONS=halt_on_error=1 $(GT)/threads-tsan 10 tsan
