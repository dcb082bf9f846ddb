/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TBL: 32 look-ups of bytes, added up as bytes.
 *
 * Appendix C.2 of the paper times one instruction against another for the same task, 32 bytes of a register made into
 * sums: MAD (vpmaddubsw) 3.77 ns, TBL (vpshufb) 3.70 ns, TBL + ADD + CVT (vpshufb, add, vpmovsxbw) 6.20 ns on an
 * i5-13400F. It states neither a clock nor a count; at 4.6 GHz 3.77 ns are 17 cycles, neither the throughput (0.5) nor
 * the latency (5) of one. What can be compared are ratios, 0.98 and 1.64 of MAD (its "68% longer" is of TBL). A value
 * that nobody uses cannot be checked, so that MAD and TBL are followed by an add here too; gamma is cycles a register.
 * A register takes 2 uops, vpshufb and vpaddb. Golden Cove: p15 and p015: >= 0.67. Zen 3: FP12 and any of four: >= 0.50.
 *
 *   ymm0-8 accumulators, of bytes   ymm9, ymm10 entries   ymm11 table   ymm12-15 indices
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
#define ACTIVATION_FILL  FILL_OWN
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
    vpshufb ymm9, ymm11, \source
    vpaddb ymm\number, ymm\number, ymm9
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
    uint8_t *bytes = sum;
    for (uint32_t i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(bytes[i] + data->activations[data->weights[32 * dot + i]]);
}

/* tables of 16 entries, one for both halves of a register; indices without the bit that makes a zero */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    reference_random_bytes(weights, WEIGHT_BYTES, &state);
    for (uint32_t i = 0; i < WEIGHT_BYTES; i++)
        weights[i] &= 15;
    reference_random_int8((int8_t *)activations, 16, &state);
    memcpy(activations + 16, activations, 16);
}

#endif
