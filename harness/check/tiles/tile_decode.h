/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/check/vex/vex.h"

/**
 * The tile instructions of AMX-TILE, AMX-INT8, AMX-BF16 and AMX-FP16 as the manual encodes them: VEX.128, map 0F38, W0.
 * Pure: no signal, no tile state.
 */
enum tile_operation {
    TILE_LDTILECFG,
    TILE_STTILECFG,
    TILE_TILERELEASE,
    TILE_TILEZERO,
    TILE_TILELOADD,
    TILE_TILELOADDT1,
    TILE_TILESTORED,
    TILE_TDPBSSD,
    TILE_TDPBSUD,
    TILE_TDPBUSD,
    TILE_TDPBUUD,
    TILE_TDPBF16PS,
    TILE_TDPFP16PS,
    TILE_OPERATIONS
};

enum { TILE_REGISTER_RIP = VEX_REGISTER_RIP, TILE_REGISTERS = VEX_REGISTERS, TILE_NO_REGISTER = VEX_NO_REGISTER };

struct tile_instruction {
    enum tile_operation operation;
    size_t length; /* bytes of the instruction */
    /* of tdp: C, A, B; of loads, stores and tilezero the first */
    uint8_t tiles[3];
    /* address = base + displacement, plus index << scale: of loads and stores the stride from row to row */
    int base, index; /* TILE_NO_REGISTER: none */
    unsigned scale;
    int32_t displacement;
};

enum tile_decoded {
    TILE_IS_OTHER, /* no tile instruction, or one after a prefix that we do not follow (segments, 32-bit addresses) */
    TILE_IS_UNDEFINED, /* one whose encoding raises #UD */
    TILE_IS_DECODED,
};

/** Decode at `code`. Reads no byte past the instruction; *instruction is set only where it is decoded. */
enum tile_decoded tile_decode(const uint8_t *code, struct tile_instruction *instruction);

/** "tdpbssd" */
const char *tile_operation_name(enum tile_operation operation);
