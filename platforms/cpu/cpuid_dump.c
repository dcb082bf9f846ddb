/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/cpu/cpuid_dump.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF_FEATURES = 0x1, LEAF_EXTENDED_FEATURES = 0x7, OSXSAVE_BIT = 27, ERRNO_MOST = 4095 };

/* ---------------------------------------------------------------- looking up */

static const struct cpuid_leaf *find(const struct cpuid_dump *dump, uint32_t leaf, uint32_t subleaf)
{
    for (size_t i = 0; i < dump->count; i++) {
        if (dump->leaves[i].leaf == leaf && dump->leaves[i].subleaf == subleaf)
            return &dump->leaves[i];
    }
    return NULL;
}

/**
 * Intel CPUs answer a leaf above the highest with the data of the highest: such an answer says nothing about the CPU.
 */
static bool stated(const struct cpuid_dump *dump, uint32_t leaf, uint32_t subleaf)
{
    const struct cpuid_leaf *range = find(dump, leaf & 0xf0000000, 0);
    if (!range || leaf > range->eax)
        return false;
    if (leaf != LEAF_EXTENDED_FEATURES || subleaf == 0)
        return true;
    const struct cpuid_leaf *first = find(dump, leaf, 0);
    return first && subleaf <= first->eax;
}

const struct cpuid_leaf *cpuid_dump_leaf(const struct cpuid_dump *dump, uint32_t leaf, uint32_t subleaf)
{
    return stated(dump, leaf, subleaf) ? find(dump, leaf, subleaf) : NULL;
}

uint64_t cpuid_dump_word(const struct cpuid_dump *dump, uint32_t leaf, uint32_t subleaf, enum cpuid_word word)
{
    if (word == CPUID_WORD_HWCAP)
        return dump->hwcap;
    if (word == CPUID_WORD_HWCAP2)
        return dump->hwcap2;
    if (word == CPUID_WORD_SVE_BYTES)
        return dump->sve_bytes & (dump->sve_bytes - 1) ? 0 : dump->sve_bytes;
    const struct cpuid_leaf *found = cpuid_dump_leaf(dump, leaf, subleaf);
    if (!found)
        return 0;
    switch (word) {
    case CPUID_WORD_EAX: return found->eax;
    case CPUID_WORD_EBX: return found->ebx;
    case CPUID_WORD_ECX: return found->ecx;
    default: return found->edx;
    }
}

static bool osxsave(const struct cpuid_dump *dump)
{
    return cpuid_dump_word(dump, LEAF_FEATURES, 0, CPUID_WORD_ECX) >> OSXSAVE_BIT & 1;
}

uint64_t cpuid_dump_xcr0(const struct cpuid_dump *dump)
{
    return osxsave(dump) ? dump->xcr0 : 0;
}

const char *cpuid_dump_architecture(const struct cpuid_dump *dump)
{
    return dump->count > 0 ? "x86_64" : "aarch64";
}

/* ---------------------------------------------------------------- text */

static bool only_blanks(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return *text == '\0';
}

/** "XCR0: 0x2e7". @return 1 read, 0 the line is another one, -EINVAL */
static int parse_word(const char *text, const char *label, uint64_t *value)
{
    size_t length = strlen(label);
    if (strncmp(text, label, length) != 0 || text[length] != ':')
        return 0;
    char *end;
    errno = 0;
    *value = strtoull(text + length + 1, &end, 16);
    return errno == 0 && end != text + length + 1 && only_blanks(end) ? 1 : -EINVAL;
}

static int parse_leaf(const char *text, struct cpuid_dump *dump)
{
    struct cpuid_leaf leaf;
    int length = 0;
    int fields = sscanf(
        text, "0x%" SCNx32 " 0x%" SCNx32 ": eax=0x%" SCNx32 " ebx=0x%" SCNx32 " ecx=0x%" SCNx32 " edx=0x%" SCNx32 "%n",
        &leaf.leaf, &leaf.subleaf, &leaf.eax, &leaf.ebx, &leaf.ecx, &leaf.edx, &length);
    if (fields != 6 || !only_blanks(text + length))
        return -EINVAL;
    if (dump->count == CPUID_DUMP_LEAVES)
        return -E2BIG;
    dump->leaves[dump->count++] = leaf;
    return 0;
}

