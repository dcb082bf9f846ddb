/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Appendix C.2 of the paper times one instruction against another for the same task, 32 bytes of a register made into sums: MAD (vpmaddubsw) 3.77 ns, TBL
 * (vpshufb) 3.70 ns, TBL + ADD + CVT (vpshufb, add, vpmovsxbw) 6.20 ns on an i5-13400F. It states neither a clock nor a count; at 4.6 GHz 3.77 ns are 17
 * cycles, neither the throughput (0.5) nor the latency (5) of one. What can be compared are ratios, 0.98 and 1.64 of MAD (its "68% longer" is of TBL). A value
 * that is not used cannot be checked, so MAD and TBL are followed by an add here, too; gamma is cycles a register.
 *
 *   mad                 32 products of unsigned codes, 2 bits here, and int8 activations, added in pairs to words, and the words added up. A register takes 2
 *                       uops, vpmaddubsw and vpaddw. Golden Cove: p01 and p015: >= 0.67. Zen 3: FP03 and any of four: >= 0.50
 *   tbl                 32 look-ups of bytes, added up as bytes: 2, vpshufb and vpaddb. p15 and p015: >= 0.67. Zen 3: FP12 and any of four: >= 0.50
 *   tbl_add_cvt         of 32 look-ups one vpmovsxbw makes 16 words, added up (all 32 would take a second conversion and addition and a vextracti128:
 *                       tl1.bitnet_tl1_0.avx2): 3, vpshufb, vpmovsxbw, vpaddw. p15, p5, p015: >= 1.00. Zen 3: vpmovsxbw of 256 bits takes two uops
 *   tbl_add_cvt_whole   all of them are made words and added up: 6, vpshufb, three shifts that make words of the odd and of the even bytes, two vpaddw. p15,
 *                       three times p01, two p015: >= 2.00. Two vpmovsxbw and a vextracti128, each on one port, took 2.00 where this takes 1.70 (Zen 5)
 *
 *   ymm0-8 accumulators   ymm9, ymm10 products, entries, as words those of the even and of the odd bytes   ymm11 activations, table   ymm12-15 codes, indices
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            32.0
#define GROUP_DOTS       4
#define LEAST            1
#define MOST             9
#define WEIGHT_BYTES     128
#define LANE             LANE_INT16
#define WEIGHT_FILL      FILL_OWN
#ifndef MAD
#define ACTIVATION_FILL  FILL_OWN
#endif
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    vmovdqu ymm11, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu ymm12, [\base + \offset]
    vmovdqu ymm13, [\base + \offset + 32]
    vmovdqu ymm14, [\base + \offset + 64]
    vmovdqu ymm15, [\base + \offset + 96]
.endm

.macro dot_into number, source
#ifdef MAD
    vpmaddubsw ymm9, \source, ymm11
#else
    vpshufb ymm9, ymm11, \source
#endif
#if defined CONVERTS_HALF
    vpmovsxbw ymm9, xmm9
#elif defined CONVERTS_ALL
    vpsraw ymm10, ymm9, 8
    vpsllw ymm9, ymm9, 8
    vpsraw ymm9, ymm9, 8
#endif
#ifdef ADDS_BYTES
    vpaddb ymm\number, ymm\number, ymm9
#else
    vpaddw ymm\number, ymm\number, ymm9
#endif
#ifdef CONVERTS_ALL
    vpaddw ymm\number, ymm\number, ymm10
#endif
.endm

.macro group
    .irp weights, ymm12, ymm13, ymm14, ymm15
    dot \weights
    .endr
.endm

    sequence_functions

#else

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
#ifdef ADDS_BYTES
    uint8_t *bytes = sum;
    for (uint32_t i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(bytes[i] + data->activations[data->weights[32 * dot + i]]);
#else
    uint16_t *words = sum;
#if defined MAD
    for (uint32_t i = 0; i < 32; i++)
        words[i / 2] = (uint16_t)(words[i / 2] + data->weights[32 * dot + i] * (int8_t)data->activations[i]);
#elif defined CONVERTS_HALF
    for (uint32_t i = 0; i < 16; i++)
        words[i] = (uint16_t)(words[i] + (int8_t)data->activations[data->weights[32 * dot + i]]);
#else
    for (uint32_t i = 0; i < 16; i++)
        words[i] = (uint16_t)(words[i] + (int8_t)data->activations[data->weights[32 * dot + 2 * i]] +
                              (int8_t)data->activations[data->weights[32 * dot + 2 * i + 1]]);
#endif
#endif
}

/* tables of 16 entries, one for both halves of a register; indices without the bit that makes a zero */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    reference_random_bytes(weights, WEIGHT_BYTES, &state);
#ifdef MAD
    (void)activations;
    for (uint32_t i = 0; i < WEIGHT_BYTES; i++)
        weights[i] &= 3;
#else
    for (uint32_t i = 0; i < WEIGHT_BYTES; i++)
        weights[i] &= 15;
    reference_random_int8((int8_t *)activations, 16, &state);
    memcpy(activations + 16, activations, 16);
#endif
}

#endif
