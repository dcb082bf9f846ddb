# SPDX-License-Identifier: BSD-3-Clause
#
# The file system is the registry: sources, sequences, streams, kernels, shapes, figures, platforms, subcommands and tests
# are found by wildcard. Adding one is adding a file. Run `make help` for the targets.

VERSION := 0.2.0
BUILD   ?= build
CC      := $(if $(filter default,$(origin CC)),gcc,$(CC))
AR      ?= ar
ARCH    := $(or $(ARCH),$(shell uname -m))
BUDGET  ?=
SAN     ?=
DEBUG   ?=
V       ?=
Q       := $(if $(V),,@)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
# As many at a time as there are CPUs, unless told.
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif

# ---------------------------------------------------------------- flags

# What -march= of the assembler starts from, before the extensions of a row of isa.def; sequences of users get the same.
AS_BASE_x86_64  := generic64+sse2+ibt
AS_BASE_aarch64 :=
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror=int-conversion -Werror=incompatible-pointer-types -Werror=implicit-function-declaration
CPPFLAGS += -I. -D_GNU_SOURCE -DKNEEPOINT_VERSION='"$(VERSION)"' -DISA_ASSEMBLER_BASE='"$(AS_BASE_$(ARCH))"'
# Lines for backtraces and profiles; variables too, for a debugger, take a third longer: CFLAGS='-O2 -g'.
CFLAGS   ?= -O2 -g1
# No contraction: where the base architecture has fused multiply-add, statistics and scalar references would differ in a bit.
CFLAGS_ALL = -std=gnu17 $(CFLAGS) $(WARNINGS) -fno-strict-aliasing -ffp-contract=off -pthread
LDLIBS   := -lhwloc -ljansson -lz -lm -ldl -pthread
LDFLAGS  ?=
# What is timed is the same code whatever a distribution hardens: no guarded stacks, no checked copies.
TIMED    := -U_FORTIFY_SOURCE -fno-stack-protector
# Most of what is not timed is compiled in less time, unless you say how: references, and what lies here. Statistics are not, since a report waits for them.
QUICK    := $(if $(filter file,$(origin CFLAGS)),-Og)
QUICK_IN := reports/% roofline/% results/% $(addsuffix /%,$(addprefix harness/,assemble check cmd command compare gguf plan plugin prediction record user)) harness/main.c \
             platforms/described/% platforms/topology/% $(patsubst %,harness/cells/\%_%.c,fields model plan record restore summary)
quick     = $(if $(filter $(QUICK_IN),$(filter-out results/statistics/%,$(1))),$(QUICK))
# What is not timed has a section for each function and table: scripts/check_unused finds those that nothing reaches.
SECTIONS := -ffunction-sections -fdata-sections
CC_VERSION := $(shell $(CC) --version 2>/dev/null | head -n 1)
IS_CLANG := $(shell $(CC) --version 2>/dev/null | grep -ci clang)
AS_DRIVER = $(CC) $(if $(filter-out 0,$(IS_CLANG)),-fno-integrated-as)

# A build with sanitizers lives in its own folder. SAN=thread finds races between threads.
ifneq ($(SAN),)
override BUILD := $(BUILD)/san$(if $(filter thread,$(SAN)),-thread)
SANITIZERS := $(if $(filter thread,$(SAN)),-fsanitize=thread,-fsanitize=address -fsanitize=undefined)
# Calls of their libraries inside a loop would overwrite the registers that micro/frames/gamma.h gives to gcc.
TIMED += $(if $(filter thread,$(SAN)),-fno-sanitize=thread,-fno-sanitize-address-use-after-scope)
CFLAGS_ALL += $(SANITIZERS) -fno-sanitize-recover=all -fno-omit-frame-pointer
LDFLAGS    += $(SANITIZERS)
endif
GEN := $(BUILD)/gen
# ---------------------------------------------------------------- what there is

