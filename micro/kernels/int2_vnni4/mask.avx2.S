/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Masks without VNNI. The upper two fields are shifted down once, because 192 * 127 * 2 leaves the 16 bits of vpmaddubsw; the
 * products of columns 0-3 and 4-7 are added as words (12 * 127 * 4 stays within 16 bits) before they are widened.
 * 30 uops for 8 output vectors.
 *
 *   ymm0-7 sums of 2 panels, of fields 0-3; fields 1 and 3 times 4   ymm10, ymm11 activations of columns 0-3, 4-7
 *   ymm12, ymm13 weights   ymm14, ymm15 products
 */
#define INTERLEAVE        2
#define SUMS          4
#define VECTOR        ymm
#define VECTOR_BYTES  32
#define STEP_BYTES    64
#define OPERAND_BYTES 8
#include "micro/kernels/microkernel_frame.h"

    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1
.Lmask03: .fill 32, 1, 0x03
.Lmask0c: .fill 32, 1, 0x0c

.macro load_constants
.endm

.macro operand address
    vpbroadcastd ymm10, dword ptr [\address]
    vpbroadcastd ymm11, dword ptr [\address + 4]
.endm

.macro field sum, mask
    vpand ymm14, ymm12, [rip + \mask]
    vpand ymm15, ymm13, [rip + \mask]
    vpmaddubsw ymm14, ymm14, ymm10
    vpmaddubsw ymm15, ymm15, ymm11
    vpaddw ymm14, ymm14, ymm15
    vpmaddwd ymm14, ymm14, [rip + .Lones]
    vpaddd ymm\sum, ymm\sum, ymm14
.endm

.macro step base, address
    vmovdqa ymm12, [\address]
    vmovdqa ymm13, [\address + 32]
    field %(\base), .Lmask03
    field %(\base + 1), .Lmask0c
    vpsrld ymm12, ymm12, 4
    vpsrld ymm13, ymm13, 4
    field %(\base + 2), .Lmask03
    field %(\base + 3), .Lmask0c
.endm

    microkernel_functions
