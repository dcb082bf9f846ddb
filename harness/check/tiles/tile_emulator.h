/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CHECK_TILES_TILE_EMULATOR_H
#define HARNESS_CHECK_TILES_TILE_EMULATOR_H

#include <stdbool.h>
#include <ucontext.h>

#include "harness/check/tiles/tile_execute.h"

/**
 * Tile instructions of the very machine code that ships, on a CPU without AMX: each raises SIGILL, whose handler executes
 * it on tile registers in software and continues after it. For checks only; what is timed runs on CPUs that have AMX, which
 * CPUID decides and nothing here can change.
 */

/**
 * Whether code of an ISA (a row of isa.def) has tile instructions and this machine has no tiles: a CPU without AMX, or one
 * whose tiles the OS does not save. One that has tiles and lacks an instruction on them cannot be helped, nor one whose tiles the OS
 * refuses to this process: there instructions on their configuration raise no signal, and all others do.
 */
bool tile_emulator_stands_in(const char *isa);

/** What the handler of SIGILL does with an instruction. */
enum tile_emulated {
    TILE_NOT_EMULATED, /* no tile instruction, and nothing was changed */
    TILE_EMULATED,     /* done; the context points past it */
    TILE_EMULATED_UD,  /* the CPU would raise SIGILL, */
    TILE_EMULATED_GP,  /* SIGSEGV without an address */
};

/**
 * Execute what the signal stopped, and the tile instructions that follow on it, so that one signal serves them all; the context
 * points past the last one done, or at the one that is wrong. A fault of its memory is a SIGSEGV within this call: see tile_emulator_stopped_at. */
enum tile_emulated tile_emulate(ucontext_t *context, const char **why);

/** The instruction that is being executed, NULL when none is: where a nested signal belongs to. */
const uint8_t *tile_emulator_stopped_at(void);

/** Forget the instruction that a signal ended, and put this thread's tiles into their initial state. */
void tile_emulator_reset(void);

/**
 * Whether this thread's tiles are in their initial state, in which no context switch saves them: of the emulated ones, or,
 * on a CPU that has AMX, of its own (XGETBV with ECX = 1). True where neither can be told.
 */
bool tile_registers_are_released(void);

#endif