# Rooms are folders, as deep as need be; fixtures are not built. Of micro only what is no kernel, sequence, stream, quantizer or layer: these have rules
# of their own.
sources   = $(sort $(shell find platforms results roofline reports harness -name fixtures -prune -o -name '$(1)' -print))
C_ALL     := $(call sources,*.c) $(sort $(wildcard micro/*.c micro/quantization/*.c micro/registry/*.c micro/layers/layer*.c micro/layers/model*.c))
C_PLAIN   := $(filter-out harness/main.c %_test.c %_standin.c,$(C_ALL))
S_PLAIN   := $(wildcard platforms/*/$(ARCH)/*.S)
# Kernels and sequences of another architecture are left out here: the last part of the name is a row of isa.def.
isa_row   = $(shell sed -n 's/^ISA.$(1), *\([a-z0-9_]*\), *"\([^"]*\)", *"\([^"]*\)".*/$(2)/p' platforms/isa.def)
isa_of    = $(lastword $(subst ., ,$(basename $(notdir $(1)))))
ISA_NAMES := $(shell sed -n 's/^ISA.\([a-z0-9_]*\), *\($(ARCH)\|any\),.*/\1/p' platforms/isa.def)
of_this_architecture = $(strip $(foreach k,$(1),$(if $(filter $(call isa_of,$k),$(ISA_NAMES)),$k)))
# A kernel is known by the path <folder>/<sequence>.<isa>.c, a sequence by <format>.<sequence>.<isa>.S, a part of a layer by <part>.<isa>.c. That is
# its source, of a kernel the same in .S where there is no .c, unless a row of kernels.def, sequences.def or layers.def beside it names another. A
# kernel's source in .S is compiled as C, and its inner loop assembled. A format is micro/formats/<format>/format.c, or a row of a formats.def that names
# its source; kernels.def beside that has its kernels.
rows_of   = $(sort $(shell awk -f scripts/source_rows.awk platforms/isa.def $(1)))
row_names = $(foreach r,$(1),$(firstword $(subst |, ,$r)))
FORMAT_ROWS := $(call rows_of,$(wildcard micro/*/*/formats.def))
KERNEL_ROWS := $(call rows_of,$(wildcard micro/*/*/kernels.def))
SEQUENCE_ROWS := $(call rows_of,$(wildcard micro/*/sequences.def micro/*/*/sequences.def))
LAYER_ROWS := $(call rows_of,$(wildcard micro/layers/layers.def))
ROWS      := $(FORMAT_ROWS) $(KERNEL_ROWS) $(SEQUENCE_ROWS) $(LAYER_ROWS)
$(foreach r,$(filter !%,$(ROWS)),$(error $(subst ~, ,$(r:!%=%))))
$(foreach r,$(ROWS),$(eval ROW_$(firstword $(subst |, ,$r)) := $(wordlist 2,99,$(subst |, ,$r))))
$(foreach r,$(wildcard $(call row_names,$(ROWS)) $(patsubst %.c,%.S,$(call row_names,$(KERNEL_ROWS)))),$(if $(filter $r,$(ROW_$r)),,$(error $r is a file, and a row beside it names another source: remove one of them)))
source_of = $(or $(firstword $(ROW_$(1))),$(wildcard $(1)),$(1:.c=.S))
# Of a row, after that of the kernel's format: macros, and the files that say so. A sequence has its own alone, as where a user assembles it.
format_of = $(filter-out $(1),$(if $(filter %.S,$(1)),,$(dir $(1))format.c))
row_options = $(filter-out tiles:%,$(foreach r,$(call format_of,$(1)) $(1),$(wordlist 3,99,$(ROW_$r))))
row_files = $(sort $(foreach r,$(call format_of,$(1)) $(1),$(word 2,$(ROW_$r))))
row_macros = $(patsubst -D%,%,$(filter-out -DSELF_MODEL=%,$(row_options)))
# what is made of some sources: $(call made_of,KERNELS,SOURCES)
made_of   = $(foreach k,$(1),$(if $(filter $(call source_of,$k),$(2)),$k))
FORMATS   := $(sort $(wildcard micro/formats/*/format.c) $(call row_names,$(FORMAT_ROWS)))
# Those that interleave blocks of rows: micro/block_order.h.
ORDERS    := $(call made_of,$(FORMATS),$(if $(FORMATS),$(shell grep -l '^\#define BLOCK_PARTS' $(sort $(foreach f,$(FORMATS),$(call source_of,$f))))))
SEQUENCES_IN_S := $(wildcard micro/*/*.*.*.S micro/*/*/*.*.*.S)
KERNELS_IN_S := $(filter-out $(SEQUENCES_IN_S),$(wildcard micro/formats/*/*.*.S))
KERNELS   := $(call of_this_architecture,$(filter-out %_test.c %/format.c $(KERNELS_LEFT_OUT),$(sort $(wildcard micro/formats/*/*.*.c) $(KERNELS_IN_S:.S=.c) $(call row_names,$(KERNEL_ROWS)))))
# A row's tiles= names a kernel that has the same tiles (micro/frames/gemm_blocks.h): the kernel is linked with those.
lender_of = $(foreach n,$(patsubst tiles:%,%,$(filter tiles:%,$(ROW_$(1)))),micro/formats/$(firstword $(subst ., ,$n))/$(patsubst $(firstword $(subst ., ,$n)).%,%,$n).c)
BORROWERS := $(foreach k,$(KERNELS),$(if $(call lender_of,$k),$k))
LENDERS   := $(filter-out $(KERNELS_LEFT_OUT),$(sort $(foreach k,$(BORROWERS),$(call lender_of,$k))))
$(foreach k,$(filter-out $(KERNELS),$(LENDERS)),$(error $k is no kernel, and a row has its tiles))
KERNEL_SOURCES := $(sort $(foreach k,$(KERNELS),$(call source_of,$k)))
QUANTIZERS := $(call of_this_architecture,$(sort $(wildcard micro/quantizers/*.c)))
LAYERS    := $(call of_this_architecture,$(filter-out %_test.c,$(sort $(wildcard micro/layers/*.*.c) $(call row_names,$(LAYER_ROWS)))))
MICROKERNELS := $(sort $(call of_this_architecture,$(KERNELS_IN_S)) $(patsubst %.c,%.S,$(call made_of,$(KERNELS),$(filter %.S,$(KERNEL_SOURCES)))))
SEQUENCES := $(call of_this_architecture,$(sort $(SEQUENCES_IN_S) $(call row_names,$(SEQUENCE_ROWS))))
SEQUENCE_SOURCES := $(sort $(foreach k,$(SEQUENCES),$(call source_of,$k)))
# Sequences that have their loop at every place within a line as well: micro/code_offsets.h.
OFFSETS := $(call made_of,$(SEQUENCES),$(if $(SEQUENCES),$(shell grep -l '^\#define CODE_OFFSETS' $(SEQUENCE_SOURCES))))
# Those with a C half, their scalar reference.
REFERENCED := $(call made_of,$(SEQUENCES),$(if $(SEQUENCES),$(shell grep -lw 'void sequence_reference' $(SEQUENCE_SOURCES))))
STREAMS   := $(sort $(wildcard micro/streams/$(ARCH)/*.S))
COUNTERS  := $(sort $(filter-out %_test.c,$(wildcard platforms/counters/backends/*.c)))
# A kind of cells is a folder with a source of its name; cell/ is what all have.
CELL_KINDS := $(foreach d,$(filter-out cell,$(sort $(notdir $(patsubst %/,%,$(wildcard harness/cells/*/))))),$(wildcard harness/cells/$d/$d.c))
PURPOSES  := $(sort $(filter-out %_test.c,$(wildcard harness/plan/purposes/*.c)))
# A subcommand is a source, or a folder with a source of its name.
COMMANDS  := $(sort $(filter-out %_test.c,$(wildcard harness/cmd/*.c)) $(foreach d,$(filter-out console,$(notdir $(patsubst %/,%,$(wildcard harness/cmd/*/)))),$(wildcard harness/cmd/$d/$d.c)))
ENGINE_FORMATS := $(sort $(filter-out %_test.c,$(wildcard results/engines/formats/*.c)))
FIGURES   := $(sort $(filter-out %_test.c,$(wildcard reports/figures/*/*.c)))
# Those with variants to choose from: micro/tuning.h.
VARIED    := $(call made_of,$(KERNELS),$(if $(KERNELS),$(shell grep -l '^\#define KERNEL_VARIANTS' $(KERNEL_SOURCES))))
# Those in C that are their own sequence: micro/frames/gamma.h.
STEPS     := $(call made_of,$(KERNELS),$(if $(KERNELS),$(shell grep -l '^\#include "micro/frames/gamma.h"' $(KERNEL_SOURCES))))
# Headers that the first comments of kernels name, beside them or where kernels share them: `explain` shows theirs.
SHARED    := micro/frames/ micro/isa/ $(sort $(dir $(wildcard micro/families/*/*.h)))
NAMED     := $(if $(KERNELS),$(shell awk -v shared='$(SHARED)' 'BEGIN { folders = split(shared, in_folder, " ") } \
             FNR == 1 { on = 1; folder = FILENAME; sub(/[^\/]*$$/, "", folder) } \
             on { while (match($$0, /[a-z0-9_]+\.h/)) { name[folder substr($$0, RSTART, RLENGTH)]; \
                  for (i = 1; i <= folders; i++) name[in_folder[i] substr($$0, RSTART, RLENGTH)]; $$0 = substr($$0, RSTART + RLENGTH) } } \
             /\*\// { on = 0 } END { for (file in name) print file }' $(KERNEL_SOURCES)))
# Files of micro with all that they include, but for what the macros of a row name.
included  = $(shell sed -n 's/^ *\# *include *"\(micro\/[^"]*\)".*/\1/p' $(1))
closure   = $(if $(filter-out $(1),$(included)),$(call closure,$(sort $(1) $(included))),$(1))
EMBEDDED  := $(sort $(wildcard micro/shapes/*.tsv reports/figures/*/*.gp reports/draw/*.gnuplot reports/draw/*/*.gnuplot reports/page/*.css reports/page/*.js docs/glossary.md platforms/known/*.json \
             platforms/*.schema.json results/*.schema.json roofline/papers/*.json micro/sequence.h micro/sequences/*.h micro/opencl/*.cl micro/opencl/*.h micro/*/*/*.cl \
             micro/isa/*.inc micro/families/*/*.inc micro/formats/*/*.*.inc) $(call closure,$(SEQUENCE_SOURCES)) $(KERNEL_SOURCES) $(wildcard $(MICROKERNELS)) \
             $(sort $(wildcard $(NAMED))))
FUZZ_NAMES := $(patsubst fuzz/%.c,%,$(sort $(wildcard fuzz/*.c)))
TESTS     := $(sort $(filter %_test.c,$(C_ALL)) $(wildcard micro/*/*_test.c micro/*/*/*_test.c fuzz/frame/*_test.c))
BATS      := $(call sources,*.bats) $(sort $(wildcard scripts/*.bats scripts/*/*.bats packaging/*.bats plugins/*.bats examples/*.bats))

# A test of code that is inlined into kernels is compiled as they are: <what>.<isa>_test.c
TEST_ISA  = $(call isa_of,$(patsubst %_test.c,%.c,$(1)))
TESTS     := $(foreach t,$(TESTS),$(if $(findstring .,$(basename $(notdir $t))),$(if $(filter $(call TEST_ISA,$t),$(ISA_NAMES)),$t),$t))
$(foreach i,$(ISA_NAMES),$(eval C_FLAGS_$i := $(call isa_row,$i,\2)))
$(foreach i,$(ISA_NAMES),$(eval AS_FLAGS_$i := $(call isa_row,$i,\3)))

# ---------------------------------------------------------------- missing packages, one line

have_header = $(shell printf '\043include <$(1)>\n' | $(CC) $(CPPFLAGS) -E -x c - >/dev/null 2>&1 && echo yes)
# header:package of the libraries that count where they are there; the tool is built without the others and says so.
OPTIONAL := $(shell sed -n 's/.*probe_without_header(probe, "\([^" ]*\)[^"]*", "\([^"]*\)").*/\1:\2/p' $(COUNTERS))
OPTIONAL_THERE := $(foreach o,$(OPTIONAL),$(if $(call have_header,$(firstword $(subst :, ,$o))),$o))
COMMA := ,

ifeq ($(filter help clean uninstall deb,$(MAKECMDGOALS)),)
need        = $(if $(call have_header,$(1)),,$(error $(1) is missing: install $(2) (Debian) or run scripts/setup))
ifeq ($(shell command -v $(CC)),)
$(error no C compiler '$(CC)': install gcc (Debian) or run scripts/setup)
endif
$(call need,hwloc.h,libhwloc-dev)
$(call need,jansson.h,libjansson-dev)
$(call need,zlib.h,zlib1g-dev)
$(foreach o,$(filter-out $(OPTIONAL_THERE),$(OPTIONAL)),$(info $(subst :, is missing$(COMMA) what it counts is left out: install ,$o) (Debian) or run scripts/setup))
ifneq ($(filter check check-%,$(MAKECMDGOALS)),)
# cmocka.h wants these before it
$(if $(shell printf '\043include <stdarg.h>\n\043include <stddef.h>\n\043include <setjmp.h>\n\043include <stdint.h>\n\043include <cmocka.h>\n' | $(CC) $(CPPFLAGS) -E -x c - >/dev/null 2>&1 && echo yes),,$(error cmocka.h is missing: install libcmocka-dev (Debian) or run scripts/setup check))
endif
endif

# ---------------------------------------------------------------- objects

# What an object is made with besides its sources: another compiler, other flags or a library's header that came make it
# anew, so that the flags that a run records are those of the code that it measured.
BUILT_WITH := Makefile $(GEN)/built_with
# What a program is linked with besides.
LINKED_WITH := $(BUILT_WITH) $(GEN)/linked_with
obj        = $(patsubst %,$(BUILD)/%.o,$(basename $(1)))
OBJ_PLAIN   := $(call obj,$(C_PLAIN))
OBJ_STANDINS := $(call obj,$(filter %_standin.c,$(C_ALL)))
OBJ_ASM     := $(call obj,$(S_PLAIN))
OBJ_FORMATS := $(call obj,$(FORMATS))
OBJ_KERNELS := $(call obj,$(KERNELS))
OBJ_QUANT   := $(call obj,$(QUANTIZERS))
OBJ_LAYERS  := $(call obj,$(LAYERS))
OBJ_MICROKERNELS := $(patsubst %.S,$(BUILD)/%.microkernel.o,$(MICROKERNELS))
OBJ_SEQ     := $(call obj,$(SEQUENCES))
OBJ_REFERENCE := $(patsubst %.S,$(BUILD)/%.reference.o,$(REFERENCED))
OBJ_STREAM  := $(call obj,$(STREAMS))
OBJ_GEN     := $(GEN)/embedded.o $(GEN)/build_info.o $(GEN)/build_code.o $(GEN)/step_uops.o
LIB         := $(BUILD)/libkneepoint.a
BIN         := $(BUILD)/kneepoint
PAGES       := $(sort $(wildcard man/*.[1-9]))
MANUAL      := $(addprefix $(BUILD)/,$(PAGES))

symbol      = $(subst .,__,$(1))
stem        = $(basename $(notdir $(1)))

all: $(BIN) $(MANUAL)  ## build build/kneepoint (default)

# Debug information, a fifth of the program even if compressed, lies beside it, where gdb and perf look; DEBUG=1 and sanitizers keep it inside.
$(BIN): $(BUILD)/harness/main.o $(LIB) $(LINKED_WITH)
	$(Q)$(CC) $(LDFLAGS) -Wl,--compress-debug-sections=zlib -o $@ $(BUILD)/harness/main.o $(LIB) $(LDLIBS)
	$(Q)$(if $(SAN)$(DEBUG),,$(OBJCOPY) --only-keep-debug $@ $@.debug && $(OBJCOPY) --strip-debug --add-gnu-debuglink=$@.debug $@)
	$(Q)rm -f $(INTRINSICS)
	@echo "built $@"

# Drawn in the first comments of the formats, or of the headers that these name.
$(GEN)/formats.mdoc: man/formats.awk $(foreach f,$(FORMATS),$(call source_of,$f) $(call row_files,$f)) $(wildcard micro/formats/*/layout.h micro/families/*/*.h micro/quantization/*_layout.h)
	$(Q)mkdir -p $(@D)
	$(Q)awk -f man/formats.awk $(patsubst %,'%',$(sort $(wildcard micro/formats/*/format.c) $(FORMAT_ROWS))) >$@

# One page lists the counter back ends as their descriptors do, one the commands as their pages do.
COMMAND_PAGES := $(filter man/kneepoint-%.1,$(PAGES))
$(MANUAL): $(BUILD)/man/%: man/% man/lists.awk $(COUNTERS) $(COMMAND_PAGES) $(GEN)/counters_registry.h $(GEN)/formats.mdoc
	$(Q)mkdir -p $(@D)
	$(Q)awk -v formats=$(GEN)/formats.mdoc -f man/lists.awk $(COUNTERS) $(COMMAND_PAGES) $< >$@

LIB_OBJECTS := $(OBJ_PLAIN) $(OBJ_ASM) $(OBJ_FORMATS) $(OBJ_KERNELS) $(OBJ_MICROKERNELS) $(OBJ_QUANT) $(OBJ_LAYERS) $(OBJ_SEQ) $(OBJ_REFERENCE) $(OBJ_STREAM) $(OBJ_GEN)
$(LIB): $(LIB_OBJECTS)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(OBJ_PLAIN) $(BUILD)/harness/main.o $(OBJ_STANDINS) $(call obj,$(TESTS)): $(BUILD)/%.o: %.c $(BUILT_WITH) | $(GEN)/registry.h $(GEN)/counters_registry.h $(GEN)/embedded.h $(GEN)/build_info.h
	$(Q)$(CC) $(CPPFLAGS) -I$(GEN) $(CFLAGS_ALL) $(call quick,$<) $(if $(filter %_test.c,$<),$(C_FLAGS_$(call TEST_ISA,$<)) $(TEST_PATHS),$(SECTIONS) $(with_c_headers)) -MMD -MP -c $< -o $@

$(OBJ_ASM): $(BUILD)/%.o: %.S $(BUILT_WITH)
	$(Q)$(AS_DRIVER) $(CPPFLAGS) -MMD -MP -c $< -o $@

name_of   = $(patsubst $(BUILD)/%.o,%.c,$(1))
$(foreach f,$(FORMATS),$(eval $(call obj,$f): $(call source_of,$f) $(call row_files,$f)))
$(OBJ_FORMATS): $(BUILT_WITH)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) $(SECTIONS) $(with_c_headers) -DSELF=format_$(notdir $(patsubst %/,%,$(dir $@))) \
	  -DSELF_NAME='"$(notdir $(patsubst %/,%,$(dir $@)))"' -DSELF_FORMAT_FOLDER=$(call format_folder,$(call name_of,$@)) $(call row_options,$(call name_of,$@)) -MMD -MP -c $(call source_of,$(call name_of,$@)) -o $@

# Compilers read the header of intrinsics in longer than they take for most kernels, and headers of the C library longer than for most
# other sources: gcc reads them once for each set of flags, of an ISA where that is for more than two objects, and of the intrinsics only
# those that words of micro name (micro/isa/intrinsics.awk). The code is the same; a source includes what it needs all the same, for where
# this is not done: clang, ccache, which would keep nothing, and SVE, whose intrinsics gcc 12 does not know after a header that it read.
C_HEADERS := errno.h inttypes.h jansson.h math.h stdarg.h stdbool.h stdint.h stdio.h stdlib.h string.h
INTRINSICS_x86_64  := immintrin.h
INTRINSICS_aarch64 := arm_neon.h
WITH_INTRINSICS := $(KERNELS) $(LAYERS) $(QUANTIZERS)
READ_ONCE := $(if $(filter-out 0,$(IS_CLANG)),,$(if $(findstring ccache,$(CC) $(realpath $(shell command -v $(firstword $(CC))))),,$(INTRINSICS_$(ARCH))))
READ_ONCE_ISAS := $(if $(READ_ONCE),$(foreach i,$(filter-out sve%,$(ISA_NAMES)),$(if $(word 3,$(filter $i,$(foreach k,$(WITH_INTRINSICS),$(call isa_of,$k)))),$i)))
read_headers = $(CC) $(CPPFLAGS) $(CFLAGS_ALL) $(1) -x c-header $(@:.gch=) -o $@
intrinsics = $(patsubst %,$(GEN)/headers/%.h,$(filter $(READ_ONCE_ISAS),$(call isa_of,$(1))))
INTRINSICS := $(patsubst %,$(GEN)/headers/%.h.gch,$(READ_ONCE_ISAS))
$(foreach k,$(WITH_INTRINSICS),$(eval $(call obj,$k): | $(addsuffix .gch,$(call intrinsics,$k))))
$(INTRINSICS): $(GEN)/headers/%.h.gch: platforms/isa.def micro/isa/intrinsics.awk $(GEN)/headers/words $(BUILT_WITH)
	$(Q)printf '#include <%s>\n' $(READ_ONCE) math.h string.h >$(@:.gch=).whole
	$(Q)awk -v lacking=1 -f micro/isa/intrinsics.awk $(wildcard $(dir $(shell $(CC) -print-file-name=include/immintrin.h))*intrin.h) /dev/null | cat - $(@:.gch=).whole | \
	  $(CC) $(CPPFLAGS) $(CFLAGS_ALL) $(TIMED) $(C_FLAGS_$*) -E -dD -x c - | awk -f micro/isa/intrinsics.awk $(GEN)/headers/words - >$(@:.gch=)
	$(Q)$(call read_headers,$(TIMED) $(C_FLAGS_$*)) 2>/dev/null || { cp $(@:.gch=).whole $(@:.gch=) && $(call read_headers,$(TIMED) $(C_FLAGS_$*)); }
$(GEN)/headers/words: FORCE
	@LC_ALL=C grep -rhoE '[_v][A-Za-z0-9_]*' --include='*.[chS]' micro | LC_ALL=C sort -u >$@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@
# Several MB each: removed, without a word, once the program is linked, and made again only for a kernel that is compiled again.
.SECONDARY: $(INTRINSICS)
# Of C that is not timed.
C_HEADERS_READ := $(if $(READ_ONCE),$(GEN)/headers/c.h.gch)
OBJ_WITH_C_HEADERS := $(OBJ_PLAIN) $(BUILD)/harness/main.o $(OBJ_STANDINS) $(OBJ_FORMATS) $(OBJ_REFERENCE)
$(OBJ_WITH_C_HEADERS): | $(C_HEADERS_READ)
$(C_HEADERS_READ): $(BUILT_WITH)
	$(Q)printf '#include <%s>\n' $(C_HEADERS) >$(@:.gch=)
	$(Q)$(call read_headers,$(SECTIONS))
with_c_headers = $(addprefix -include ,$(C_HEADERS_READ:.gch=))

# A kernel is compiled with the flags of its own ISA and the macros of its row, and nothing else. Its name is <format>.<sequence>.<isa>.
kernel_name = $(notdir $(patsubst %/,%,$(dir $(1)))).$(call stem,$(1))
# For micro/of_self.h; the folder of a format that is a row is the row's.
format_folder = $(patsubst %/,%,$(dir $(or $(word 2,$(ROW_$(dir $(1))format.c)),$(1))))
self_words  = -DSELF_FORMAT_WORD=$(notdir $(patsubst %/,%,$(dir $(1)))) -DSELF_FORMAT_FOLDER=$(call format_folder,$(1)) -DSELF_ISA_WORD=$(call isa_of,$(1))
# The sequence whose gamma models the kernel: that of its name, unless its row says another.
self_model  = $(if $(filter -DSELF_MODEL=%,$(ROW_$(1))),,-DSELF_MODEL=NULL)
tiles_name  = tiles_$(call symbol,$(call kernel_name,$(1)))
tile_words  = $(if $(filter $(1),$(LENDERS)),-DGEMM_TILES_LENT=$(call tiles_name,$(1))) $(foreach l,$(filter $(call lender_of,$(1)),$(LENDERS)),-DGEMM_TILES_BORROWED=$(call tiles_name,$l))
# What an object was made of before its source had another name: no file, and no error.
micro/%.c: ;
micro/%.S: ;
$(foreach k,$(KERNELS),$(eval $(call obj,$k): $(call source_of,$k) $(call row_files,$k)))
$(OBJ_KERNELS): platforms/isa.def $(BUILT_WITH)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) $(TIMED) $(C_FLAGS_$(call isa_of,$@)) $(addprefix -include ,$(call intrinsics,$@)) -DSELF=kernel_$(call symbol,$(call kernel_name,$@)) \
	  -DSELF_VARIANTS=variants_$(call symbol,$(call kernel_name,$@)) -DSELF_NAME='"$(call kernel_name,$@)"' -DSELF_ISA='"$(call isa_of,$@)"' \
	  -DSELF_FORMAT=format_$(notdir $(patsubst %/,%,$(dir $@))) -DSELF_SEQUENCE='"$(firstword $(subst ., ,$(call stem,$@)))"' \
	  -DSELF_FORMAT_NAME='"$(notdir $(patsubst %/,%,$(dir $@)))"' -DSELF_GAMMA=sequence_$(call symbol,$(call kernel_name,$@)) \
	  $(call self_words,$(call name_of,$@)) $(call self_model,$(call name_of,$@)) $(call tile_words,$(call name_of,$@)) $(call row_options,$(call name_of,$@)) -MMD -MP -x c -c $(call source_of,$(call name_of,$@)) -o $@

# What counts uops, of the machine that builds.
HOSTCC  ?= $(if $(findstring -linux-gnu-,$(CC)),cc,$(CC))
UOPS    := $(GEN)/uops
$(UOPS): scripts/uops.c $(wildcard micro/disassembly*.h) micro/sequence.h
	$(Q)mkdir -p $(@D)
	$(Q)$(HOSTCC) -I. -D_GNU_SOURCE -std=gnu17 -O2 $(WARNINGS) -o $@ $<
DISASSEMBLE := $(shell $(CC) -print-prog-name=objdump) --no-show-raw-insn $(if $(filter x86_64,$(ARCH)),-Mintel)

# The assembler is given the ISA of the file's name only, so a stray instruction does not assemble.
asm_flags = -Wa,-march=$(AS_BASE_$(ARCH))$(AS_FLAGS_$(call isa_of,$(1)))
$(OBJ_STREAM): $(BUILD)/%.o: %.S platforms/isa.def $(BUILT_WITH)
	$(Q)$(AS_DRIVER) $(CPPFLAGS) $(call asm_flags,$<) -DSELF=$(call symbol,$(call stem,$<)) -DSELF_NAME='"$(call stem,$<)"' \
	  -DSELF_ISA='"$(call isa_of,$<)"' -MMD -MP -c $< -o $@

# Made of the row of its file, like a kernel; what its name says need not be said again.
sequence_of    = $(patsubst $(BUILD)/%.o,%.S,$(1:.reference.o=.o))
sequence_words = -DSELF=$(call symbol,$(1)) -DSELF_NAME='"$(1)"' -DSELF_ISA='"$(lastword $(subst ., ,$(1)))"' \
                 -DSELF_FORMAT_NAME='"$(firstword $(subst ., ,$(1)))"' -DSELF_SEQUENCE='"$(word 2,$(subst ., ,$(1)))"' \
                 -DSELF_FORMAT_WORD=$(firstword $(subst ., ,$(1))) -DSELF_FORMAT_FOLDER=$(call format_folder,micro/formats/$(firstword $(subst ., ,$(1)))/) \
                 -DSELF_ISA_WORD=$(lastword $(subst ., ,$(1)))
$(foreach k,$(SEQUENCES),$(eval $(call obj,$k) $(k:%.S=$(BUILD)/%.group) $(if $(filter $k,$(REFERENCED)),$(k:%.S=$(BUILD)/%.reference.o)): $(call source_of,$k) $(call row_files,$k)))
assemble_sequence = $(AS_DRIVER) $(CPPFLAGS) $(call asm_flags,$(1)) $(call sequence_words,$(call stem,$(1))) \
                    $(if $(filter $(1),$(REFERENCED)),-DSEQUENCE_REFERENCE) $(call row_options,$(1)) -c $(call source_of,$(1))
$(OBJ_SEQ): %.o: %.group platforms/isa.def $(BUILT_WITH)
	$(Q)$(call assemble_sequence,$(call sequence_of,$@)) -DGROUP_UOPS=$$(cat $<) -MMD -MP -o $@
# Its group is assembled alone before, and its uops counted: GROUP_UOPS.
$(OBJ_SEQ:.o=.group): %.group: platforms/isa.def $(UOPS) $(BUILT_WITH)
	$(Q)$(call assemble_sequence,$(patsubst $(BUILD)/%.group,%.S,$@)) -MMD -MP -MF $@.d -MT $@ -o $@.o
	$(Q)$(DISASSEMBLE) -d $@.o | $(UOPS) --group >$@

# The C half of a sequence is the same file, compiled as C and for any CPU.
$(OBJ_REFERENCE): $(BUILT_WITH)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) $(QUICK) $(with_c_headers) $(call sequence_words,$(call stem,$(call sequence_of,$@))) -DSEQUENCE_REFERENCE $(call row_options,$(call sequence_of,$@)) \
	  -MMD -MP -x c -c $(call source_of,$(call sequence_of,$@)) -o $@

$(OBJ_QUANT): $(BUILD)/%.o: %.c platforms/isa.def $(BUILT_WITH)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) $(TIMED) $(C_FLAGS_$(call isa_of,$<)) $(addprefix -include ,$(call intrinsics,$<)) -DSELF=quantizer_$(call symbol,$(call stem,$<)) \
	  -DSELF_NAME='"$(call stem,$<)"' -DSELF_ISA='"$(call isa_of,$<)"' -MMD -MP -c $< -o $@

