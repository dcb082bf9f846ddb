/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "platforms/cpu/core_design.h"
#include "platforms/cpu/cpuid_dump.h"
#include "platforms/cpu/isa.h"

enum { CORE_TYPE_ATOM = 0x20 };

static void copy_words(char *text, const uint32_t *words, size_t count)
{
    memcpy(text, words, count * sizeof *words);
    text[count * sizeof *words] = '\0';
}

/** Brand strings come padded, in the middle too: "Intel(R) Core(TM) i5-4570   CPU". */
static void squeeze_blanks(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        bool blank = isspace((unsigned char)*from);
        if (!blank)
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    if (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
}

static void read_vendor(const struct cpuid_dump *dump, char *vendor)
{
    const struct cpuid_leaf *leaf = cpuid_dump_leaf(dump, 0, 0);
    if (leaf)
        copy_words(vendor, (const uint32_t[]){leaf->ebx, leaf->edx, leaf->ecx}, 3);
}

static void read_brand(const struct cpuid_dump *dump, char *brand)
{
    uint32_t words[12] = {0};
    for (uint32_t i = 0; i < 3; i++) {
        const struct cpuid_leaf *leaf = cpuid_dump_leaf(dump, 0x80000002 + i, 0);
        if (!leaf)
            return;
        memcpy(&words[4 * i], &leaf->eax, 4 * sizeof *words);
    }
    copy_words(brand, words, 12);
    squeeze_blanks(brand);
}

static void read_hypervisor(const struct cpuid_dump *dump, char *hypervisor)
{
    const struct cpuid_leaf *leaf = cpuid_dump_leaf(dump, 0x40000000, 0);
    bool is_guest = cpuid_dump_word(dump, 1, 0, CPUID_WORD_ECX) >> 31 & 1;
    if (is_guest && leaf)
        copy_words(hypervisor, (const uint32_t[]){leaf->ebx, leaf->ecx, leaf->edx}, 3);
}

/* Codes of Arm's implementers that CORES names. */
static const struct {
    uint32_t code;
    const char *vendor;
} implementers[] = {
    {0x41, "Arm"},      {0x43, "Cavium"}, {0x46, "Fujitsu"},   {0x48, "HiSilicon"},
    {0x51, "Qualcomm"}, {0x61, "Apple"},  {0x6d, "Microsoft"}, {0xc0, "Ampere"},
};

static void read_main_id(uint64_t midr, struct cpu_identity *identity)
{
    identity->family = (uint32_t)(midr >> 24 & 0xff);
    identity->model = (uint32_t)(midr >> 4 & 0xfff);
    identity->stepping = (uint32_t)((midr >> 20 & 0xf) << 4 | (midr & 0xf));
    for (size_t i = 0; i < sizeof implementers / sizeof implementers[0]; i++) {
        if (implementers[i].code == identity->family)
            strcpy(identity->vendor, implementers[i].vendor);
    }
}

/** Family and model by the rule of CPUID leaf 1: the extended fields count only where the base family asks for them. */
static void read_signature(const struct cpuid_dump *dump, struct cpu_identity *identity)
{
    uint32_t signature = (uint32_t)cpuid_dump_word(dump, 1, 0, CPUID_WORD_EAX);
    uint32_t base_family = signature >> 8 & 0xf;
    identity->stepping = signature & 0xf;
    identity->family = base_family == 0xf ? base_family + (signature >> 20 & 0xff) : base_family;
    identity->model = signature >> 4 & 0xf;
    if (base_family == 0x6 || base_family == 0xf)
        identity->model |= (signature >> 16 & 0xf) << 4;
}

/* ---------------------------------------------------------------- the core */

/** One subleaf a cache: 1 data, 2 instructions, 3 both. */
static void read_caches_of(const struct cpuid_dump *dump, uint32_t number, struct core_caches *caches)
{
    const struct cpuid_leaf *leaf;
    for (uint32_t subleaf = 0; (leaf = cpuid_dump_leaf(dump, number, subleaf)) && (leaf->eax & 0x1f); subleaf++) {
        uint32_t type = leaf->eax & 0x1f, level = leaf->eax >> 5 & 7;
        uint64_t bytes = ((uint64_t)(leaf->ebx >> 22) + 1) * ((leaf->ebx >> 12 & 0x3ff) + 1) *
                         ((leaf->ebx & 0xfff) + 1) * ((uint64_t)leaf->ecx + 1);
        uint32_t *kib = level == 2 ? &caches->l2_kib : type == 2 ? &caches->l1i_kib : &caches->l1d_kib;
        if (level <= 2)
            *kib = (uint32_t)(bytes >> 10);
    }
}

/** Intel answers leaf 4, AMD 0x8000001D in the same form; a hypervisor may leave an AMD CPU with the two older leaves alone. */
static void read_caches(const struct cpuid_dump *dump, struct core_caches *caches)
{
    *caches = (struct core_caches){
        .l1i_kib = (uint32_t)cpuid_dump_word(dump, 0x80000005, 0, CPUID_WORD_EDX) >> 24,
        .l1d_kib = (uint32_t)cpuid_dump_word(dump, 0x80000005, 0, CPUID_WORD_ECX) >> 24,
        .l2_kib = (uint32_t)cpuid_dump_word(dump, 0x80000006, 0, CPUID_WORD_ECX) >> 16,
    };
    read_caches_of(dump, 4, caches);
    read_caches_of(dump, 0x8000001d, caches);
}

/** "which has no avx_vnni, avx512_fp16, amx_tile and 3 more". */
static void say_contradiction(struct cpu_identity *identity, const char *chip, isa_features impossible)
{
    enum { NAMED = 3 };
    char *text = identity->contradiction;
    size_t size = sizeof identity->contradiction, length;
    unsigned named = 0;
    length = (size_t)snprintf(text, size, "the model stated, %u/%u, is %s's, which has no", identity->family,
                              identity->model, chip);
    for (unsigned i = 0; i < ISA_FEATURE_COUNT && length < size; i++) {
        if (!(impossible >> i & 1))
            continue;
        if (named++ < NAMED)
            length += (size_t)snprintf(text + length, size - length, "%s %s", named > 1 ? "," : "",
                                       isa_feature_name((enum isa_feature)i));
    }
    if (named > NAMED && length < size)
        snprintf(text + length, size - length, " and %u more", named - NAMED);
}

static void name_microarchitecture(const struct cpuid_dump *dump, struct cpu_identity *identity)
{
    enum { MOST = sizeof identity->design / sizeof *identity->design };
    bool efficiency = cpuid_dump_word(dump, 0x1a, 0, CPUID_WORD_EAX) >> 24 == CORE_TYPE_ATOM;
    struct core_stated stated = core_design_stated(identity->vendor, identity->family, identity->model, efficiency);
    if (!stated.design)
        return;
    snprintf(identity->stated_core, sizeof identity->stated_core, "%s", stated.design->name);
    isa_features features = isa_features_stated(dump), impossible = features & ~stated.design->most;
    if (impossible) {
        struct core_caches caches;
        read_caches(dump, &caches);
        say_contradiction(identity, stated.chip, impossible);
        if (core_design_infer(identity->vendor, efficiency, features, &caches, identity->design, MOST) > MOST)
            memset(identity->design, 0, sizeof identity->design);
    } else {
        identity->design[0] = stated.design;
    }
    if (identity->design[0])
        snprintf(identity->microarchitecture, sizeof identity->microarchitecture, "%s%s%s", identity->design[0]->name,
                 identity->design[1] ? " or " : "", identity->design[1] ? identity->design[1]->name : "");
}

void cpu_identity_of(const struct cpuid_dump *dump, struct cpu_identity *identity)
{
    memset(identity, 0, sizeof *identity);
    read_vendor(dump, identity->vendor);
    read_brand(dump, identity->brand);
    read_hypervisor(dump, identity->hypervisor);
    if (dump->count == 0)
        read_main_id(dump->midr, identity);
    else
        read_signature(dump, identity);
    identity->hybrid = cpuid_dump_word(dump, 7, 0, CPUID_WORD_EDX) >> 15 & 1;
    name_microarchitecture(dump, identity);
}
