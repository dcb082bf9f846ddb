/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_CPUID_DUMP_H
#define PLATFORMS_CPUID_DUMP_H

#include "platforms/isa.h"

/** Reading single words out of a dump, by the rules of the CPUID instruction. */

enum cpuid_word { CPUID_WORD_EAX, CPUID_WORD_EBX, CPUID_WORD_ECX, CPUID_WORD_EDX, CPUID_WORD_HWCAP, CPUID_WORD_HWCAP2 };

/** The leaf as executed, or NULL if the dump lacks it or it lies above the highest leaf or subleaf the CPU states. */
const struct cpuid_leaf *cpuid_dump_leaf(const struct cpuid_dump *dump, uint32_t leaf, uint32_t subleaf);

/** One word; 0 where the leaf is absent. */
uint64_t cpuid_dump_word(const struct cpuid_dump *dump, uint32_t leaf, uint32_t subleaf, enum cpuid_word word);

/** XCR0, or 0 if the OS has not set OSXSAVE, whatever the dump says. */
uint64_t cpuid_dump_xcr0(const struct cpuid_dump *dump);

/** "x86_64" if there is a leaf, else "aarch64". */
const char *cpuid_dump_architecture(const struct cpuid_dump *dump);

#endif