$(foreach k,$(LAYERS),$(eval $(call obj,$k): $(call source_of,$k) $(call row_files,$k)))
$(OBJ_LAYERS): platforms/isa.def $(BUILT_WITH)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) $(TIMED) $(C_FLAGS_$(call isa_of,$@)) $(addprefix -include ,$(call intrinsics,$@)) -DSELF=layer_$(call symbol,$(call stem,$@)) \
	  -DSELF_NAME='"$(call stem,$@)"' -DSELF_ISA='"$(call isa_of,$@)"' -DSELF_ISA_WORD=$(call isa_of,$@) $(call row_options,$(call name_of,$@)) \
	  -MMD -MP -c $(call source_of,$(call name_of,$@)) -o $@

microkernel_source = $(or $(firstword $(ROW_$(1:.S=.c))),$(1))
$(foreach k,$(MICROKERNELS),$(eval $(k:%.S=$(BUILD)/%.microkernel.o): $(call microkernel_source,$k) $(call row_files,$(k:.S=.c))))
$(OBJ_MICROKERNELS): $(BUILD)/%.microkernel.o: platforms/isa.def $(BUILT_WITH)
	$(Q)$(AS_DRIVER) $(CPPFLAGS) $(call asm_flags,$*.S) -DSELF=kernel_$(call symbol,$(call kernel_name,$*.S)) $(call self_words,$*.S) $(call row_options,$*.c) -MMD -MP -c $(call microkernel_source,$*.S) -o $@

