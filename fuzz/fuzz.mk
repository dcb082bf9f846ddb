# SPDX-License-Identifier: BSD-3-Clause
#
# make fuzz: every parser on inputs that are changed at random. A target is fuzz/<name>.c (fuzz/frame/target.h); its corpus is packed in
# fuzz/corpus/<name>.txt (scripts/pack).

# The corpus of every fuzz target is a test, without a fuzzer.
OBJ_FUZZ  := $(patsubst %,$(BUILD)/fuzz/%.o,$(FUZZ_NAMES) frame/target)
$(OBJ_FUZZ): $(BUILD)/fuzz/%.o: fuzz/%.c $(BUILT_WITH) | $(GEN)/embedded.h
	$(Q)$(CC) $(CPPFLAGS) -I$(GEN) $(CFLAGS_ALL) -DSELF=fuzz_$(notdir $*) -MMD -MP -c $< -o $@
$(BUILD)/fuzz/frame/corpus_test.o: $(GEN)/fuzz_registry.h
$(BUILD)/fuzz/frame/corpus_test: $(OBJ_FUZZ)

define FUZZ_REGISTRY
/* Generated from the file names by make. */
#define REGISTRY_FUZZ(X) $(foreach f,$(FUZZ_NAMES),X($f))
endef
$(GEN)/fuzz_registry.h: FORCE
	@$(call write_if_changed,$(FUZZ_REGISTRY))

SECONDS   ?= 60
ifneq ($(filter fuzz fuzz-programs,$(MAKECMDGOALS)),)
FUZZ_CC   ?= $(if $(shell command -v clang),clang,$(CC))
# clang comes with libFuzzer where its run-time library is installed.
LIBFUZZER := $(shell printf 'int LLVMFuzzerTestOneInput(void){return 0;}' | $(FUZZ_CC) -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null && echo yes)
$(if $(LIBFUZZER),,$(info no libFuzzer, so inputs are changed without looking at the code: install clang and libclang-rt-14-dev (Debian)))
FUZZ      := $(BUILD)/fuzz-$(if $(LIBFUZZER),libfuzzer,driver)
FUZZ_CHOSEN := $(if $(T),$(filter $(PART:fuzz/%=%),$(FUZZ_NAMES)),$(FUZZ_NAMES))
$(if $(FUZZ_CHOSEN),,$(error no fuzz target '$(T)': there are $(FUZZ_NAMES)))
FUZZ_BINS := $(addprefix $(FUZZ)/,$(FUZZ_CHOSEN))
FUZZ_OBJ  := $(patsubst %.c,$(FUZZ)/o/%.o,$(C_PLAIN) fuzz/frame/target.c fuzz/frame/record_schema_once.c fuzz/frame/$(if $(LIBFUZZER),json_mutator,driver).c)
FUZZ_CFLAGS := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_LDLIBS ?= $(LDLIBS)

$(FUZZ_OBJ): $(FUZZ)/o/%.o: %.c $(BUILT_WITH) | $(GEN)/registry.h $(GEN)/counters_registry.h $(GEN)/embedded.h $(GEN)/build_info.h
	$(Q)mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(CPPFLAGS) -I$(GEN) $(CFLAGS_ALL) $(FUZZ_CFLAGS) $(if $(LIBFUZZER),-fsanitize=fuzzer-no-link) -MMD -MP -c $< -o $@

# Kernels and sequences are those of the tool: no parser runs any.
$(FUZZ)/libkneepoint.a: $(FUZZ_OBJ) $(LIB)
	$(Q)rm -f $@ && $(AR) rcs $@ $(FUZZ_OBJ) $(filter-out $(OBJ_PLAIN),$(LIB_OBJECTS))

# A target whose inputs are JSON says "json:" in its first comment: they are changed as such.
$(FUZZ_BINS): $(FUZZ)/%: fuzz/%.c fuzz/frame/libfuzzer.c $(FUZZ)/libkneepoint.a
	$(Q)$(FUZZ_CC) $(CPPFLAGS) -I$(GEN) $(CFLAGS_ALL) $(FUZZ_CFLAGS) $(if $(LIBFUZZER),-fsanitize=fuzzer) -DSELF=fuzz_$* -o $@ $(filter %.c,$^) \
	  $(if $(LIBFUZZER),$(if $(shell grep '^ \* json:' $<),-Wl$(COMMA)-u$(COMMA)LLVMFuzzerCustomMutator)) -Wl,--wrap=record_schema $(FUZZ)/libkneepoint.a $(FUZZ_LDLIBS)
endif

fuzz-programs: $(FUZZ_BINS)

fuzz: $(FUZZ_BINS) $(UNPACKED)  ## run each fuzz target, or T=name, for SECONDS=60, under ASan and UBSan; what it finds stays in build/fuzz-found
	$(Q)for target in $(FUZZ_CHOSEN); do scripts/run_fuzz $(FUZZ)/$$target $(BUILD)/unpacked/fuzz/corpus/$$target $(SECONDS) $(BUILD)/fuzz-found/$$target || exit 1; done
