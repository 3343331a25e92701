# pool.mk - `make check-pool`: included by runtime/lowfat/Makefile after tests.mk, whose flags it uses.

PT := $(B)/pool-tests
PTESTS := $(TOP)../tests/pool
POOL_TESTS := objects arrays scopes misuse threads model
# Pools and allocator in one program, for the sanitizers; under AddressSanitizer the C library's malloc lies under the pools.
POOL_ALL := $(POOL_SOURCES) $(SOURCES)
POOL_ALL_FLAGS := $(TFLAGS) -O1 -DLOWFAT_NO_INTERPOSE -Wno-missing-attributes
POOL_SANITIZED_TESTS := objects arrays scopes threads model

$(PT):
	mkdir -p $@
$(POOL_TESTS:%=$(PT)/%): $(PT)/%: $(PTESTS)/%.c $(PTESTS)/check.h $(B)/liblowfat-api.a | $(PT)
	$(CC) $(TFLAGS) -rdynamic $< $(B)/liblowfat-api.a -o $@ -lpthread
$(PT)/steps: $(PTESTS)/steps.c $(PTESTS)/check.h $(POOL_ALL) $(HEADERS) | $(PT)
	$(CC) $(TFLAGS) -DLOWFAT_NO_INTERPOSE -DLOWFAT_POOL_STEPS -Wno-missing-attributes $< $(POOL_ALL) -o $@ -lpthread
$(POOL_SANITIZED_TESTS:%=$(PT)/%-asan): $(PT)/%-asan: $(PTESTS)/%.c $(PTESTS)/check.h $(POOL_SOURCES) $(HEADERS) | $(PT)
	$(CC) $(TFLAGS) -O1 -DCYC_HEAP_LIBC -fsanitize=address,undefined -fno-sanitize-recover=all $< $(POOL_SOURCES) -o $@ -lpthread
$(PT)/closed-asan: $(PTESTS)/closed.c $(PTESTS)/check.h $(POOL_SOURCES) $(HEADERS) | $(PT)
	$(CC) $(TFLAGS) -O1 -DCYC_HEAP_LIBC -fsanitize=address $< $(POOL_SOURCES) -o $@ -lpthread
$(PT)/threads-tsan $(PT)/model-tsan: $(PT)/%-tsan: $(PTESTS)/%.c $(PTESTS)/check.h $(POOL_ALL) $(HEADERS) | $(PT)
	$(CC) $(POOL_ALL_FLAGS) $(TSAN) $< $(POOL_ALL) -o $@ -lpthread
$(PT)/model-ubsan: $(PTESTS)/model.c $(PTESTS)/check.h $(POOL_ALL) $(HEADERS) | $(PT)
	$(CC) $(POOL_ALL_FLAGS) $(UBSAN) $< $(POOL_ALL) -o $@ -lpthread

.PHONY: check-pool check-pool-core check-pool-sanitizers pool-test-programs
check-pool: check-pool-core check-pool-sanitizers
	@echo "lowfat pools: all checks passed"

pool-test-programs: $(POOL_TESTS:%=$(PT)/%) $(PT)/steps $(POOL_SANITIZED_TESTS:%=$(PT)/%-asan) $(PT)/closed-asan \
    $(PT)/threads-tsan $(PT)/model-tsan $(PT)/model-ubsan

check-pool-core: pool-test-programs
	for t in objects arrays scopes misuse steps; do $(PT)/$$t || exit 1; done
	$(PT)/threads 200000
	$(PT)/model 200000 1
	$(PT)/model 200000 2 4
	LOWFAT_OPTIONS=arena=plain $(PT)/arrays

check-pool-sanitizers: pool-test-programs
	for t in objects arrays scopes; do $(PT)/$$t-asan || exit 1; done
	$(PT)/threads-asan 20000
	$(PT)/model-asan 20000 3 3
	for access in freed beyond cell chunk; do \
	    ! $(PT)/closed-asan $$access 2> $(PT)/closed.log && grep -q use-after-poison $(PT)/closed.log || exit 1; done
	$(PT)/model-ubsan 50000 4 2
	TSAN_OPTIONS=halt_on_error=1 $(PT)/threads-tsan 5000
	TSAN_OPTIONS=halt_on_error=1 $(PT)/model-tsan 10000 5 3
