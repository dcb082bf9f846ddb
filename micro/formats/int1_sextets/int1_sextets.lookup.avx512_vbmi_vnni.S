/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit without a multiplication, six weights a look-up: vpermb takes six bits of an index, ignores the other two and so needs
 * no mask. The sums of six activations are kept as two digits of a byte each (micro/families/lookup/digit_tables.h), and the bytes
 * found are added as bytes.
 *
 *     three registers, 64 bytes each = [m64]: a byte is a row
 *
 *     bits of a byte          7 6        5 … 0
 *     register 3g            A: 1-0    columns 24g      … 24g+5
 *     register 3g+1          A: 3-2    columns 24g+6    … 24g+11       A, bits 5-0: columns 24g+18 … 24g+23
 *     register 3g+2          A: 5-4    columns 24g+12   … 24g+17
 *
 * The bytes themselves are three of four indices. The fourth, A, comes from their upper bits by 3 shifts and 2 vpternlogd
 * that select. Eight look-ups fit a byte's sum (radix 32: 8 * 31, 8 * (6 * 127 div 32)); then 3 uops widen each digit:
 * 10 for indices, 16 vpermb with the table in memory, 14 vpaddb, 6: 46 uops for 96 output vectors.
 *
 *   Golden Cove        46 uops on p05; vpermb p5: 16; shifts p0: 8: >= 0.240
 *
 * int1_nibbles.lookup, four bits an index and four groups of activations side by side, takes 11 for 16: 0.344; dot products
 * alone would take 0.25. vpmultishiftqb finds an index in one uop, but of p5, and three in four need none.
 * Lanes are 16-bit sums of at most 248 a group: 264 groups, 12672 columns, before they must be widened. Tables are 21 bytes
 * an activation, made once per activation vector and shared by all rows; 1536 columns of them fit 32 KiB.
 *
 *   zmm0-11 accumulators   zmm16 mask 0x03   zmm17 mask 0x0f   zmm18 low sums   zmm19 high sums   zmm20-23 index, look-ups
 *   zmm26-31 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            4.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    96
#define LEAST            4
#define MOST             12
#define WEIGHT_BYTES     384
#define ACTIVATION_BYTES 1072 /* eight times two tables, forty-eight activations */
#define VECTOR_IS_ZMM
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
/* where the third is set the first, elsewhere the second */
#define SELECT 0xe4

.macro load_constants
    mov eax, 0x03030303
    vpbroadcastd zmm16, eax
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm17, eax
.endm

.macro load_weights base, offset
    vmovdqu64 zmm26, [\base + \offset]
    vmovdqu64 zmm27, [\base + \offset + 64]
    vmovdqu64 zmm28, [\base + \offset + 128]
    vmovdqu64 zmm29, [\base + \offset + 192]
    vmovdqu64 zmm30, [\base + \offset + 256]
    vmovdqu64 zmm31, [\base + \offset + 320]
.endm

.macro dot_into number, source
    vpaddw zmm\number, zmm\number, \source
.endm

.macro look_up index, tables
    vpermb zmm22, \index, [rsi + \tables]
    vpermb zmm23, \index, [rsi + \tables + 64]
    vpaddb zmm18, zmm18, zmm22
    vpaddb zmm19, zmm19, zmm23
.endm

/* bits 1-0 of A from bits 7-6 of the first, 3-2 from the second, 5-4 from the third */
.macro fourth_index first, second, third
    vpsrlw zmm20, \first, 6
    vpsrlw zmm21, \second, 4
    vpternlogd zmm20, zmm21, zmm16, SELECT
    vpsrlw zmm21, \third, 2
    vpternlogd zmm20, zmm21, zmm17, SELECT
.endm

/* the first of a sum needs no add */
.macro group
    vpermb zmm18, zmm26, [rsi]
    vpermb zmm19, zmm26, [rsi + 64]
    fourth_index zmm26, zmm27, zmm28
    look_up zmm27, 128
    look_up zmm28, 256
    look_up zmm20, 384
    fourth_index zmm29, zmm30, zmm31
    look_up zmm29, 512
    look_up zmm30, 640
    look_up zmm31, 768
    look_up zmm20, 896
    dot zmm18
    vpsrlw zmm18, zmm18, 8
    dot zmm18
    dot zmm19
    vpsrlw zmm19, zmm19, 8
    dot zmm19
.endm

    sequence_functions
#else
#include "micro/families/lookup/digit_tables.h"

enum { ROWS = 64, STEPS = 8, FIELDS = 6, RADIX = 32, TABLES_BYTES = 128 * STEPS };

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + TABLES_BYTES;
    uint8_t codes[STEPS][ROWS];
    for (unsigned row = 0; row < ROWS; row++) {
        for (unsigned step = 0; step < STEPS; step++) {
            const uint8_t *bytes = data->weights + step / 4 * 3 * ROWS + row;
            uint32_t a = bytes[0] / 64u + bytes[ROWS] / 64u * 4 + bytes[2 * ROWS] / 64u * 16;
            codes[step][row] = (uint8_t)(step % 4 < 3 ? bytes[step % 4 * ROWS] % 64 : a);
        }
    }
    digit_tables_refer(sum, ROWS / 2, dot, codes[0], activations, STEPS, FIELDS, 1, RADIX);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *raw = (int8_t *)activations + TABLES_BYTES;
    digit_tables_draw(raw, STEPS * FIELDS, seed);
    for (unsigned step = 0; step < STEPS; step++)
        digit_tables_fill(activations + 128 * step, activations + 128 * step + 64, raw + step * FIELDS, FIELDS, 1,
                          RADIX);
}
#endif
