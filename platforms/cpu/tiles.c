/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/cpu/tiles.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LEAF_FEATURES = 7, AMX_TILE_BIT = 24, LEAF_PALETTES = 0x1d, PALETTE = 1, LEAF_MULTIPLIER = 0x1e };
#define XCR0_TILES (UINT64_C(3) << 17)

static bool cpu_has(const struct cpuid_dump *dump)
{
    return cpuid_dump_word(dump, LEAF_FEATURES, 0, CPUID_WORD_EDX) >> AMX_TILE_BIT & 1;
}

static bool os_saves(const struct cpuid_dump *dump)
{
    return (cpuid_dump_xcr0(dump) & XCR0_TILES) == XCR0_TILES;
}

int tiles_request(const struct cpuid_dump *dump, const struct tile_system *system)
{
    if (!cpu_has(dump) || !os_saves(dump))
        return 0;
    return system->arch_prctl(system->context, TILE_REQUEST_PERMISSION, TILE_DATA_COMPONENT);
}

static int call_arch_prctl(void *context, int operation, unsigned long argument)
{
    (void)context;
#if defined(__x86_64__) && defined(SYS_arch_prctl)
    return syscall(SYS_arch_prctl, operation, argument) == 0 ? 0 : -errno;
#else
    (void)operation, (void)argument;
    return -ENOSYS;
#endif
}

const struct tile_system *tiles_of_linux(void)
{
    static const struct tile_system system = {call_arch_prctl, NULL};
    return &system;
}

enum tile_access tiles_access(const struct cpuid_dump *dump)
{
    if (!cpu_has(dump))
        return TILES_ABSENT;
    if (!os_saves(dump))
        return TILES_HIDDEN;
    return dump->tile_error ? TILES_REFUSED : TILES_GRANTED;
}

struct tile_facts tiles_facts(const struct cpuid_dump *dump)
{
    const struct cpuid_leaf *palette = cpuid_dump_leaf(dump, LEAF_PALETTES, PALETTE);
    const struct cpuid_leaf *multiplier = cpuid_dump_leaf(dump, LEAF_MULTIPLIER, 0);
    struct tile_facts facts = {0};
    if (palette)
        facts = (struct tile_facts){
            .names = palette->ebx >> 16, .row_bytes = palette->ebx & 0xffff, .rows = palette->ecx & 0xffff};
    if (multiplier) {
        facts.multiplier_rows = multiplier->ebx & 0xff;
        facts.multiplier_row_bytes = multiplier->ebx >> 8 & 0xffff;
    }
    return facts;
}

const char *tiles_refusal(int error)
{
    switch (error < 0 ? -error : error) {
    case ENOSYS:
    case EINVAL: return "this Linux cannot grant it: 5.16 is the first that can";
    case ENOSPC: return "a thread's signal stack is too small for tiles";
    case EPERM:
    case EACCES: return "a filter of system calls forbids it (arch_prctl)";
    default: return strerror(error < 0 ? -error : error);
    }
}

void tiles_describe(const struct cpuid_dump *dump, char *text, size_t size)
{
    struct tile_facts facts = tiles_facts(dump);
    switch (tiles_access(dump)) {
    case TILES_ABSENT: snprintf(text, size, "the CPU has none"); break;
    case TILES_HIDDEN: snprintf(text, size, "the CPU has them, but the OS does not save them (XCR0)"); break;
    case TILES_REFUSED:
        snprintf(text, size, "the OS refuses them to this process: %s", tiles_refusal(dump->tile_error));
        break;
    default:
        if (!facts.names) {
            snprintf(text, size, "granted; CPUID does not state their sizes");
            break;
        }
        snprintf(text, size, "%u of %u rows x %u bytes, multiplier of %u x %u bytes, granted to this process",
                 facts.names, facts.rows, facts.row_bytes, facts.multiplier_rows, facts.multiplier_row_bytes);
        break;
    }
}
