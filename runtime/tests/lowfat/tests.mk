# tests.mk - `make check`: included by runtime/lowfat/Makefile.
#
# STRESS_SECONDS is split evenly over the plain, ThreadSanitizer and UndefinedBehaviorSanitizer builds.

T := $(B)/tests
TFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Wno-unknown-warning-option -Wno-infinite-recursion -Wno-use-after-free -I$(INC)
STRESS_EACH = $(shell expr $(STRESS_SECONDS) / 3)
UBSAN := -fsanitize=undefined -fno-sanitize-recover=all
TSAN := -fsanitize=thread -fno-pie -no-pie -DLOWFAT_REGION_SHIFT=32

# A program with the prefix only, and one whose malloc is ours.
PREFIX_TESTS := exact errors threads process stack stats stress
NAMED_TESTS := api

$(T):
	mkdir -p $@
$(PREFIX_TESTS:%=$(T)/%): $(T)/%: $(TESTS)/%.c $(TESTS)/check.h $(B)/liblowfat-api.a | $(T)
	$(CC) $(TFLAGS) -rdynamic $< $(B)/liblowfat-api.a -o $@ -lpthread
$(NAMED_TESTS:%=$(T)/%): $(T)/%: $(TESTS)/%.c $(TESTS)/check.h $(B)/liblowfat.a | $(T)
	$(CC) $(TFLAGS) $< $(B)/liblowfat.a -o $@ -lpthread
$(T)/cplusplus: $(TESTS)/cplusplus.cc $(TESTS)/check.h $(B)/liblowfat.a | $(T)
	$(CXX) -std=c++17 -fsized-deallocation -O2 -g -Wall -Wextra -I$(INC) $< $(B)/liblowfat.a -o $@ -lpthread
# Regions of 1 GiB, so that objects of several regions fit any machine.
$(T)/api-small-regions: $(TESTS)/api.c $(TESTS)/check.h $(SOURCES) $(HEADERS) | $(T)
	$(CC) $(TFLAGS) -Wno-missing-attributes -fno-builtin-malloc -DLOWFAT_REGION_SHIFT=30 $< $(SOURCES) -o $@ -lpthread
$(T)/stress-ubsan: $(TESTS)/stress.c $(TESTS)/check.h $(SOURCES) $(HEADERS) | $(T)
	$(CC) $(TFLAGS) -O1 $(UBSAN) -DLOWFAT_NO_INTERPOSE $< $(SOURCES) -o $@ -lpthread
$(T)/stress-tsan: $(TESTS)/stress.c $(TESTS)/check.h $(SOURCES) $(HEADERS) | $(T)
	$(CC) $(TFLAGS) -O1 $(TSAN) -DLOWFAT_NO_INTERPOSE $< $(SOURCES) -o $@ -lpthread
# Invariants are checked, all of them.
$(T)/stress-debug: $(TESTS)/stress.c $(TESTS)/check.h $(SOURCES) $(HEADERS) | $(T)
	$(CC) $(TFLAGS) -DCYC_DEBUG=3 -DLOWFAT_NO_INTERPOSE $< $(SOURCES) -o $@ -lpthread

# Low-fat globals: fixed and position-independent, static and shared library.
GLOBALS := -Wl,-T,$(TOP)lowfat-globals.ld
$(T)/globals-fixed: $(TESTS)/globals.c $(B)/liblowfat.a $(TOP)lowfat-globals.ld | $(T)
	$(CC) $(TFLAGS) -no-pie -fno-pie $< $(B)/liblowfat.a $(GLOBALS) -o $@ -lpthread
$(T)/globals-shared: $(TESTS)/globals.c $(B)/liblowfat.so $(TOP)lowfat-globals.ld | $(T)
	$(CC) $(TFLAGS) -no-pie -fno-pie $< -L$(B) -llowfat -Wl,-rpath,$(B) $(GLOBALS) -o $@
$(T)/globals-pie: $(TESTS)/globals.c $(B)/liblowfat.a $(TOP)lowfat-globals.ld $(B)/lowfat-pie | $(T)
	$(CC) $(TFLAGS) -pie -fPIE $< $(B)/liblowfat.a $(GLOBALS) -o $@.new -lpthread
	$(B)/lowfat-pie $@.new && mv $@.new $@
GLOBAL_TESTS := globals-fixed globals-shared globals-pie

.PHONY: check check-core check-options check-globals check-instructions check-limits check-programs check-stress check-links \
    check-overcommit check-stress-plain check-stress-ubsan check-stress-tsan test-programs
check: check-core check-options check-globals check-instructions check-limits check-links check-stress check-programs
	@echo "lowfat: all checks passed"

check-core: $(PREFIX_TESTS:%=$(T)/%) $(NAMED_TESTS:%=$(T)/%) $(T)/cplusplus $(T)/api-small-regions
	$(T)/exact
	$(T)/api
	$(T)/api-small-regions
	$(T)/errors
	$(T)/threads
	$(T)/process
	$(T)/stack
	$(T)/stats > /dev/null
	$(T)/stats json | tr -d '\n' | grep -q '^{.*}$$'
	$(T)/cplusplus

# The options, and the other two ways to obtain address space.
check-options: check-core
	LOWFAT_OPTIONS=exact=1 $(T)/errors
	LOWFAT_OPTIONS=fill=1,quarantine=64k $(T)/errors
	for o in arena=grown arena=plain past_end=1 exact=1,fill=1,quarantine=1m randomise=1,guards=1 decay=0,keep=0; do \
	    LOWFAT_OPTIONS=$$o $(T)/api && LOWFAT_OPTIONS=$$o $(T)/stack && LOWFAT_OPTIONS=$$o $(T)/stress 1 || exit 1; done
	$(TESTS)/options.sh $(T)/api

check-globals: $(GLOBAL_TESTS:%=$(T)/%)
	for t in $(GLOBAL_TESTS); do $(T)/$$t || exit 1; done
	$(TESTS)/globals-errors.sh $(CC) $(INC)

check-instructions: $(B)/liblowfat.so $(B)/liblowfat.a
	$(TESTS)/instructions.sh $(CC) $(B) $(INC)

check-limits: $(T)/process $(T)/threads $(T)/stack $(T)/stress $(B)/liblowfat.so
	$(TESTS)/limits.sh $(T)/process
	$(TESTS)/container.sh $(B)

# In a virtual machine that boots KERNEL, because the setting concerns the whole machine; not part of `check`.
check-overcommit: $(B)/liblowfat-api.a
	$(TESTS)/overcommit.sh $(CC) $(B) $(INC) $(KERNEL)

check-links: all
	$(TESTS)/links.sh $(CC) $(TOP)

check-stress: check-stress-plain check-stress-ubsan check-stress-tsan
check-stress-plain: $(T)/stress $(T)/stress-debug
	$(T)/stress $(STRESS_EACH)
	$(T)/stress-debug 5
check-stress-ubsan: $(T)/stress-ubsan
	$(T)/stress-ubsan $(STRESS_EACH)
check-stress-tsan: $(T)/stress-tsan
	TSAN_OPTIONS=halt_on_error=1 $(T)/stress-tsan $(STRESS_EACH)

# What the checks need, for those who want to build it beforehand.
test-programs: $(PREFIX_TESTS:%=$(T)/%) $(NAMED_TESTS:%=$(T)/%) $(GLOBAL_TESTS:%=$(T)/%) $(T)/cplusplus \
    $(T)/api-small-regions $(T)/stress-debug $(T)/stress-ubsan $(T)/stress-tsan

check-programs: $(B)/liblowfat.so
	$(TESTS)/programs.sh $(B)/liblowfat.so
