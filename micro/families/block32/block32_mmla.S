/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of 32, as many rows as a register has 32-bit lanes interleaved by eight bytes, for two tokens at a time: a register is 8 weights of half of the
 * rows, smmla multiplies it with 8 activations of 2 tokens. The cycles are counted per weight; a product of one token leaves half of the work unused.
 * Around the products zeros, sums and their scales.
 *
 *            codes                                                      uops         Neoverse N2   V1, V2   V1 at 256 bits
 *   q4_0     signed, in the upper half of a byte                        27, SVE 28   3.38          1.69     1.75
 *            [arm-kernels-codebooks, 4.2; its Q4_0_4_8, Q4_0_8_8]:
 *            4 x (shl, and, 2 smmla), and 11, SVE 12
 *   iq4_nl   indices into 16 bytes: 4 x (and, ushr, 2 tbl, 2 smmla),    35           4.38          2.19     2.19   tbl on two of V1's pipes
 *            and 11
 *   q8_0     bytes: 8 smmla, and 11                                     19           2.38          1.19     1.19
 *
 * N2: 2 vector pipes, for 4 output vectors; V1, V2: 4, V1 with SVE 2 of 256 bits for 8.
 *
 *     weights and activations: block32_pairs.h
 *
 *   0-11 accumulators: rows by pairs, in each (row, token)   12-15, 19 weights, their scales   16, 17, 21, 26 activations   18 the tokens' scales
 *   20 mask   23 codebook   24, 25, 28, 29 temporaries   30, 31 sums of the rows' halves   9 and others: mmla.<isa>.inc
 *   of bytes 0-10 accumulators   11-17, 21, 19 weights, their scales   22-25 activations
 */
#ifdef VECTOR_IS_SVE256
#define ROWS 8
#else
#define ROWS 4
#endif
#if defined CODES_ARE_BYTES
#define ORIGIN     "kneepoint"
#define BYTES      34.0
#define CODE_BYTES 32
#define MOST       11
#elif defined CODES_ARE_INDICES
#define ORIGIN     "kneepoint"
#define BYTES      18.0
#define CODE_BYTES 16
#define MOST       12
#else
#define ORIGIN     "arm-kernels-codebooks"
#define BYTES      18.0
#define CODE_BYTES 16
#define MOST       12
#endif
#define CLAIMED          0.0
#define WEIGHT_BYTES     (ROWS * (2 + CODE_BYTES))
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 72
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       2
#define GROUP_VECTORS    ROWS
#define LEAST            2
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/of_self.h"

#if defined CODES_ARE_BYTES || defined CODES_ARE_INDICES
#define MMLA_BITS 0
#define MMLA_MASK 0x0f
#else
#define MMLA_BITS 4
#define MMLA_MASK 0xf0
#endif
#include OF_ISA(micro/isa/mmla)

#ifdef CODES_ARE_BYTES
#define WEIGHTS     11, 12, 13, 14, 15, 16, 17, 21
#define ACTIVATIONS 22, 23, 24, 25
#else
#define WEIGHTS     12, 13, 14, 15
#define ACTIVATIONS 16, 17, 21, 26
#endif

#ifdef CODES_ARE_INDICES
    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Lcodebook: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
#endif

.macro load_constants
    mmla_constants
#ifdef CODES_ARE_INDICES
    mmla_codebook .Lcodebook
#endif
    .set loaded, 0
    .irp register, ACTIVATIONS
    mmla_activations \register, %(loaded)
    .set loaded, loaded + 16
    .endr
    mmla_token_scales 64
.endm

.macro load_weights base, offset
    mmla_halves \base, \offset
    .set loaded, 2 * MMLA_ROWS
    .irp register, WEIGHTS
    mmla_load \register, \base, %(\offset + loaded)
    .set loaded, loaded + VECTOR_BYTES
    .endr
.endm

.macro dot_into number, source
    mmla_add \number, \source
.endm

/* codes of columns m and m + 16 */
.macro products from, sum, low, high
#ifdef CODES_ARE_INDICES
    mmla_and 24, \from
    mmla_shift_down 25, \from
    mmla_look_up 24
    mmla_look_up 25
#else
    mmla_shift_up 24, \from
    mmla_and 25, \from
#endif
    mmla_multiply \sum, 24, \low
    mmla_multiply \sum, 25, \high
.endm

.macro group
    mmla_zero 30
    mmla_zero 31
#ifdef CODES_ARE_BYTES
    mmla_multiply 30, 11, 22
    mmla_multiply 31, 12, 22
    mmla_multiply 30, 13, 23
    mmla_multiply 31, 14, 23
    mmla_multiply 30, 15, 24
    mmla_multiply 31, 16, 24
    mmla_multiply 30, 17, 25
    mmla_multiply 31, 21, 25
#else
    products 12, 30, 16, 21
    products 13, 31, 16, 21
    products 14, 30, 17, 26
    products 15, 31, 17, 26
#endif
    mmla_scales 28, 29
    mmla_convert 30
    mmla_convert 31
    dot 30, 28
    dot 31, 29
.endm

    sequence_functions
#else
#include "micro/families/block32/block32_pairs.h"

#if defined CODES_ARE_BYTES
#define VALUES NULL
#elif defined CODES_ARE_INDICES
#define VALUES block32_nonlinear
#else
#define VALUES block32_signed
#endif

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block32_pairs_refer(data, ROWS, dot, VALUES, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_pairs_fill(weights, activations, ROWS, CODE_BYTES, seed);
}
#endif