# Uops of a step in C are counted in its object. Code with sanitizers is not timed: a number stands for what it would count.
$(GEN)/step_uops.c: $(call obj,$(STEPS)) $(UOPS) Makefile
	$(Q){ echo '#include "micro/step.h"' && echo 'const struct step_uops step_uops[] = {' && \
	  $(if $(STEPS),$(if $(SAN),printf '    {"%s"$(COMMA) 12}$(COMMA)\n' $(foreach k,$(STEPS),$(call kernel_name,$k)),LC_ALL=C $(DISASSEMBLE) -td -j .text.gamma -j '*ABS*' $(call obj,$(STEPS)) | $(UOPS)) &&) \
	  echo '    {0, 0},' && echo '};'; } >$@
$(GEN)/step_uops.o: $(GEN)/step_uops.c $(BUILT_WITH)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) -c $< -o $@

# ---------------------------------------------------------------- generated registries

# One X-macro table a family; rewritten only when the set of files changes.
define REGISTRY
/* Generated from the file names by make. */
#define REGISTRY_FORMATS(X) $(foreach f,$(FORMATS),X(format_$(notdir $(patsubst %/,%,$(dir $f)))))
#define REGISTRY_BLOCK_ORDERS(X) $(foreach f,$(ORDERS),X(format_$(notdir $(patsubst %/,%,$(dir $f)))))
#define REGISTRY_KERNELS(X) $(foreach f,$(KERNELS),X(kernel_$(call symbol,$(call kernel_name,$f))))
#define REGISTRY_KERNEL_SOURCES(X) $(foreach f,$(KERNELS),X("$(call kernel_name,$f)", "$(call source_of,$f)", "$(call row_macros,$f)"))
#define REGISTRY_DEVICE_KERNELS(X) $(foreach f,$(filter %.opencl.cl,$(call row_names,$(KERNEL_ROWS))),X("$(call kernel_name,$f)", "$(call source_of,$f)", "$(call row_macros,$f)"))
#define REGISTRY_SEQUENCE_SOURCES(X) $(foreach f,$(SEQUENCES),X("$(call stem,$f)", "$(call source_of,$f)", "$(call row_macros,$f)"))
#define REGISTRY_KERNEL_VARIANTS(X) $(foreach f,$(VARIED),X(variants_$(call symbol,$(call kernel_name,$f))))
#define REGISTRY_SEQUENCES(X) $(foreach n,$(sort $(foreach f,$(SEQUENCES),$(call stem,$f)) $(foreach f,$(STEPS),$(call kernel_name,$f))),X(sequence_$(call symbol,$n)))
#define REGISTRY_CODE_OFFSETS(X) $(foreach f,$(OFFSETS),X(code_offsets_$(call symbol,$(call stem,$f))))
#define REGISTRY_STREAMS(X) $(foreach f,$(STREAMS),X(stream_$(call symbol,$(call stem,$f))))
#define REGISTRY_QUANTIZERS(X) $(foreach f,$(QUANTIZERS),X(quantizer_$(call symbol,$(call stem,$f))))
#define REGISTRY_LAYERS(X) $(foreach f,$(LAYERS),X(layer_$(call symbol,$(call stem,$f))))
#define REGISTRY_CELL_KINDS(X) $(foreach f,$(CELL_KINDS),X(cell_kind_$(call stem,$f)))
#define REGISTRY_PURPOSES(X) $(foreach f,$(PURPOSES),X(purpose_$(call stem,$f)))
#define REGISTRY_COMMANDS(X) $(foreach f,$(COMMANDS),X(command_$(call stem,$f)))
#define REGISTRY_ENGINE_FORMATS(X) $(foreach f,$(ENGINE_FORMATS),X(engine_format_$(call stem,$f)))
#define REGISTRY_FIGURES(X) $(foreach f,$(FIGURES),X(figure_$(call stem,$f)))
endef
# Apart from the others: who counts knows how many back ends there are, and needs no other table.
define COUNTERS_REGISTRY
/* Generated from the file names by make. */
#define REGISTRY_COUNTERS(X) $(foreach f,$(COUNTERS),X(counters_backend_$(call stem,$f)))
endef

