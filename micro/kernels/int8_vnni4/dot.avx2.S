/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Without VNNI: vpmaddubsw takes one unsigned operand and saturates, so the magnitude of w = u - 128 multiplies a with the sign
 * of w; 128 * 127 * 2 stays within 16 bits for activations in [-127, 127]. A fifth sum collects 128 times the activations,
 * which makes sum u a of sum w a.
 *
 *   ymm0-9 sums of 2 panels, the fifth of each 128 sum a   ymm12 activations   ymm13 weights, then their magnitude
 *   ymm14 signed activations   ymm15 0x80
 */
#define INTERLEAVE        2
#define SUMS          5
#define VECTOR        ymm
#define VECTOR_BYTES  32
#define STEP_BYTES    128
#define OPERAND_BYTES 4
#include "micro/kernels/microkernel_frame.h"

    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1
.Lsign: .fill 32, 1, 0x80

.macro load_constants
    vmovdqa ymm15, [rip + .Lsign]
.endm

.macro operand address
    vpbroadcastd ymm12, dword ptr [\address]
.endm

.macro dot sum, address
    vpxor ymm13, ymm15, [\address]
    vpsignb ymm14, ymm12, ymm13
    vpabsb ymm13, ymm13
    vpmaddubsw ymm13, ymm13, ymm14
    vpmaddwd ymm13, ymm13, [rip + .Lones]
    vpaddd ymm\sum, ymm\sum, ymm13
.endm

.macro offset sum
    vpmaddubsw ymm13, ymm15, ymm12
    vpmaddwd ymm13, ymm13, [rip + .Lones]
    vpaddd ymm\sum, ymm\sum, ymm13
.endm

.macro step base, address
    dot %(\base), \address
    dot %(\base + 1), \address + 32
    dot %(\base + 2), \address + 64
    dot %(\base + 3), \address + 96
    offset %(\base + 4)
.endm

    microkernel_functions