/** "TILE-ERROR: 0x1": the errno of the refusal. @return as parse_word */
static int parse_tile_error(const char *text, struct cpuid_dump *dump)
{
    uint64_t error = 0;
    int found = parse_word(text, "TILE-ERROR", &error);
    if (found > 0 && error > ERRNO_MOST)
        return -EINVAL;
    if (found > 0)
        dump->tile_error = -(int)error;
    return found;
}

struct parser {
    struct cpuid_dump *dump;
    unsigned cpus; /* headers seen: "CPU:" or "CPU 3:" */
    bool xcr0_seen;
};

static int parse_line(struct parser *parser, const char *text)
{
    struct cpuid_dump *dump = parser->dump;
    while (isspace((unsigned char)*text))
        text++;
    if (*text == '\0' || *text == '#')
        return 0;
    if (strncmp(text, "CPU", 3) == 0 && (text[3] == ':' || text[3] == ' ')) {
        parser->cpus++;
        return 0;
    }
    int found = parse_word(text, "XCR0", &dump->xcr0);
    parser->xcr0_seen |= found > 0;
    if (found == 0)
        found = parse_tile_error(text, dump);
    if (found == 0)
        found = parse_word(text, "HWCAP", &dump->hwcap);
    if (found == 0)
        found = parse_word(text, "HWCAP2", &dump->hwcap2);
    if (found == 0)
        found = parse_word(text, "MIDR", &dump->midr);
    if (found == 0)
        found = parse_word(text, "SVE-BYTES", &dump->sve_bytes);
    if (found != 0)
        return found < 0 ? found : 0;
    return parser->cpus > 1 ? 0 : parse_leaf(text, dump);
}

static int check_complete(const struct parser *parser)
{
    const struct cpuid_dump *dump = parser->dump;
    bool nothing = dump->count == 0 && dump->hwcap == 0;
    return nothing || (osxsave(dump) && !parser->xcr0_seen) ? -ENODATA : 0;
}

int cpuid_dump_read(const char *path, struct cpuid_dump *dump, unsigned *line)
{
    unsigned number = 0;
    if (line)
        *line = 0;
    memset(dump, 0, sizeof *dump);
    FILE *file = fopen(path, "re");
    if (!file)
        return -errno;

    struct parser parser = {.dump = dump};
    char *text = NULL;
    size_t capacity = 0;
    int error = 0;
    errno = 0;
    while (error == 0 && getline(&text, &capacity, file) >= 0) {
        number++;
        error = parse_line(&parser, text);
    }
    if (error != 0 && line)
        *line = number;
    if (error == 0 && ferror(file))
        error = errno ? -errno : -EIO;
    if (error == 0)
        error = check_complete(&parser);
    free(text);
    fclose(file);
    return error;
}

static void write_word(FILE *stream, const char *label, uint64_t value)
{
    if (value)
        fprintf(stream, "%s: 0x%" PRIx64 "\n", label, value);
}

char *cpuid_dump_text(const struct cpuid_dump *dump)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    if (dump->count)
        fprintf(stream, "CPU:\n");
    for (const struct cpuid_leaf *leaf = dump->leaves; leaf < dump->leaves + dump->count; leaf++)
        fprintf(stream,
                "   0x%08" PRIx32 " 0x%02" PRIx32 ": eax=0x%08" PRIx32 " ebx=0x%08" PRIx32 " ecx=0x%08" PRIx32
                " edx=0x%08" PRIx32 "\n",
                leaf->leaf, leaf->subleaf, leaf->eax, leaf->ebx, leaf->ecx, leaf->edx);
    if (osxsave(dump))
        fprintf(stream, "XCR0: 0x%" PRIx64 "\n", dump->xcr0);
    write_word(stream, "TILE-ERROR", (uint64_t) - (int64_t)dump->tile_error);
    if (!dump->count)
        fprintf(stream, "HWCAP: 0x%" PRIx64 "\nHWCAP2: 0x%" PRIx64 "\n", dump->hwcap, dump->hwcap2);
    write_word(stream, "MIDR", dump->midr);
    write_word(stream, "SVE-BYTES", dump->sve_bytes);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}
