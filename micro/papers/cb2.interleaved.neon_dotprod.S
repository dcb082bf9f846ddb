/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cb2, four rows interleaved so that a 32-bit lane is a group of one row and a register the same group of all
 * [arm-kernels-codebooks, 4.1.1, 5.3, 6.5]: tbl spreads the number of each lane's codebook, a shift that inserts joins it to the
 * code and clears what stands above, and tbl gives the centroid; one register of 16 activations serves a group by element.
 *
 * 16 x (mov, 3 ushr, 4 sli, 4 tbl, ldr, movi, 4 sdot, mla), 60 for numbers and scales, 6 for the sum: 370 uops, 17 of them loads.
 * Neoverse N1, N2: 353 on 2 vector pipes for 32 output vectors: >= 5.52. V1, V2: 4 pipes: >= 2.76.
 *
 *   v0 accumulator   v1-16 codes   v17-20 group bytes   d21 d   v22 codebooks   v23 first byte of each lane   v25 mask 0x3f a word
 *   v26 activations   v27 indices, centroids   v28 product   v29 sum   v30 group bytes in place   v31 codebooks' numbers
 */
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            10.25
#define WEIGHT_BYTES     328
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 276
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define GROUP_DOTS       1
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             1
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Lfirst: .byte 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12

.macro load_constants
    add x9, x1, 260
    ldr q22, [x9]
    ldr q23, .Lfirst
    movi v25.4s, 0x3f
.endm

.macro load_code register, base, offset
    ldr q\register, [\base, \offset]
.endm

.macro load_weights base, offset
    .set weight_register, 1
    .rept 20
    load_code %(weight_register), \base, %(\offset + (weight_register - 1) * 16)
    .set weight_register, weight_register + 1
    .endr
    ldr d21, [\base, \offset + 320]
.endm

.macro dot_into number, source
    fmla v\number\().4s, \source
.endm

.macro looked_up register, number
    .if \number == 0
    mov v27.16b, v\register\().16b
    .else
    ushr v27.16b, v\register\().16b, 2 * \number
    .endif
    sli v27.16b, v31.16b, 2
    tbl v27.16b, {v22.16b}, v27.16b
    sdot v28.4s, v27.16b, v26.4b[\number]
.endm

/* of a group in byte `shift` / 8 of its lanes: v31 the number in every byte, v30 the scale */
.macro number_and_scale register, shift
    .if \shift == 0
    tbl v31.16b, {v\register\().16b}, v23.16b
    and v30.16b, v\register\().16b, v25.16b
    .else
    ushr v30.4s, v\register\().4s, \shift
    tbl v31.16b, {v30.16b}, v23.16b
    and v30.16b, v30.16b, v25.16b
    .endif
    ushr v31.16b, v31.16b, 6
.endm

.macro whole_group number
    ldr q26, [x1, \number * 16]
    movi v28.4s, 0
    number_and_scale %(17 + \number / 4), %(\number % 4 * 8)
    looked_up %(1 + \number), 0
    looked_up %(1 + \number), 1
    looked_up %(1 + \number), 2
    looked_up %(1 + \number), 3
    mla v29.4s, v28.4s, v30.4s
.endm

.macro group
    movi v29.4s, 0
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    whole_group \number
    .endr
    ldr s26, [x1, 256]
    fcvtl v27.4s, v21.4h
    scvtf v29.4s, v29.4s
    fmul v27.4s, v27.4s, v26.s[0]
    dot v29.4s, v27.4s
.endm

    sequence_functions
#else
#include "micro/families/blocks/block256.h"

static const struct block256 rows = {4, 4, 1};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    block256_refer_cb2(rows, data, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block256_fill(rows, weights, activations, seed);
}
#endif
