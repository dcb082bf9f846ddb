/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "harness/check/vex/vex.h"

/**
 * The dot products of AVX-VNNI-INT8 as the manual encodes them: VEX.128 and VEX.256, map 0F38, W0, opcodes 50 and 51, with the
 * prefix F2 (both signed), F3 (the first signed, the second unsigned) or none (both unsigned). Pure: no signal, no state.
 */
struct dot_instruction {
    bool first_signed, second_signed;
    bool saturates; /* vpdpb..ds */
    bool is_256;    /* else the upper half of the sum becomes zero */
    bool second_in_memory;
    uint8_t sum, first, second; /* vector registers */
    struct vex_memory memory;   /* instead of the second */
    size_t length;
};

/** Decode at `code`; reads no byte past the instruction. @return false for any other instruction */
bool dot_decode(const uint8_t *code, struct dot_instruction *instruction);

/**
 * Where its operand in memory is.
 * @param general  general registers by number, and at VEX_REGISTER_RIP the address of the next instruction
 */
uint64_t dot_address(const struct dot_instruction *instruction, const uint64_t general[VEX_REGISTERS]);

/** Execute on registers[16][32]; second: the 16 or 32 bytes in memory, NULL where it is a register. */
void dot_execute(const struct dot_instruction *instruction, uint8_t registers[16][32], const uint8_t *second);

/**
 * Dot products of AVX-VNNI-INT8 of the very machine code that ships, on a CPU without it: each raises SIGILL, whose handler
 * executes it on the vector registers that the signal saved, and continues after it. For checks only.
 */

/** Whether code of an ISA (a row of isa.def) has them and this CPU does not. */
bool dot_emulator_stands_in(const char *isa);

/**
 * Execute what the signal stopped, and the dot products that follow on it; the context then points past the last.
 * @return whether it was one; false without a change
 */
bool dot_emulate(ucontext_t *context);