# Data files travel inside the binary, so that it runs from anywhere.
define EMBEDDED_ASM
    .section .data.rel.ro,"aw"
    .balign 8
    .global embedded_files
embedded_files:
    .section .rodata
$(foreach f,$(EMBEDDED),$(NEWLINE)1: .asciz "$f"$(NEWLINE)2: .incbin "$f"$(NEWLINE)3: .byte 0$(NEWLINE)    .section .data.rel.ro,"aw"$(NEWLINE)    .balign 8$(NEWLINE)    .quad 1b, 2b, 3b - 2b$(NEWLINE)    .previous)
    .section .data.rel.ro,"aw"
    .balign 8
    .quad 0, 0, 0
    .section .note.GNU-stack,"",%progbits
endef
define EMBEDDED_H
/* Generated by make: data files embedded in the binary. The table ends with a NULL path; bytes are NUL-terminated. */
#ifndef EMBEDDED_H
#define EMBEDDED_H
#include <stddef.h>
struct embedded_file { const char *path; const char *bytes; size_t length; };
extern const struct embedded_file embedded_files[];
#endif
endef
define BUILT_WITH_TEXT
compiler  $(CC): $(CC_VERSION)
CPPFLAGS  $(CPPFLAGS)
CFLAGS    $(CFLAGS_ALL)
timed     $(TIMED)
quick     $(QUICK)
assembler $(AS_DRIVER) $(AS_BASE_$(ARCH))
optional  $(OPTIONAL_THERE)
endef
define LINKED_WITH_TEXT
LDFLAGS   $(LDFLAGS) $(LDLIBS) $(TEST_LIBS)
DEBUG     $(DEBUG)
endef
define BUILD_INFO_H
/* Generated by make. */
#ifndef BUILD_INFO_H
#define BUILD_INFO_H
extern const char *const build_revision, *const build_compiler, *const build_flags, *const build_kernel_flags;
extern const int build_dirty;
/* SHA-256 of the objects of each kernel and sequence, without debug information; ends with a NULL name. */
extern const struct build_code { const char *name, *sha256; } build_code[];
#endif
endef
define NEWLINE


