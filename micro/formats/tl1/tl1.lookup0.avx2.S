/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1 (layout: tl1.lookup1.avx2.S), look-ups in tables quantized to int8, converted to words and added: the paper's _0,
 * which is not lossless. 1 shift, 2 ANDs, 2 vpshufb, 2 vextracti128, 4 vpmovsxbw, 4 vpaddw: 15 uops for 4 output
 * vectors, as many as the exact look-up takes.
 * Golden Cove: vextracti128 and vpmovsxbw p5 only, which take 6: >= 1.50. Zen 3: FP12 has vpshufb, vpmovsxbw and
 * shifts, 7: >= 0.94.
 *
 *   ymm0-8 accumulators: rows 0-15, rows 16-31, in turns   ymm9-11 temporaries   ymm12, ymm13 tables
 *   ymm14 second index   ymm15 weights
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    4
#define LEAST            2
#define MOST             9
#define ACTIVATION_BYTES 36
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 32
.Lnibble: .fill 32, 1, 0x0f

.macro load_constants
    vbroadcasti128 ymm12, [rsi]
    vbroadcasti128 ymm13, [rsi + 16]
.endm

.macro load_weights base, offset
    vmovdqu ymm15, [\base + \offset]
.endm

.macro dot_into number, source
    vpaddw ymm\number, ymm\number, \source
.endm

.macro look_up index, table
    vpshufb ymm9, \table, \index
    vpmovsxbw ymm10, xmm9
    vextracti128 xmm9, ymm9, 1
    dot ymm10
    vpmovsxbw ymm11, xmm9
    dot ymm11
.endm

.macro group
    vpsrlw ymm14, ymm15, 4
    vpand ymm9, ymm15, [rip + .Lnibble]
    vpand ymm14, ymm14, [rip + .Lnibble]
    look_up ymm9, ymm12
    look_up ymm14, ymm13
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

enum { DIVISOR = 2 }; /* 127 * 2 fits */

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    uint32_t pair = dot / 2;
    const int8_t *activations = (const int8_t *)data->activations + 32 + 2 * pair;
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 16; word++) {
        uint32_t byte = data->weights[dot % 2 * 16 + word], index = byte >> 4 * pair & 15;
        words[word] = (uint16_t)(words[word] + lookup_quantize(tl1_value(index, activations), DIVISOR));
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 32;
    reference_random_int8(values, 4, &seed);
    for (uint32_t pair = 0; pair < 2; pair++)
        lookup_table(activations + 16 * pair, tl1_value, values + 2 * pair, DIVISOR);
}

#endif
