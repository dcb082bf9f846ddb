/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Masks without VNNI: each bit stays in its place; 128 * 127 * 2 just stays within the 16 bits of vpmaddubsw.
 * 32 uops for 8 output vectors.
 *
 *   ymm0-7 sums of 1 panel, plane p times 2^p   ymm8 activations   ymm9 weights   ymm10 product
 */
#define INTERLEAVE        1
#define SUMS          8
#define VECTOR        ymm
#define VECTOR_BYTES  32
#define STEP_BYTES    64
#define OPERAND_BYTES 8
#include "micro/kernels/microkernel_frame.h"

    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1
.Lmask0: .fill 32, 1, 0x01
.Lmask1: .fill 32, 1, 0x02
.Lmask2: .fill 32, 1, 0x04
.Lmask3: .fill 32, 1, 0x08
.Lmask4: .fill 32, 1, 0x10
.Lmask5: .fill 32, 1, 0x20
.Lmask6: .fill 32, 1, 0x40
.Lmask7: .fill 32, 1, 0x80

.macro load_constants
.endm

.macro operand address
    lea rdi, [\address]
.endm

.macro plane sum, mask
    vpand ymm10, ymm9, [rip + \mask]
    vpmaddubsw ymm10, ymm10, ymm8
    vpmaddwd ymm10, ymm10, [rip + .Lones]
    vpaddd ymm\sum, ymm\sum, ymm10
.endm

.macro half base, address, column
    vpbroadcastd ymm8, dword ptr [rdi + \column]
    vmovdqa ymm9, [\address]
    plane %(\base + 0), .Lmask0
    plane %(\base + 1), .Lmask1
    plane %(\base + 2), .Lmask2
    plane %(\base + 3), .Lmask3
    plane %(\base + 4), .Lmask4
    plane %(\base + 5), .Lmask5
    plane %(\base + 6), .Lmask6
    plane %(\base + 7), .Lmask7
.endm

.macro step base, address
    half \base, \address, 0
    half \base, \address + 32, 4
.endm

    microkernel_functions