endef

# All that is built depends on what is written here, and so needs no folder of its own.
FOLDERS = $(sort $(dir $(LIB_OBJECTS) $(BUILD)/harness/main.o $(OBJ_STANDINS) $(INTRINSICS) $(C_HEADERS_READ) $(call obj,$(TESTS)) $(OBJ_FUZZ) $(FAIL)))
.PHONY: FORCE
FORCE:
	@mkdir -p $(FOLDERS)
write_if_changed = $(file >$@.new,$(1)) cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(GEN)/registry.h: FORCE
	@$(call write_if_changed,$(REGISTRY))

$(GEN)/counters_registry.h: FORCE
	@$(call write_if_changed,$(COUNTERS_REGISTRY))
$(GEN)/embedded.h: FORCE
	@$(call write_if_changed,$(EMBEDDED_H))
$(GEN)/build_info.h: FORCE
	@$(call write_if_changed,$(BUILD_INFO_H))
$(GEN)/built_with: FORCE
	@$(call write_if_changed,$(BUILT_WITH_TEXT))
$(GEN)/linked_with: FORCE
	@$(call write_if_changed,$(LINKED_WITH_TEXT))

$(GEN)/embedded.S: FORCE
	@$(call write_if_changed,$(EMBEDDED_ASM))

$(GEN)/embedded.o: $(GEN)/embedded.S $(EMBEDDED) $(BUILT_WITH)
	$(Q)$(AS_DRIVER) -c $< -o $@

