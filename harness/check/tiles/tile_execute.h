/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CHECK_TILES_TILE_EXECUTE_H
#define HARNESS_CHECK_TILES_TILE_EXECUTE_H

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

#endif
