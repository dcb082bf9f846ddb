/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What bit-serial sequences share [apt-llm, III-B]. The file states WEIGHT_BITS, ACTIVATION_BITS and REGISTERS (of each
 * plane); a product of two planes is an exclusive or and a count,
 *
 *     Y(i, j) = K - 2 count(w(i) ^ a(j)),     sum over i, j of 2^(i + j) Y(i, j)
 *             = (2^WEIGHT_BITS - 1) (2^ACTIVATION_BITS - 1) K - 2 sum over i, j of 2^(i + j) count(w(i) ^ a(j))
 *
 * with K = 64 REGISTERS elements in a 64-bit lane. Weights are the last registers, planes of activations operands in
 * memory, one for all rows.
 */
#define WEIGHT_FIRST (32 - WEIGHT_BITS * REGISTERS)

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 64
.Lelements: .fill VECTOR_BYTES / 8, 8, 64 * REGISTERS * ((1 << WEIGHT_BITS) - 1) * ((1 << ACTIVATION_BITS) - 1)
    .text

.macro load_weights base, offset
    .set weight_number, 0
    .rept WEIGHT_BITS * REGISTERS
    load_weight %(WEIGHT_FIRST + weight_number), \base, %(\offset + weight_number * VECTOR_BYTES)
    .set weight_number, weight_number + 1
    .endr
.endm

.macro load_weight number, base, offset
    sequence_move VECTOR\number, [\base + \offset]
.endm

/* all pairs of planes, in the order of what they count for: `level_begins l`, then `pair i, j` with i + j = l */
.macro pairs
    .set pair_level, 0
    .rept WEIGHT_BITS + ACTIVATION_BITS - 1
    level_begins %(pair_level)
    .set pair_i, 0
    .rept WEIGHT_BITS
    .if pair_i <= pair_level
    .if pair_level - pair_i < ACTIVATION_BITS
    pair %(pair_i), %(pair_level - pair_i)
    .endif
    .endif
    .set pair_i, pair_i + 1
    .endr
    .set pair_level, pair_level + 1
    .endr
.endm

/* differing bits of register r of the planes i and j */
.macro differ into, i, j, r
    differ_of \into, %(WEIGHT_FIRST + \i * REGISTERS + \r), %((\j * REGISTERS + \r) * VECTOR_BYTES)
.endm

.macro differ_of into, weight, activations
    vpxorq zmm\into, zmm\weight, [rsi + \activations]
.endm
#else
#include "micro/families/bit_serial/bit_serial.h"
#endif