# Revision and dirty bit belong to the build, not to the folder the tool is later run in. A copy of the tree that is no
# repository (a package's) has both in a file.
REVISION = $(if $(wildcard .revision),$(filter-out unknown,$(firstword $(file <.revision))),$(shell git rev-parse HEAD 2>/dev/null))
DIRTY    = $(if $(wildcard .revision),$(lastword $(file <.revision)),$(if $(shell git status --porcelain --untracked-files=no 2>/dev/null),1,0))
# What kernels are compiled with beside these and the flags of their ISA: TIMED, and what a user has in CPPFLAGS.
KERNEL_FLAGS = $(strip $(TIMED) $(filter-out -I. -D_GNU_SOURCE -DKNEEPOINT_VERSION=% -DISA_ASSEMBLER_BASE=%,$(CPPFLAGS)))
c_string     = "$(subst ','\'',$(subst ",\",$(1)))"
$(GEN)/build_info.c: FORCE
	@printf '%s\n' 'extern const char *const build_revision, *const build_compiler, *const build_flags, *const build_kernel_flags;' 'extern const int build_dirty;' \
	  'const char *const build_revision = "$(REVISION)";' \
	  'const int build_dirty = $(DIRTY);' \
	  'const char *const build_compiler = "$(CC_VERSION)";' \
	  'const char *const build_flags = $(call c_string,$(CFLAGS_ALL));' \
	  'const char *const build_kernel_flags = $(call c_string,$(KERNEL_FLAGS));' > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(GEN)/build_info.o: $(GEN)/build_info.c $(BUILT_WITH)
	$(Q)$(CC) $(CFLAGS_ALL) -c $< -o $@

# What is measured, told apart by its machine code and constants, not by where they lie: copies of objects without debug information and local names, all
# stripped and hashed at once. A kernel's microkernel, or the tiles that it borrows, follow behind its own.
OBJCOPY := $(shell $(CC) -print-prog-name=objcopy)
STRIP   := $(shell $(CC) -print-prog-name=strip)
MEASURED := $(OBJ_KERNELS) $(OBJ_MICROKERNELS) $(OBJ_SEQ)
CODE     := $(GEN)/code
code_of  = $(if $(filter $(1),$(KERNELS)),$(call kernel_name,$(1)),$(call stem,$(1)))
$(GEN)/build_code.c: $(MEASURED) Makefile | $(GEN)/build_info.h
	$(Q)$(file >$@.objects,$(MEASURED))$(file >$@.copies,$(addprefix $(CODE)/,$(MEASURED)))rm -rf $(CODE) && mkdir $(CODE) && \
	  xargs -r cp --parents -t $(CODE) <$@.objects && xargs -r $(STRIP) -g -x -R .comment <$@.copies
	$(Q)$(foreach m,$(OBJ_MICROKERNELS),cat $(CODE)/$m >>$(CODE)/$(m:.microkernel.o=.o);) $(foreach k,$(BORROWERS),$(foreach l,$(filter $(call lender_of,$k),$(LENDERS)),cat $(CODE)/$(call obj,$l) >>$(CODE)/$(call obj,$k);))
	$(Q){ echo '#include "build_info.h"'; echo 'const struct build_code build_code[] = {'; \
	  { printf '%s\n' $(foreach f,$(KERNELS) $(SEQUENCES),$(call code_of,$f)); sha256sum $(patsubst %,$(CODE)/%,$(call obj,$(KERNELS) $(SEQUENCES))); } | \
	    awk 'NF == 1 { name[++names] = $$1; next } { printf "    {\"%s\", \"%s\"},\n", name[++hashes], $$1 }'; \
	  echo '    {0, 0},'; echo '};'; } > $@.new && mv $@.new $@ && rm -r $(CODE)
$(GEN)/build_code.o: $(GEN)/build_code.c $(BUILT_WITH)
	$(Q)$(CC) -I$(GEN) $(CFLAGS_ALL) -c $< -o $@

# ---------------------------------------------------------------- tests

# The calls and loops of kernels are tested where there are kernels.
TESTS     := $(if $(KERNELS),$(TESTS),$(filter-out harness/check/kernel%_test.c harness/check/items/kernel%_test.c,$(TESTS)))
TEST_LIBS ?= -lcmocka $(LDLIBS)
# Each holds the whole library: without its debug information they are linked in a third of the time, and faster still by gold,
# where it is installed. DEBUG=1 keeps it, as sanitizers need it for their lines.
GOLD      := $(if $(filter $(ARCH),$(shell uname -m)),$(if $(shell command -v ld.gold),-fuse-ld=gold))
TEST_LDFLAGS := $(if $(SAN)$(DEBUG),,-Wl,-S) $(GOLD)
TEST_BINS := $(patsubst %.c,$(BUILD)/%,$(TESTS))
# A test says in its first comment what it needs: "steady:" the stand-ins of *_standin.c, which the linker puts in place of the
# functions that they wrap; "timed:" to run alone (scripts/run_tests).
STANDINS_OF = $(if $(shell grep -lE '^(/| )\* steady:' $(1)),$(OBJ_STANDINS) $(WRAP))
WRAP      := $(addprefix -Wl$(COMMA)--wrap=,$(sort $(shell sed -n 's/.*__wrap_\([a-z0-9_]*\).*/\1/p' $(filter %_standin.c,$(C_ALL)))))
$(TEST_BINS): $(BUILD)/%_test: $(BUILD)/%_test.o $(LIB) $(OBJ_STANDINS) $(LINKED_WITH)
	$(Q)$(CC) $(LDFLAGS) $(TEST_LDFLAGS) -o $@ $< $(if $(filter %/corpus_test,$@),$(OBJ_FUZZ)) $(call STANDINS_OF,$*_test.c) $(LIB) $(TEST_LIBS)

