/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Fields of instructions with a three-byte VEX prefix. Pure; no byte is read past the instruction. */

/** Registers in the order of their numbers in encodings: rax rcx rdx rbx rsp rbp rsi rdi r8 … r15; then: */
enum { VEX_REGISTER_RIP = 16, VEX_REGISTERS, VEX_NO_REGISTER = -1 };

/** Of the prefix and the ModRM byte, inverted bits set right. */
struct vex_fields {
    unsigned r, x, b, vvvv, l, w;
    unsigned mod, reg, rm;
};

/** base + displacement + (index << scale) */
struct vex_memory {
    int base, index; /* VEX_NO_REGISTER: none */
    unsigned scale;
    int32_t displacement;
};

struct vex_fields vex_read_fields(const uint8_t *code);

/** The memory operand from the ModRM byte on. @return its bytes, ModRM included */
size_t vex_read_memory(const uint8_t *modrm, const struct vex_fields *fields, struct vex_memory *memory);
