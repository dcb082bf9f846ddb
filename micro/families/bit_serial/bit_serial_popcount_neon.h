/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Body of w<p>a<q>.popcount.neon [apt-llm, III-B]. A register is a bit of 2 rows and 64 columns, four are a step of a plane: exclusive
 * or with a word of activations in both halves, a count of each byte, and uadalp, which adds pairs of counts to sums of 16 bits. Weights
 * and words are loaded for each pair of planes, as in the kernel. Pairs come by what they count for, most first, and the sums double
 * from one level to the next, up to 16 STEPS (2^WEIGHT_BITS - 1) (2^ACTIVATION_BITS - 1). They are sums of differing bits: what
 * the number of columns adds to them is a matter of whole rows.
 *
 * The file states WEIGHT_BITS, ACTIVATION_BITS and STEPS. Weights lie as in the kernel's panel: of a step, of a plane, 8 rows of 8
 * bytes; activations by plane, a word a step.
 *
 *   v0-7 accumulators: 4 lanes for 2 rows   v16-v19 weights, differing bits, counts   v24-v27 sums   v28 word of activations   x11 weights
 */
#define PLANE_BYTES 64
#define STEP_BYTES  (PLANE_BYTES * WEIGHT_BITS)

#if 16 * STEPS * ((1 << WEIGHT_BITS) - 1) * ((1 << ACTIVATION_BITS) - 1) > 65535
#error "sums of 16 bits cannot hold so many STEPS"
#endif

#ifdef __ASSEMBLER__
.macro load_constants
.endm

/* where they are: the group reads them */
.macro load_weights base, offset
    add x11, \base, \offset
.endm

.macro dot_into number, source
    uadalp v\number\().4s, v\source\().8h
.endm

.macro differ register
    eor v\register\().16b, v\register\().16b, v28.16b
.endm

.macro count register
    cnt v\register\().16b, v\register\().16b
.endm

.macro add_counts sum, register
    .if sums_are_empty
    uaddlp v\sum\().8h, v\register\().16b
    .else
    uadalp v\sum\().8h, v\register\().16b
    .endif
.endm

.macro twice sum
    shl v\sum\().8h, v\sum\().8h, 1
.endm

.macro pair_step i, j, step
    ldr d28, [x1, (\j * STEPS + \step) * 8]
    ldp q16, q17, [x11, \step * STEP_BYTES + \i * PLANE_BYTES]
    ldp q18, q19, [x11, \step * STEP_BYTES + \i * PLANE_BYTES + 32]
    dup v28.2d, v28.d[0]
    .irp register, 16, 17, 18, 19
    differ \register
    .endr
    .irp register, 16, 17, 18, 19
    count \register
    .endr
    add_counts 24, 16
    add_counts 25, 17
    add_counts 26, 18
    add_counts 27, 19
    .set sums_are_empty, 0
.endm

.macro pair i, j
    .set pair_step_number, 0
    .rept STEPS
    pair_step \i, \j, %(pair_step_number)
    .set pair_step_number, pair_step_number + 1
    .endr
.endm

/* the pairs that count for 2^level */
.macro level_pairs level
    .set pair_i, 0
    .rept WEIGHT_BITS
    .if pair_i <= \level
    .if \level - pair_i < ACTIVATION_BITS
    pair %(pair_i), %(\level - pair_i)
    .endif
    .endif
    .set pair_i, pair_i + 1
    .endr
.endm

.macro group
    .set pair_level, WEIGHT_BITS + ACTIVATION_BITS - 2
    .set sums_are_empty, 1
    .rept WEIGHT_BITS + ACTIVATION_BITS - 1
    .if sums_are_empty == 0
    .irp sum, 24, 25, 26, 27
    twice \sum
    .endr
    .endif
    level_pairs %(pair_level)
    .set pair_level, pair_level - 1
    .endr
    dot 24
    dot 25
    dot 26
    dot 27
.endm
#else
#include "micro/families/bit_serial/bit_serial.h"

/**
 * Dot `dot` is rows 2 dot and 2 dot + 1; a lane takes half the columns of each step. Differing bits are what a product of two bipolar
 * values w, x falls short of its largest by:
 *
 *     sum over i, j of 2^(i + j) (w(i) ^ x(j)) = ((2^WEIGHT_BITS - 1) (2^ACTIVATION_BITS - 1) - w x) / 2
 */
static inline void bit_serial_refer_differing(const struct sequence_data *data, uint32_t dot, int32_t lanes[4])
{
    const int32_t largest = ((1 << WEIGHT_BITS) - 1) * ((1 << ACTIVATION_BITS) - 1);
    for (unsigned step = 0; step < STEPS; step++) {
        const uint8_t *weights = data->weights + step * STEP_BYTES + dot * VECTOR_BYTES;
        const uint8_t *activations = data->activations + step * 8;
        for (unsigned bit = 0; bit < 8 * VECTOR_BYTES; bit++) {
            int32_t w = bit_serial_value(weights, WEIGHT_BITS, PLANE_BYTES, bit);
            int32_t x = bit_serial_value(activations, ACTIVATION_BITS, STEPS * 8, bit % 64);
            lanes[bit / 32] += (largest - w * x) / 2;
        }
    }
}
#endif
