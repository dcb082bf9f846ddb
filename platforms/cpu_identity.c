/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "platforms/cpuid_dump.h"
#include "platforms/isa.h"

enum { CORE_TYPE_ATOM = 0x20 };

struct cores {
    const char *vendor;
    uint32_t family, first_model, last_model;
    const char *core, *efficiency_core;
};

static const struct cores known_cores[] = {
#define CORES(vendor, family, first, last, core, efficiency_core) {vendor, family, first, last, core, efficiency_core},
#include "platforms/microarchitectures.def"
#undef CORES
};

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

static void name_microarchitecture(const struct cpuid_dump *dump, struct cpu_identity *identity)
{
    uint64_t core_type = cpuid_dump_word(dump, 0x1a, 0, CPUID_WORD_EAX) >> 24;
    for (size_t i = 0; i < sizeof known_cores / sizeof known_cores[0]; i++) {
        const struct cores *cores = &known_cores[i];
        if (strcmp(cores->vendor, identity->vendor) != 0 || cores->family != identity->family ||
            identity->model < cores->first_model || identity->model > cores->last_model)
            continue;
        bool efficiency = core_type == CORE_TYPE_ATOM && cores->efficiency_core[0];
        const char *name = efficiency ? cores->efficiency_core : cores->core;
        snprintf(identity->microarchitecture, sizeof identity->microarchitecture, "%s", name);
        return;
    }
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
