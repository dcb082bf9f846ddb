/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit without a multiplication: a nibble, two weights, is the index into the sixteen sums that two activations can have,
 * kept as two digits of a byte each (micro/families/lookup/digit_tables.h), and the bytes found are added as bytes.
 *
 *     register, 32 bytes = [m32]: a byte is a row; its two-bit fields, from the lowest, are columns 4g … 4g+3 of register g
 *
 * One look-up of two weights of 32 rows is 1.5 uops for the index (2 AND, 1 shift for a byte's two), 2 vpshufb and 2
 * vpaddb. Eight fit a byte's sum (radix 32: 8 * 31, 8 * (6 * 127 div 32)); then 3 uops widen each digit. 48 uops on ports
 * for 16 output vectors, and 16 loads of tables, which sixteen registers cannot keep.
 *
 *   Golden Cove        48 uops on p015, 16 vpshufb of them on p15, 6 shifts on p01: >= 1.0; 64 uops, 6 a cycle: 0.67
 *   Skylake            48 on p015, vpshufb p5: 16: >= 1.0; 64 uops, 4 a cycle: 1.0
 *   Haswell            48 on p015, vpshufb p5: 16, shifts p0, adds p15: >= 1.0
 *   Zen 3              48 on 4 pipes, shuffles and shifts, 22, on 2 of them: >= 0.75
 *
 * int2_vnni4.mask takes 4.25 uops a vector, int2_vnni4.widen 3.42. Two planes of one bit in place of pairs of two (as
 * int1_nibbles_m32, twice) would take as many look-ups and twice the widening.
 * Lanes are 16-bit sums of at most 248 a group: 264 groups, 4224 columns, before they must be widened. Tables are 16 bytes
 * an activation, made once per activation vector and shared by all rows.
 *
 *   ymm0-6 accumulators   ymm7 low sums   ymm8 high sums   ymm9 index   ymm10 table, look-up   ymm11 mask   ymm12-15 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    16
#define LEAST            4
#define MOST             7
#define WEIGHT_BYTES     128
#define ACTIVATION_BYTES 272 /* eight times two tables, sixteen activations */
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm11, eax
    vpbroadcastd ymm11, xmm11
.endm

.macro load_weights base, offset
    vmovdqu ymm12, [\base + \offset]
    vmovdqu ymm13, [\base + \offset + 32]
    vmovdqu ymm14, [\base + \offset + 64]
    vmovdqu ymm15, [\base + \offset + 96]
.endm

.macro dot_into number, source
    vpaddw ymm\number, ymm\number, \source
.endm

/* the first of a sum needs no add */
.macro look_up_first tables
    vbroadcasti128 ymm7, [rsi + \tables]
    vbroadcasti128 ymm8, [rsi + \tables + 16]
    vpshufb ymm7, ymm7, ymm9
    vpshufb ymm8, ymm8, ymm9
.endm

.macro look_up tables
    vbroadcasti128 ymm10, [rsi + \tables]
    vpshufb ymm10, ymm10, ymm9
    vpaddb ymm7, ymm7, ymm10
    vbroadcasti128 ymm10, [rsi + \tables + 16]
    vpshufb ymm10, ymm10, ymm9
    vpaddb ymm8, ymm8, ymm10
.endm

.macro high_nibbles weights
    vpsrlw ymm9, \weights, 4
    vpand ymm9, ymm9, ymm11
.endm

.macro group
    vpand ymm9, ymm12, ymm11
    look_up_first 0
    high_nibbles ymm12
    look_up 32
    vpand ymm9, ymm13, ymm11
    look_up 64
    high_nibbles ymm13
    look_up 96
    vpand ymm9, ymm14, ymm11
    look_up 128
    high_nibbles ymm14
    look_up 160
    vpand ymm9, ymm15, ymm11
    look_up 192
    high_nibbles ymm15
    look_up 224
    dot ymm7
    vpsrlw ymm7, ymm7, 8
    dot ymm7
    dot ymm8
    vpsrlw ymm8, ymm8, 8
    dot ymm8
.endm

    sequence_functions
#else
#include "micro/families/lookup/digit_tables.h"

enum { ROWS = 32, STEPS = 8, FIELDS = 2, BITS_OF_WEIGHT = 2, RADIX = 32, TABLES_BYTES = 32 * STEPS };

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + TABLES_BYTES;
    uint8_t codes[STEPS][ROWS];
    for (unsigned step = 0; step < STEPS; step++) {
        for (unsigned row = 0; row < ROWS; row++)
            codes[step][row] = data->weights[step / 2 * ROWS + row] >> step % 2 * 4 & 15;
    }
    digit_tables_refer(sum, ROWS / 2, dot, codes[0], activations, STEPS, FIELDS, BITS_OF_WEIGHT, RADIX);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *raw = (int8_t *)activations + TABLES_BYTES;
    digit_tables_draw(raw, STEPS * FIELDS, seed);
    for (unsigned step = 0; step < STEPS; step++)
        digit_tables_fill(activations + 32 * step, activations + 32 * step + 16, raw + step * FIELDS, FIELDS,
                          BITS_OF_WEIGHT, RADIX);
}
#endif
