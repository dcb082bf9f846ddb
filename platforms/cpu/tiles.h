/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platforms/cpu/cpuid_dump.h"

/**
 * Tile registers (AMX): 8 KB of state that Linux lets a process use only after it has asked, since every context switch and
 * signal frame grows by it. The permission is of the process: threads have it, children of fork() too, execve() drops it.
 */

/** How the operating system is asked, so that it can be faked: arch_prctl(2). @return 0 or a negative errno */
struct tile_system {
    int (*arch_prctl)(void *context, int operation, unsigned long argument);
    void *context;
};

/** arch_prctl(ARCH_REQ_XCOMP_PERM, 18): the operation and the number of the tile data among the XSAVE components. */
enum { TILE_REQUEST_PERMISSION = 0x1023, TILE_DATA_COMPONENT = 18 };

/**
 * Ask for the tiles, if the CPU has them and the OS saves them. Before there are threads, whose signal stacks could be too
 * small for the larger frame.
 * @return 0 granted, or nothing to ask for; the negative errno of arch_prctl
 */
int tiles_request(const struct cpuid_dump *dump, const struct tile_system *system);

/** The Linux that runs this process; -ENOSYS on another architecture. */
const struct tile_system *tiles_of_linux(void);

enum tile_access {
    TILES_ABSENT,  /* the CPU has none */
    TILES_HIDDEN,  /* the OS (or a hypervisor) does not save them: XCR0 */
    TILES_REFUSED, /* the OS said no: dump->tile_error */
    TILES_GRANTED,
};
enum tile_access tiles_access(const struct cpuid_dump *dump);

/** Sizes that CPUID states of palette 1 and of the multiplier (leaves 0x1d and 0x1e); all 0 where it does not. */
struct tile_facts {
    uint32_t names, rows, row_bytes; /* 8, 16, 64 */
    uint32_t multiplier_rows;        /* most rows of B, of a dword each: K / 4 of int8 */
    uint32_t multiplier_row_bytes;   /* of B and C */
};
struct tile_facts tiles_facts(const struct cpuid_dump *dump);

/** "8 tiles of 16 rows x 64 bytes, multiplier 16 x 64", or why there are none, for a human. */
void tiles_describe(const struct cpuid_dump *dump, char *text, size_t size);

/** What arch_prctl's errno means here: "Linux has no such permission (before 5.16)"… */
const char *tiles_refusal(int error);
