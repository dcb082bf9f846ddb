/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_ISA_H
#define PLATFORMS_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Instruction sets as named bundles of required CPU features (isa.def), decided from a CPUID dump so that every
 * decision can be tested without the CPU. A vector feature counts as available only if the operating system saves its
 * registers (XCR0), which the dump carries.
 *
 * Errors: functions that can fail return 0 or a negative errno; functions that return a pointer return NULL.
 */

/** One CPUID leaf as executed: inputs and the four output registers. */
struct cpuid_leaf {
    uint32_t leaf, subleaf;
    uint32_t eax, ebx, ecx, edx;
};

enum { CPUID_DUMP_LEAVES = 96 };

/** What CPUID and XGETBV said on one core. On aarch64 no leaves; hwcap words and the main ID register instead. */
struct cpuid_dump {
    struct cpuid_leaf leaves[CPUID_DUMP_LEAVES];
    size_t count;
    uint64_t xcr0;          /* 0 when OSXSAVE is off */
    uint64_t hwcap, hwcap2; /* getauxval on aarch64, else 0 */
    uint64_t midr;          /* MIDR_EL1 on aarch64, where the kernel lets user code read it; else 0 */
};

/** Set of features: bit ISA_FEATURE_x of each. */
typedef uint64_t isa_features;

enum isa_feature {
#define FEATURE(name, text, leaf, subleaf, word, bit, state) ISA_FEATURE_##name,
#include "platforms/isa_features.def"
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

/** CPU identity as the dump states it. */
struct cpu_identity {
    char vendor[16];
    char brand[64]; /* empty if the CPU has no brand string */
    uint32_t family, model,
        stepping;               /* aarch64: implementer, part number, and 16 * variant + revision ("r3p1": 0x31) */
    char hypervisor[16];        /* signature, e.g. "KVMKVMKVM"; empty on bare metal */
    char microarchitecture[48]; /* "Golden Cove (server)"…; empty if unknown to us */
    bool hybrid;                /* CPUID.7.EDX[15] */
};

/** Dump the CPUID of the calling core (on a hybrid machine, pin first). @return 0, or -ENOTSUP on an architecture
 * without CPUID or hwcaps. */
int cpuid_dump_host(struct cpuid_dump *dump);

/**
 * Read a dump from text. Accepts the raw format of cpuid(1) (`cpuid -r -1`) plus a line "XCR0: 0x…"; on aarch64 lines
 * "HWCAP: 0x…", "HWCAP2: 0x…" and, if known, "MIDR: 0x…". Empty lines and lines that begin with '#' are skipped; of
 * several CPUs the first counts.
 * @param line  receives the number of the malformed line, 0 for an error of the whole file; may be NULL
 * @return 0; -ENOENT, -EACCES… from the file; -EINVAL for a malformed line; -E2BIG for more leaves than a dump holds;
 *         -ENODATA if there is no leaf and no hwcap, or OSXSAVE is on but the XCR0 line is missing
 */
int cpuid_dump_read(const char *path, struct cpuid_dump *dump, unsigned *line);

/** Features available to user code: CPU bits AND the XCR0 state they need. */
isa_features isa_features_of(const struct cpuid_dump *dump);

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

#endif
