/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "platforms/cpu/tiles.h"

#if defined(__x86_64__)
#include <cpuid.h>

#define LEAF_EXTENDED   0x80000000u
#define LEAF_AMD_CACHES 0x8000001du

static const struct cpuid_leaf *execute(struct cpuid_dump *dump, uint32_t leaf, uint32_t subleaf)
{
    if (dump->count == CPUID_DUMP_LEAVES)
        return NULL;
    struct cpuid_leaf *result = &dump->leaves[dump->count++];
    result->leaf = leaf;
    result->subleaf = subleaf;
    __cpuid_count(leaf, subleaf, result->eax, result->ebx, result->ecx, result->edx);
    return result;
}

/** Last subleaf worth recording: those that name features, caches, XSAVE components and the APIC topology. */
static uint32_t last_subleaf(const struct cpuid_leaf *first)
{
    switch (first->leaf) {
    case 0x4:
    case LEAF_AMD_CACHES: return 4;
    case 0x7: return first->eax < 2 ? first->eax : 2;
    case 0xb:
    case 0xd:
    case 0x1f: return 2;
    case 0x1d: return 1; /* palette 1 of tiles */
    default: return 0;
    }
}

static void execute_subleaves(struct cpuid_dump *dump, uint32_t leaf)
{
    const struct cpuid_leaf *first = execute(dump, leaf, 0);
    uint32_t subleaves = first ? last_subleaf(first) : 0;
    for (uint32_t subleaf = 1; subleaf <= subleaves; subleaf++)
        execute(dump, leaf, subleaf);
}

static void execute_range(struct cpuid_dump *dump, uint32_t base, uint32_t limit)
{
    const struct cpuid_leaf *range = execute(dump, base, 0);
    if (!range || range->eax < base)
        return;
    uint32_t last = range->eax < limit ? range->eax : limit;
    for (uint32_t leaf = base + 1; leaf <= last; leaf++)
        execute_subleaves(dump, leaf);
}

static uint64_t read_xcr0(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

int cpuid_dump_host(struct cpuid_dump *dump)
{
    memset(dump, 0, sizeof *dump);
    execute_range(dump, 0, 0x24);
    execute_range(dump, LEAF_EXTENDED, 0x80000008);
    if (cpuid_dump_word(dump, LEAF_EXTENDED, 0, CPUID_WORD_EAX) >= LEAF_AMD_CACHES)
        execute_subleaves(dump, LEAF_AMD_CACHES); /* what lies between says nothing that is asked for */
    const uint64_t features = cpuid_dump_word(dump, 0x1, 0, CPUID_WORD_ECX);
    if (features >> 31 & 1) /* a hypervisor answers only if this is set */
        execute_range(dump, 0x40000000, 0x40000001);
    if (features >> 27 & 1) /* OSXSAVE */
        dump->xcr0 = read_xcr0();
    dump->tile_error = tiles_request(dump, tiles_of_linux());
    return 0;
}

#elif defined(__aarch64__)
#include <sys/auxv.h>
#include <sys/prctl.h>

/* HWCAP_CPUID: the kernel emulates reads of the ID registers of the core that the thread runs on. */
enum { HWCAP_CPUID_BIT = 11 };

/** Of this thread, 0 where there is no SVE. Kernel and user may have set less than the core has. */
static uint64_t sve_bytes(void)
{
    int length = prctl(PR_SVE_GET_VL);
    return length > 0 ? (uint64_t)length & PR_SVE_VL_LEN_MASK : 0;
}

int cpuid_dump_host(struct cpuid_dump *dump)
{
    memset(dump, 0, sizeof *dump);
    dump->hwcap = getauxval(AT_HWCAP);
    dump->hwcap2 = getauxval(AT_HWCAP2);
    if (dump->hwcap >> HWCAP_CPUID_BIT & 1)
        __asm__("mrs %0, midr_el1" : "=r"(dump->midr));
    dump->sve_bytes = sve_bytes();
    return 0;
}

#else

int cpuid_dump_host(struct cpuid_dump *dump)
{
    memset(dump, 0, sizeof *dump);
    return -ENOTSUP;
}

#endif
