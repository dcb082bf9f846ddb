/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platforms/cpu/cpuid_dump.h"

/**
 * Instruction sets as named bundles of required CPU features (isa.def), decided from a CPUID dump so that every
 * decision can be tested without the CPU. A vector feature counts as available only if the operating system saves its
 * registers (XCR0), which the dump carries.
 *
 * Errors: functions that can fail return 0 or a negative errno; functions that return a pointer return NULL.
 */

/** Set of features: bit ISA_FEATURE_x of each. */
typedef uint64_t isa_features;

enum isa_feature {
#define FEATURE(name, text, leaf, subleaf, word, bit, state) ISA_FEATURE_##name,
#include "platforms/cpu/isa_features.def"
#undef FEATURE
    ISA_FEATURE_COUNT
};

/** One row of isa.def. */
struct isa {
    const char *name;         /* "avx_vnni" */
    const char *architecture; /* "x86_64", "aarch64", "any" */
    isa_features required;
    int priority;
    const char *assembler; /* what the GNU assembler's -march= gets after isa_assembler_base(): "+avx2+fma" */
};

/** -march= of the GNU assembler for code of this row: the base architecture and nothing else. */
const char *isa_assembler_base(void);

struct core_design; /* platforms/cpu/core_design.h, with the rule that names a core */

/** CPU identity as the dump states it, and its core as its features allow it. */
struct cpu_identity {
    char vendor[16];
    char brand[64]; /* empty if the CPU has no brand string */
    uint32_t family, model,
        stepping;               /* aarch64: implementer, part number, and 16 * variant + revision ("r3p1": 0x31) */
    char hypervisor[16];        /* signature, e.g. "KVMKVMKVM"; empty on bare metal */
    bool hybrid;                /* CPUID.7.EDX[15] */
    char stated_core[48];       /* core design by family and model: "Golden Cove (server)"…; empty if unknown to us */
    char microarchitecture[64]; /* what the features allow: the same, or where they contradict it, another, "A or B", "" */
    const struct core_design *design[2]; /* of microarchitecture; NULL beyond */
    char contradiction[200]; /* "the model stated, 6/167, is Rocket Lake's, which has no ..."; "" if nothing contradicts */
};

/** Features available to user code: CPU bits AND the XCR0 state they need. */
isa_features isa_features_of(const struct cpuid_dump *dump);

/** Features that the CPU states, whatever the operating system saves or grants. */
isa_features isa_features_stated(const struct cpuid_dump *dump);

/** Those whose registers are tiles (AMX). */
isa_features isa_tile_features(void);

/** Feature as printed, e.g. "avx512_vnni"; "" if out of range. */
const char *isa_feature_name(enum isa_feature feature);

/** Identity from the dump. */
void cpu_identity_of(const struct cpuid_dump *dump, struct cpu_identity *identity);

/** Row by name, or NULL. */
const struct isa *isa_find(const char *name);

/** All rows; *count rows. */
const struct isa *isa_rows(size_t *count);

/** Whether code of this row can run on these features on this architecture. */
bool isa_runs(const struct isa *isa, isa_features available);

/**
 * Why it cannot run, for a human: "needs avx512_vnni, avx512_vbmi" or "needs the OS to save AVX-512 registers (XCR0)"
 * or "is for aarch64". Writes "" if it can run. Always terminates text; a text too long for size ends in "...".
 */
void isa_missing(const struct isa *isa, const struct cpuid_dump *dump, char *text, size_t size);

/** Whether code of the first row lacks fewer features of the CPU than that of the second: what a message names where neither runs. */
bool isa_lacks_less(const char *isa, const char *other, const struct cpuid_dump *dump);
