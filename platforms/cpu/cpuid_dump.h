/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

/**
 * What the CPU says of itself, taken from this machine or from text, and single words of it by the rules of the CPUID
 * instruction.
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
    int tile_error;         /* 0, or why the OS refuses this process the AMX tiles that XCR0 has: negative errno */
    uint64_t hwcap, hwcap2; /* getauxval on aarch64, else 0 */
    uint64_t midr;          /* MIDR_EL1 on aarch64, where the kernel lets user code read it; else 0 */
    uint64_t sve_bytes;     /* of an SVE vector of this process on aarch64, as the kernel has set it; 0 without SVE */
};

/** Dump the CPUID of the calling core (on a hybrid machine, pin first), and where it has AMX tiles ask the OS for them, which
 * stays granted to the process (platforms/cpu/tiles.h). The first time before there are threads. @return 0, or -ENOTSUP on an architecture
 * without CPUID or hwcaps. */
int cpuid_dump_host(struct cpuid_dump *dump);

/**
 * Read a dump from text. Accepts the raw format of cpuid(1) (`cpuid -r -1`) plus a line "XCR0: 0x…" and, where the OS refuses the AMX tiles, one
 * "TILE-ERROR: 0x1" with the errno; on aarch64 lines "HWCAP: 0x…", "HWCAP2: 0x…" and, if known, "MIDR: 0x…" and, with SVE, "SVE-BYTES: 0x…". Empty lines and lines that begin with '#' are skipped; of
 * several CPUs the first counts.
 * @param line  receives the number of the malformed line, 0 for an error of the whole file; may be NULL
 * @return 0; -ENOENT, -EACCES… from the file; -EINVAL for a malformed line; -E2BIG for more leaves than a dump holds;
 *         -ENODATA if there is no leaf and no hwcap, or OSXSAVE is on but the XCR0 line is missing
 */
int cpuid_dump_read(const char *path, struct cpuid_dump *dump, unsigned *line);

/** The dump as cpuid_dump_read() takes it, for the user to send and a test to keep. @return text to free, or NULL without memory */
char *cpuid_dump_text(const struct cpuid_dump *dump);

enum cpuid_word {
    CPUID_WORD_EAX,
    CPUID_WORD_EBX,
    CPUID_WORD_ECX,
    CPUID_WORD_EDX,
    CPUID_WORD_HWCAP,
    CPUID_WORD_HWCAP2,
    CPUID_WORD_SVE_BYTES, /* 0 unless it is a power of two, so that a bit of it says the length */
};

/** The leaf as executed, or NULL if the dump lacks it or it lies above the highest leaf or subleaf the CPU states. */
const struct cpuid_leaf *cpuid_dump_leaf(const struct cpuid_dump *dump, uint32_t leaf, uint32_t subleaf);

/** One word; 0 where the leaf is absent. */
uint64_t cpuid_dump_word(const struct cpuid_dump *dump, uint32_t leaf, uint32_t subleaf, enum cpuid_word word);

/** XCR0, or 0 if the OS has not set OSXSAVE, whatever the dump says. */
uint64_t cpuid_dump_xcr0(const struct cpuid_dump *dump);

/** "x86_64" if there is a leaf, else "aarch64". */
const char *cpuid_dump_architecture(const struct cpuid_dump *dump);
