/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/cpu/isa.h"

#include <stdio.h>
#include <string.h>

#include "platforms/cpu/cpuid_dump.h"
#include "platforms/cpu/tiles.h"

/* Register states in XCR0. A CPU that has AVX-512 also keeps the upper halves of xmm and ymm, so these nest. */
enum {
    STATE_NONE = 0,
    STATE_AVX = 0x6,     /* xmm, ymm */
    STATE_AVX512 = 0xe6, /* and masks, zmm 0-15, zmm 16-31 */
    STATE_AMX = 0x60000, /* tile configuration, tile data */
};

struct feature {
    const char *text;
    uint32_t leaf, subleaf;
    enum cpuid_word word;
    unsigned bit;
    uint64_t state;
};

static const struct feature features[] = {
#define FEATURE(name, text, leaf, subleaf, word, bit, state)                                                           \
    [ISA_FEATURE_##name] = {text, leaf, subleaf, CPUID_WORD_##word, bit, STATE_##state},
#include "platforms/cpu/isa_features.def"
#undef FEATURE
};
_Static_assert(ISA_FEATURE_COUNT <= 64, "isa_features has 64 bits");

static const struct isa rows[] = {
#define F(name) ((isa_features)1 << ISA_FEATURE_##name)
#define ISA(name, architecture, c_flags, assembler_flags, required, priority)                                          \
    {#name, #architecture, required, priority, assembler_flags},
#include "platforms/isa.def"
#undef ISA
#undef F
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

const char *isa_assembler_base(void)
{
    return ISA_ASSEMBLER_BASE;
}

static bool cpu_has(const struct cpuid_dump *dump, const struct feature *feature)
{
    return cpuid_dump_word(dump, feature->leaf, feature->subleaf, feature->word) >> feature->bit & 1;
}

static bool os_saves(const struct cpuid_dump *dump, uint64_t state)
{
    return (cpuid_dump_xcr0(dump) & state) == state;
}

isa_features isa_features_of(const struct cpuid_dump *dump)
{
    isa_features available = 0;
    for (unsigned i = 0; i < ISA_FEATURE_COUNT; i++) {
        bool granted = features[i].state != STATE_AMX || !dump->tile_error;
        if (cpu_has(dump, &features[i]) && os_saves(dump, features[i].state) && granted)
            available |= (isa_features)1 << i;
    }
    return available;
}

isa_features isa_features_stated(const struct cpuid_dump *dump)
{
    isa_features stated = 0;
    for (unsigned i = 0; i < ISA_FEATURE_COUNT; i++)
        stated |= (isa_features)cpu_has(dump, &features[i]) << i;
    return stated;
}

isa_features isa_tile_features(void)
{
    isa_features tiles = 0;
    for (unsigned i = 0; i < ISA_FEATURE_COUNT; i++)
        tiles |= (isa_features)(features[i].state == STATE_AMX) << i;
    return tiles;
}

const char *isa_feature_name(enum isa_feature feature)
{
    return (unsigned)feature < ISA_FEATURE_COUNT ? features[feature].text : "";
}

const struct isa *isa_find(const char *name)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    }
    return NULL;
}

const struct isa *isa_rows(size_t *count)
{
    *count = ROW_COUNT;
    return rows;
}

bool isa_runs(const struct isa *isa, isa_features available)
{
    return (isa->required & ~available) == 0;
}

/** Append to text; what does not fit ends in "...". */
static void append(char *text, size_t size, const char *more)
{
    size_t length = strlen(text);
    if (length + strlen(more) < size)
        memcpy(text + length, more, strlen(more) + 1);
    else if (size >= 4)
        memcpy(text + (length < size - 4 ? length : size - 4), "...", 4);
}

static const char *state_name(uint64_t state)
{
    return state == STATE_AMX ? "AMX" : state == STATE_AVX512 ? "AVX-512" : "AVX";
}

/**
 * Append the features that the CPU lacks. @return the largest register state that the OS does not save for the others.
 */
static uint64_t append_absent(const struct isa *isa, const struct cpuid_dump *dump, char *text, size_t size)
{
    uint64_t unsaved = STATE_NONE;
    bool first = true;
    for (unsigned i = 0; i < ISA_FEATURE_COUNT; i++) {
        if (!(isa->required >> i & 1))
            continue;
        if (!cpu_has(dump, &features[i])) {
            append(text, size, first ? "needs " : ", ");
            append(text, size, features[i].text);
            first = false;
        } else if (!os_saves(dump, features[i].state) && features[i].state > unsaved) {
            unsaved = features[i].state;
        }
    }
    return unsaved;
}

void isa_missing(const struct isa *isa, const struct cpuid_dump *dump, char *text, size_t size)
{
    if (size == 0)
        return;
    text[0] = '\0';
    const char *architecture = cpuid_dump_architecture(dump);
    if (strcmp(isa->architecture, "any") != 0 && strcmp(isa->architecture, architecture) != 0) {
        append(text, size, "is for ");
        append(text, size, isa->architecture);
        return;
    }
    uint64_t unsaved = append_absent(isa, dump, text, size);
    if (unsaved) {
        append(text, size, text[0] ? ", and the OS to save " : "needs the OS to save ");
        append(text, size, state_name(unsaved));
        append(text, size, cpuid_dump_xcr0(dump) ? " registers (XCR0)" : " registers (OSXSAVE is off)");
    } else if ((isa->required >> ISA_FEATURE_AMX_TILE & 1) && tiles_access(dump) == TILES_REFUSED) {
        append(text, size, text[0] ? ", and the OS to grant AMX tiles: " : "needs the OS to grant AMX tiles: ");
        append(text, size, tiles_refusal(dump->tile_error));
    }
}

bool isa_lacks_less(const char *isa, const char *other, const struct cpuid_dump *dump)
{
    isa_features available = isa_features_of(dump);
    return __builtin_popcountll(isa_find(isa)->required & ~available) <
           __builtin_popcountll(isa_find(other)->required & ~available);
}
