/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, prefix sums, eight rows interleaved so that both halves of a byte meet the same activation: the byte as it is, signed,
 * gives 16 times the upper code plus the lower one, the upper half alone is masked out, and the difference is the lower sum.
 * The upper code is two's complement; the lower one is offset by 8, and its sum begins at -8 sum a.
 * 8 x (and, 2 sdot), and 11 for the sums and their scales: one unpacking instruction for two output vectors.
 *
 * Neoverse N1, N2: 35 uops on 2 vector pipes for 8 output vectors: >= 2.19. V1, V2: 4 pipes: >= 1.09.
 *
 *   v0-11 accumulators   v12-19, v20 weights, their scales   v21, v22, s24 activations, their scale   v23 mask 0xf0
 *   v25 -8 sum a   v26, v27 temporaries   v28, v29 sums of whole bytes, of upper halves   v30, v31 scales
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     144
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 80
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       2
#define GROUP_VECTORS    8
#define LEAST            2
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ldp q21, q22, [x1]
    ldr s24, [x1, 36]
    ldr q25, [x1, 64]
    movi v23.16b, 0xf0
.endm

.macro load_weights base, offset
    ldr q20, [\base, \offset]
    ldr q12, [\base, \offset + 16]
    ldr q13, [\base, \offset + 32]
    ldr q14, [\base, \offset + 48]
    ldr q15, [\base, \offset + 64]
    ldr q16, [\base, \offset + 80]
    ldr q17, [\base, \offset + 96]
    ldr q18, [\base, \offset + 112]
    ldr q19, [\base, \offset + 128]
.endm

.macro dot_into number, source
    fmla v\number\().4s, \source
.endm

.macro group
    mov v28.16b, v25.16b
    movi v29.4s, 0
    fcvtl v30.4s, v20.4h
    fcvtl2 v31.4s, v20.8h
    and v26.16b, v12.16b, v23.16b
    sdot v28.4s, v12.16b, v21.4b[0]
    sdot v29.4s, v26.16b, v21.4b[0]
    and v27.16b, v13.16b, v23.16b
    sdot v28.4s, v13.16b, v21.4b[1]
    sdot v29.4s, v27.16b, v21.4b[1]
    and v26.16b, v14.16b, v23.16b
    sdot v28.4s, v14.16b, v21.4b[2]
    sdot v29.4s, v26.16b, v21.4b[2]
    and v27.16b, v15.16b, v23.16b
    sdot v28.4s, v15.16b, v21.4b[3]
    sdot v29.4s, v27.16b, v21.4b[3]
    and v26.16b, v16.16b, v23.16b
    sdot v28.4s, v16.16b, v22.4b[0]
    sdot v29.4s, v26.16b, v22.4b[0]
    and v27.16b, v17.16b, v23.16b
    sdot v28.4s, v17.16b, v22.4b[1]
    sdot v29.4s, v27.16b, v22.4b[1]
    and v26.16b, v18.16b, v23.16b
    sdot v28.4s, v18.16b, v22.4b[2]
    sdot v29.4s, v26.16b, v22.4b[2]
    and v27.16b, v19.16b, v23.16b
    sdot v28.4s, v19.16b, v22.4b[3]
    sdot v29.4s, v27.16b, v22.4b[3]
    sub v28.4s, v28.4s, v29.4s
    fmul v30.4s, v30.4s, v24.s[0]
    fmul v31.4s, v31.4s, v24.s[0]
    scvtf v29.4s, v29.4s, 4
    scvtf v28.4s, v28.4s
    dot v28.4s, v30.4s
    dot v29.4s, v31.4s
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block32_refer(data, BLOCK32_PAIRED, 4, dot, dot ? block32_signed : block32_offset8, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    int32_t sum = block32_fill(weights, activations, BLOCK32_PAIRED, 4, seed);
    blocks_put_int32(activations + BLOCK32_OWN, -8 * sum, 4);
}
#endif
