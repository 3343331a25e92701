# model.mk - `make model`: included by runtime/lowfat/Makefile.  The handshake of threads with the collector, all schedules with few
# preemptions; and that mistakes in it are found.  MODEL_LONG=1: more of both threads and preemptions, for minutes.

MT := $(B)/model-tests
MTESTS := $(TOP)../tests/model

.PHONY: model
model: $(MT)/handshake
	$(MT)/handshake 1 2 0 3
	$(MT)/handshake 1 1 1 2
	$(MT)/handshake 2 1 0 2
	$(if $(MODEL_LONG),$(MT)/handshake 1 1 1 3 && $(MT)/handshake 2 1 0 3 && $(MT)/handshake 2 1 1 2)
	$(MTESTS)/mutants.sh $(TOP)../src $(INC) $(CC)

$(MT)/handshake: $(MTESTS)/handshake.c $(GC_SOURCES) $(HEADERS)
	mkdir -p $(MT)
	$(CC) -std=gnu11 -O2 -g -w -DLOWFAT_NO_INTERPOSE -I$(INC) -I$(GC) $< -o $@ -lpthread
