/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Body of w<p>a<q>.and.avx512_vpopcntdq: that of bit_serial_popcount.h with ands, which count common bits,
 *
 *     sum = 4 sum over i, j of 2^(i + j) count(w(i) & a(j)) - 2 (2^q - 1) sum U_w - 2 (2^p - 1) sum U_a + (2^p - 1) (2^q - 1) K
 *
 * The sum of the activations is taken once, that of the weights when they are loaded.
 *
 *   as bit_serial_popcount.h, and zmm14 what no weight changes, zmm15 what is added to a group
 */
#define COUNT_SHIFT 2
#include "micro/families/bit_serial/bit_serial_popcount.h"

#ifdef __ASSEMBLER__
/* set bits of a register, which count for 2^bit, to zmm5 */
.macro add_units register, bit
    vpopcntq zmm6, \register
    vpsllq zmm6, zmm6, \bit
    vpaddq zmm5, zmm5, zmm6
.endm

/* into = from - 2 (2^bits - 1) zmm5, of 32 bits: upper halves stay zero */
.macro less_units into, from, bits
    vpslld zmm6, zmm5, \bits
    vpsubd zmm6, zmm6, zmm5
    vpaddd zmm6, zmm6, zmm6
    vpsubd zmm\into, zmm\from, zmm6
.endm

.purgem load_constants
.macro load_constants
    vpxor xmm5, xmm5, xmm5
    .set unit_number, 0
    .rept ACTIVATION_BITS * REGISTERS
    add_units [rsi + unit_number * VECTOR_BYTES], unit_number / REGISTERS
    .set unit_number, unit_number + 1
    .endr
    vmovdqa64 zmm14, [rip + .Lelements]
    less_units 14, 14, WEIGHT_BITS
.endm

.purgem load_weights
.macro load_weights base, offset
    vpxor xmm5, xmm5, xmm5
    .set weight_number, 0
    .rept WEIGHT_BITS * REGISTERS
    load_weight %(WEIGHT_FIRST + weight_number), \base, %(\offset + weight_number * VECTOR_BYTES)
    add_units_of %(WEIGHT_FIRST + weight_number), %(weight_number / REGISTERS)
    .set weight_number, weight_number + 1
    .endr
    less_units 15, 14, ACTIVATION_BITS
.endm

.macro add_units_of number, bit
    add_units zmm\number, \bit
.endm

.purgem differ_of
.macro differ_of into, weight, activations
    vpandq zmm\into, zmm\weight, [rsi + \activations]
.endm

.purgem dot_into
.macro dot_into number, source
    vpaddd zmm\number, zmm\number, \source
.endm

.purgem group
.macro group
    pairs
    vpaddd zmm4, zmm4, zmm15
    dot zmm4
.endm
#endif
