/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <ucontext.h>

#include "harness/check/tiles/tile_decode.h"

/**
 * Tile registers in software, and what each instruction does to them and to memory: palette 1, as the manual's pseudocode
 * says, with every condition that raises #UD or #GP.
 */
enum { TILE_NAMES = 8, TILE_ROWS = 16, TILE_ROW_BYTES = 64, TILE_CONFIGURATION_BYTES = 64 };

struct tile_registers {
    bool configured; /* TILES_CONFIGURED; without it everything is in its initial state */
    uint8_t start_row;
    uint8_t rows[TILE_NAMES];
    uint16_t row_bytes[TILE_NAMES]; /* colsb */
    _Alignas(64) uint8_t data[TILE_NAMES][TILE_ROWS][TILE_ROW_BYTES];
};

enum tile_outcome { TILE_EXECUTED, TILE_RAISES_UD, TILE_RAISES_GP };

/**
 * Execute. Memory is read and written where the instruction says, row by row; a fault of it is the caller's to handle, and
 * leaves the tile that was being loaded undefined.
 *
 * @param general  general registers by number, and at TILE_REGISTER_RIP the address of the next instruction
 * @param why      receives what is wrong, for a human, unless it was executed
 */
enum tile_outcome tile_execute(struct tile_registers *tiles, const struct tile_instruction *instruction,
                               const uint64_t general[TILE_REGISTERS], const char **why);

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
