/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit without a multiplication: a nibble is the index into the sixteen sums that four activations can have, kept as two
 * digits of a byte each (micro/families/lookup/digit_tables.h), and the bytes found are added as bytes.
 *
 *     register, 32 bytes = [m32]: a byte is a row; its low nibble is columns 8g … 8g+3 of register g, its high nibble the
 *     next four
 *
 * One look-up of four weights of 32 rows is 1.5 uops for the index (2 AND, 1 shift for a byte's two), 2 vpshufb and 2
 * vpaddb. Ten fit a byte's sum (radix 25: 10 * 24, 10 * (4 * 127 div 25)); then 3 uops widen each digit. 59 uops on ports
 * for 40 output vectors, and 20 loads of tables, which sixteen registers cannot keep.
 *
 *   Golden Cove        59 uops on p015, 20 vpshufb of them on p15, 7 shifts on p01: >= 0.492; 79 uops, 6 a cycle: 0.33
 *   Skylake            59 on p015, vpshufb p5: 20: >= 0.492; 79 uops, 4 a cycle: 0.49
 *   Haswell            59 on p015, vpshufb p5: 20, shifts p0: 7, adds p15: >= 0.492
 *   Zen 3              59 on 4 pipes, shuffles and shifts on 2 of them: >= 0.369
 *
 * int1_planes.mask takes 4 uops a vector, 8/5 of them on the two multiplying ports: 1.33. vpsadbw of activations under
 * expanded bits would take five.
 * Lanes are 16-bit sums of at most 240 a group: 273 groups, 10920 columns, before they must be widened. Tables are 8 bytes
 * an activation, made once per activation vector and shared by all rows.
 *
 *   ymm0-5 accumulators   ymm6 low sums   ymm7 high sums   ymm8 index   ymm9 table, look-up   ymm10 mask   ymm11-15 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            4.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    40
#define LEAST            4
#define MOST             6
#define WEIGHT_BYTES     160
#define ACTIVATION_BYTES 360 /* ten times two tables, forty activations */
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm10, eax
    vpbroadcastd ymm10, xmm10
.endm

.macro load_weights base, offset
    vmovdqu ymm11, [\base + \offset]
    vmovdqu ymm12, [\base + \offset + 32]
    vmovdqu ymm13, [\base + \offset + 64]
    vmovdqu ymm14, [\base + \offset + 96]
    vmovdqu ymm15, [\base + \offset + 128]
.endm

.macro dot_into number, source
    vpaddw ymm\number, ymm\number, \source
.endm

/* the first of a sum needs no add */
.macro look_up_first tables
    vbroadcasti128 ymm6, [rsi + \tables]
    vbroadcasti128 ymm7, [rsi + \tables + 16]
    vpshufb ymm6, ymm6, ymm8
    vpshufb ymm7, ymm7, ymm8
.endm

.macro look_up tables
    vbroadcasti128 ymm9, [rsi + \tables]
    vpshufb ymm9, ymm9, ymm8
    vpaddb ymm6, ymm6, ymm9
    vbroadcasti128 ymm9, [rsi + \tables + 16]
    vpshufb ymm9, ymm9, ymm8
    vpaddb ymm7, ymm7, ymm9
.endm

.macro high_nibbles weights
    vpsrlw ymm8, \weights, 4
    vpand ymm8, ymm8, ymm10
.endm

.macro group
    vpand ymm8, ymm11, ymm10
    look_up_first 0
    high_nibbles ymm11
    look_up 32
    vpand ymm8, ymm12, ymm10
    look_up 64
    high_nibbles ymm12
    look_up 96
    vpand ymm8, ymm13, ymm10
    look_up 128
    high_nibbles ymm13
    look_up 160
    vpand ymm8, ymm14, ymm10
    look_up 192
    high_nibbles ymm14
    look_up 224
    vpand ymm8, ymm15, ymm10
    look_up 256
    high_nibbles ymm15
    look_up 288
    dot ymm6
    vpsrlw ymm6, ymm6, 8
    dot ymm6
    dot ymm7
    vpsrlw ymm7, ymm7, 8
    dot ymm7
.endm

    sequence_functions
#else
#include "micro/families/lookup/digit_tables.h"

enum { ROWS = 32, STEPS = 10, FIELDS = 4, RADIX = 25, TABLES_BYTES = 32 * STEPS };

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + TABLES_BYTES;
    uint8_t codes[STEPS][ROWS];
    for (unsigned step = 0; step < STEPS; step++) {
        for (unsigned row = 0; row < ROWS; row++)
            codes[step][row] = data->weights[step / 2 * ROWS + row] >> step % 2 * 4 & 15;
    }
    digit_tables_refer(sum, ROWS / 2, dot, codes[0], activations, STEPS, FIELDS, 1, RADIX);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *raw = (int8_t *)activations + TABLES_BYTES;
    digit_tables_draw(raw, STEPS * FIELDS, seed);
    for (unsigned step = 0; step < STEPS; step++)
        digit_tables_fill(activations + 32 * step, activations + 32 * step + 16, raw + step * FIELDS, FIELDS, 1, RADIX);
}
#endif
