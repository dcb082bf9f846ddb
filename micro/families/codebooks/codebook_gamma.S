/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Group-wise codebooks: cb2_4 has four codebooks of four values, cb2_16 sixteen (CODEBOOKS_OF_16), cb3 four of eight (CODES_OF_3_BITS). Lanes are 16
 * rows: codebook_lanes.avx512.inc, or twice 8 of them: codebook_lanes.256.inc.
 *
 * Of a line of 64 bytes of cb2_4, 256 weights, with vpermb: a spread, a rotation, a shift, 2 vpternlogd, 4 each of vpermb and vpdpbusd, vpmulld (2 uops),
 * an addition; of four 5 less 1 more. Sixteen codebooks are one register, which vpermb looks up by six bits; codes are shifted down, since with four bits
 * the number has no place below them: 2 shifts a line more. The third bit of a code comes from another line: 7 shifts a pair of lines and a vpternlogd a
 * field more than that. With vpshufb (BYTE_SHUFFLE) the number is masked, an AND a line more; of sixteen codebooks tables of four rows are made for each
 * quarter, and no number joins a code, 9 operations more than with vpermb; eight values are looked up in halves: a vptestmb and a second look-up a field.
 *
 * Of a line of 32 bytes of cb2_4, 128 weights: a spread, 1.75 for the scale and 0.5 for numbers, 2 ANDs, 3 shifts, 4 ORs, 4 each of vpshufb and
 * vpdpbusd, vpmulld, an addition; of a quarter 5 less 1 more; on avx2 2 spreads, a scale and 4 products of 4 uops. Codebooks of each row in place of the
 * number are made for 28 operations a quarter of eight rows, where the numbers take 6. Of cb3, each field is looked up twice, and the upper bit, shifted to
 * bit 7, picks one in a vpblendvb (3 uops).
 *
 *     cycles of Golden Cove per output vector     cb2_4    cb2_16   cb3
 *     avx512_vbmi_vnni                            1.06     1.38     1.84     68, 88 and 118 of arithmetic on p05, 21 of them on p5 only
 *     avx512_vnni                                 1.31     1.52     1.89     84, 97 and 121; 21, 30 and 53
 *     avx_vnni                                    2.02     2.31     3.77     194, 222 and 362 on three ports; on p01 96, 94, 130, on p15 40, 68, 72
 *     avx2                                        2.79     3.08     4.54     268, 296 and 436; 106, 104, 140 and 48, 76, 80
 *
 * Zen 5, cb2_4 with vpermb: 64 on four pipes, of which 20 on two that shuffle and 22 on two that multiply, 0.50, and measured 0.68, 1.45 times
 * q2_k_m16.lanes: the pipes are chosen where operations are dispatched, and pairs of vpermb and vpdpbusd alone, which share one of three, take 0.79
 * cycles instead of 0.67. Where the number was shifted beside the codes it took a shift a line more, 0.73. With avx_vnni, where vpmulld is one uop, 186 on
 * four, 1.45, so no order of these reads more than 7.1 of the 10 to 11 bytes a cycle that one core has from memory there, 0.67 of that roof. What is short
 * of uops is the index: without vpternlogd and with vpshufb, which looks at bit 7, a field takes 2.25 to have its number beside it. Two fields that
 * share an OR of their numbers need an AND more, for one of them has a bit 7; codes at bits 3:2 need a second table and numbers at bits 1:0,
 * which is a shuffle more for the two shifts that they save; look-ups of a code with a table a row, as of 16 codebooks, take 3.5 for the table where
 * numbers take 1.5. Values as polynomials of their codes take three products a field where a look-up and one are two.
 *
 *   Registers: codebook_quarter.avx512.inc, codebook_quarter.256.inc
 */
#define ORIGIN        "kneepoint"
#define CLAIMED       0.0
#define GROUP_VECTORS 32
#define LEAST         1
#ifdef VECTOR_IS_ZMM
#define GROUP_DOTS 1
#define MOST       1
#else
#define GROUP_DOTS 2
#define MOST       2
#endif
/* a quarter of a block, and of its d, which rows share by fours here */
#ifdef CODES_OF_3_BITS
#define BYTES        14.25
#define WEIGHT_BYTES 456
#else
#define BYTES        10.25
#define WEIGHT_BYTES 328
#endif
#ifdef VALUES_ARE_SIGNED
#define ACTIVATION_BYTES 768
#else
#define ACTIVATION_BYTES 512
#endif
#define WEIGHT_FILL     FILL_OWN
#define ACTIVATION_FILL FILL_OWN
#define LANE            LANE_FLOAT32
#define TOLERANCE       3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#ifdef VECTOR_IS_ZMM
#include "micro/families/codebooks/codebook_quarter.avx512.inc"
#else
#include "micro/families/codebooks/codebook_quarter.256.inc"
#endif

    sequence_functions
#else
#include "micro/families/codebooks/codebook_lanes_reference.h"

#ifdef CODES_OF_3_BITS
#define CODE_BITS 3
#else
#define CODE_BITS 2
#endif
#ifdef CODEBOOKS_OF_16
#define NUMBER_BITS 4
#else
#define NUMBER_BITS 2
#endif
#if defined VECTOR_IS_ZMM && !defined BYTE_SHUFFLE
#define WHOLE_TABLE true
#else
#define WHOLE_TABLE false
#endif
static const struct codebook_lanes format = {16, CODE_BITS, NUMBER_BITS, WHOLE_TABLE};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    codebook_lanes_refer(format, data, dot, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    codebook_lanes_fill(format, weights, activations, seed);
}
#endif