# Packed fixtures (scripts/pack): tests read PATH.txt as the folder UNPACKED/PATH.
PACKED    := $(sort $(wildcard fuzz/corpus/*.txt platforms/fixtures/*.txt platforms/fixtures/machines/*.txt))
UNPACKED  := $(PACKED:%.txt=$(BUILD)/unpacked/%)
$(UNPACKED): $(BUILD)/unpacked/%: %.txt scripts/pack
	$(Q)mkdir -p $(@D) && rm -rf $@ && scripts/pack --unpack $< $@
$(TEST_BINS): | $(UNPACKED)
TEST_PATHS := -DUNPACKED='"$(BUILD)/unpacked"'

# The tool for tests of the command line.
STEADY    := $(BUILD)/kneepoint-steady
$(STEADY): $(BUILD)/harness/main.o $(OBJ_STANDINS) $(LIB) $(LINKED_WITH)
	$(Q)$(CC) $(LDFLAGS) -o $@ $(BUILD)/harness/main.o $(OBJ_STANDINS) $(WRAP) $(LIB) $(LDLIBS)

# What scripts/check_aarch64.bats and scripts/machines.bats run is built here, beside the tests and outside of their time limit.
CROSS_HERE := $(and $(filter-out aarch64,$(ARCH)),$(shell command -v aarch64-linux-gnu-gcc),$(shell command -v qemu-aarch64))
EMULATORS_HERE := $(and $(CROSS_HERE),$(shell command -v qemu-system-aarch64),$(shell command -v cpio))
.PHONY: cross-built
cross-built: $(BIN)
	$(Q)$(if $(EMULATORS_HERE),scripts/machines build ||) scripts/check_aarch64 --build || true

# Scripts that judge the tree and say so in TAP.
CHECKS    := scripts/check_includes scripts/check_format scripts/check_unused
# T: the part whose paths begin so, as results, harness/cmd/gemv or results/statistics/stats_test.c.
T         ?=
PART      := $(patsubst ./%,%,$(T:.c=))
PROGRAMS  := $(if $(T),$(filter $(BUILD)/$(PART)%,$(TEST_BINS)) $(filter $(PART)%,$(CHECKS)),$(TEST_BINS) $(CHECKS))
BATS      := $(if $(T),$(filter $(PART)%,$(BATS)),$(BATS))
ifneq ($(filter check check-fast,$(MAKECMDGOALS)),)
$(if $(strip $(PROGRAMS) $(BATS)),,$(error the path of no test begins with '$(T)'; T=results and T=harness/cmd/gemv are parts))
endif
# Programs that go into a machine, as its file says.
MACHINE_TESTS := $(addprefix $(BUILD)/,$(sort $(shell sed -n 's/^tests="\(.*\)"$$/\1/p' platforms/emulated/*)))
check: $(BIN) $(STEADY) $(MANUAL) $(filter %_test,$(PROGRAMS)) $(if $(filter scripts/machines%,$(BATS)),$(MACHINE_TESTS)) $(if $(filter %aarch64.bats,$(BATS)),$(if $(CROSS_HERE),cross-built))  ## run every test (no root, no counters, no quiet machine), or T=part; SAN=1 with ASan and UBSan, SAN=thread with TSan
	$(Q)scripts/run_tests --binary $(BIN) $(PROGRAMS) -- $(BATS)

check-fast: $(BIN) $(filter %_test,$(PROGRAMS))  ## run the tests that need neither the command line nor the clock
	$(Q)scripts/run_tests --binary $(BIN) --fast $(filter %_test,$(PROGRAMS)) --

tests: $(BIN) $(STEADY) $(MANUAL) $(TEST_BINS)  ## build the tests without running them

# A short part of it is in `make check`, through scripts/check_aarch64.bats, where the tools are there.
check-aarch64:  ## cross-compile all of it for aarch64 and run its tests under qemu-user (correctness only, minutes)
	$(Q)scripts/check_aarch64 --whole

# Four of them are in `make check`, through scripts/machines.bats.
machines: $(BIN) $(STEADY) $(MACHINE_TESTS)  ## boot every machine of platforms/emulated in an emulator, with this build inside, and check it there
	$(Q)scripts/machines build
	$(Q)scripts/machines check

# ---------------------------------------------------------------- use

RESULTS ?= results
report: $(BIN)  ## characterize this machine and render the report; BUDGET=seconds, RESULTS=folder
	$(Q)$(BIN) characterize $(if $(BUDGET),--budget=$(BUDGET)) --results=$(RESULTS) --report

figures: $(BIN)  ## every figure of the newest run, or of RUN=folder (into its report/), as SVG and PNG; build/figures
	$(Q)[ -z '$(RUN)' ] || [ -e '$(RUN)/meta.json' ] || { echo "make figures: RUN='$(RUN)' is no folder of a run" >&2; exit 2; }
	$(Q)drawn=0; for figure in $(basename $(notdir $(FIGURES))); do for format in svg png; do \
	  $(BIN) figure $$figure --image $$format $(if $(RESULTS),--results '$(RESULTS)') \
	    $(if $(RUN),--run '$(RUN)',-o $(BUILD)/figures) || continue; drawn=1; done; done; [ $$drawn = 1 ]

# The picture of the README, of the newest run that is committed; DRAWN: where a test has it drawn anew.
PICTURE := docs/hero.svg
DRAWN   ?= $(PICTURE)
picture: $(BIN)  ## draw the README's picture, docs/hero.svg, from the newest committed run of the two-core guest
	$(Q)run=$$(git ls-files 'results/runs/amd-epyc-zen-5/*/meta.json' | sort | tail -n 1) && [ -n "$$run" ] || \
	  { echo 'make picture: no run below results/runs/amd-epyc-zen-5 is committed' >&2; exit 2; }; \
	  $(BIN) figure hero --run="$${run%/meta.json}" -o $(BUILD)/picture >/dev/null && cp $(BUILD)/picture/hero.svg $(DRAWN) && echo $(DRAWN)

format:  ## lay out the C sources with clang-format 14
	$(Q)scripts/check_format --fix

help:  ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*##  *\(.*\)/  make \1|\2/p' Makefile fuzz/fuzz.mk packaging/install.mk plugins/plugins.mk scripts/faults/faults.mk | awk -F'|' '{printf "%-16s %s\n", $$1, $$2}'
	@echo '  variables: CC=gcc|clang  SAN=1|thread  T=part  DEBUG=1  SECONDS=seconds  BUILD=folder  BUDGET=seconds  RESULTS=folder  PREFIX=folder  DESTDIR=folder  V=1'

include fuzz/fuzz.mk
include packaging/install.mk
include plugins/plugins.mk
include scripts/faults/faults.mk

clean:  ## remove what was built (results stay)
	$(Q)rm -rf $(BUILD)

.PHONY: all check check-fast check-aarch64 machines tests fuzz fuzz-programs report figures picture format help clean

-include $(shell find $(BUILD) -name aarch64-root -prune -o -name '*.d' -type f -print 2>/dev/null)
