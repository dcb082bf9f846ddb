/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adders of w<p>a<q>.harley_seal.avx2. All exclusive ors that count for 2^l go through full adders to one register of
 * bits, which is then counted, and registers of carries, which count for 2^(l + 1): the shifts by which [apt-llm,
 * III-B] puts the products of the planes together are the places of the carries. What is left is counted by nibble
 * look-ups into tables that hold the factor 2^l already; five levels fit a byte (at most 8 x 31) before vpsadbw widens.
 *
 *   ymm0 accumulator   ymm1 bytes' counts   ymm2 temporary, sum of `half`   ymm3 sum of a level   ymm4-8 carries
 *   ymm9 another input, table   ymm10-15 (or fewer) weights
 */
#include "micro/families/bit_serial/bit_serial_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lcounts:
    .irp factor, 1, 2, 4, 8, 16
    .irp lane, 0, 1
    .irp count, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4
    .byte \factor * \count
    .endr
    .endr
    .endr
.Lzero: .fill 32, 1, 0
.Lmask: .fill 32, 1, 0x0f
    .text

.macro load_constants
.endm

.macro dot_into number, source
    vpsubd ymm\number, ymm\number, \source
.endm

/* a, b, c: the sum becomes a, the carry b */
.macro full a, b, c
    vpxor ymm2, ymm\a, ymm\b
    vpand ymm\b, ymm\a, ymm\b
    vpxor ymm\a, ymm2, ymm\c
    vpand ymm2, ymm2, ymm\c
    vpor ymm\b, ymm\b, ymm2
.endm

/* a, b: the sum becomes ymm2, the carry b */
.macro half a, b
    vpxor ymm2, ymm\a, ymm\b
    vpand ymm\b, ymm\a, ymm\b
.endm

/* bits of `bits`, of level `level`; `free` and ymm9 are not needed any more */
.macro count bits, level, free
    vmovdqa ymm9, [rip + .Lcounts + \level % 5 * 32]
    vpsrlw ymm\free, ymm\bits, 4
    vpand ymm\bits, ymm\bits, [rip + .Lmask]
    vpand ymm\free, ymm\free, [rip + .Lmask]
    vpshufb ymm\bits, ymm9, ymm\bits
    vpshufb ymm\free, ymm9, ymm\free
    .if \level % 5
    vpaddb ymm\bits, ymm\bits, ymm\free
    vpaddb ymm1, ymm1, ymm\bits
    .else
    vpaddb ymm1, ymm\bits, ymm\free
    .endif
.endm

/* bytes' counts, of `levels` and up, to the lanes of a register, twice as large */
.macro widen into, levels
    vpsadbw ymm1, ymm1, [rip + .Lzero]
    vpsllq ymm\into, ymm1, \levels + 1
.endm

.macro finish sum
    vpsubd ymm\sum, ymm\sum, [rip + .Lelements]
    dot ymm\sum
.endm
#endif
