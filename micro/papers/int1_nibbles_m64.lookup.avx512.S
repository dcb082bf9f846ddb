/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit without a multiplication, at 512 bits and with AVX512BW alone: a nibble is the index into the sixteen sums that four
 * activations can have, kept as two digits of a byte each (micro/families/lookup/digit_tables.h), and the bytes found are added as
 * bytes.
 *
 *     register, 64 bytes = [m64]: a byte is a row; its low nibble is columns 8g … 8g+3 of register g, its high nibble the
 *     next four
 *
 * As int1_nibbles_m32.lookup.avx2: ten look-ups to one widening. 59 uops on ports for 80 output vectors, and 20 loads of
 * tables.
 *
 *   Golden Cove        59 uops on p05; vpshufb p5: 20; shifts p0: 7: >= 0.369; 79 uops, 6 a cycle: 0.16
 *
 * int1_planes.prefix takes 15 for 16: 0.469. With VBMI, six bits an index: int1_sextets.lookup.
 * Lanes are 16-bit sums of at most 240 a group: 273 groups, 10920 columns, before they must be widened.
 *
 *   zmm0-11 accumulators   zmm22 low sums   zmm23 high sums   zmm24 index   zmm25 table, look-up   zmm26 mask
 *   zmm27-31 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            4.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    80
#define LEAST            4
#define MOST             12
#define WEIGHT_BYTES     320
#define ACTIVATION_BYTES 360 /* ten times two tables, forty activations */
#define VECTOR_IS_ZMM
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm26, eax
.endm

.macro load_weights base, offset
    vmovdqu64 zmm27, [\base + \offset]
    vmovdqu64 zmm28, [\base + \offset + 64]
    vmovdqu64 zmm29, [\base + \offset + 128]
    vmovdqu64 zmm30, [\base + \offset + 192]
    vmovdqu64 zmm31, [\base + \offset + 256]
.endm

.macro dot_into number, source
    vpaddw zmm\number, zmm\number, \source
.endm

/* the first of a sum needs no add */
.macro look_up_first tables
    vbroadcasti32x4 zmm22, [rsi + \tables]
    vbroadcasti32x4 zmm23, [rsi + \tables + 16]
    vpshufb zmm22, zmm22, zmm24
    vpshufb zmm23, zmm23, zmm24
.endm

.macro look_up tables
    vbroadcasti32x4 zmm25, [rsi + \tables]
    vpshufb zmm25, zmm25, zmm24
    vpaddb zmm22, zmm22, zmm25
    vbroadcasti32x4 zmm25, [rsi + \tables + 16]
    vpshufb zmm25, zmm25, zmm24
    vpaddb zmm23, zmm23, zmm25
.endm

.macro high_nibbles weights
    vpsrlw zmm24, \weights, 4
    vpandd zmm24, zmm24, zmm26
.endm

.macro group
    vpandd zmm24, zmm27, zmm26
    look_up_first 0
    high_nibbles zmm27
    look_up 32
    vpandd zmm24, zmm28, zmm26
    look_up 64
    high_nibbles zmm28
    look_up 96
    vpandd zmm24, zmm29, zmm26
    look_up 128
    high_nibbles zmm29
    look_up 160
    vpandd zmm24, zmm30, zmm26
    look_up 192
    high_nibbles zmm30
    look_up 224
    vpandd zmm24, zmm31, zmm26
    look_up 256
    high_nibbles zmm31
    look_up 288
    dot zmm22
    vpsrlw zmm22, zmm22, 8
    dot zmm22
    dot zmm23
    vpsrlw zmm23, zmm23, 8
    dot zmm23
.endm

    sequence_functions
#else
#include "micro/families/lookup/digit_tables.h"

enum { ROWS = 64, STEPS = 10, FIELDS = 4, RADIX = 25, TABLES_BYTES = 32 * STEPS };

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
