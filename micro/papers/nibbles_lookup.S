/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Without a multiplication: a nibble is the index into the sixteen sums that its activations can have, four of 1 bit or two of 2 bits, kept as two digits of a
 * byte each (micro/families/lookup/digit_tables.h), and the bytes found are added as bytes.
 *
 *     register, 32 bytes = [m32], 64 bytes = [m64]: a byte is a row; of 1 bit its low nibble is columns 8g … 8g+3 of register g, its high nibble the next four,
 *     of 2 bits its fields, from the lowest, are columns 4g … 4g+3
 *
 * One look-up of a nibble of all rows is 1.5 uops for the index (2 AND, 1 shift for a byte's two), 2 vpshufb and 2 vpaddb; as many as fit a byte's sum, then 3
 * uops widen each digit. Two loads of tables a look-up, which sixteen registers cannot keep.
 *
 *   1 bit    ten fit (radix 25: 10 * 24, 10 * (4 * 127 div 25)). 59 uops on ports for 40 output vectors of 32 rows.
 *            Golden Cove: 59 on p015, 20 vpshufb of them on p15, 7 shifts on p01: >= 0.492; 79 uops, 6 a cycle: 0.33. Skylake: vpshufb p5: >= 0.492; 79, 4 a
 *            cycle: 0.49. Haswell: vpshufb p5, shifts p0, adds p15: >= 0.492. Zen 3: 59 on 4 pipes, shuffles and shifts on 2 of them: >= 0.369.
 *            int1_planes.mask takes 4 uops a vector, 8/5 of them on the two multiplying ports: 1.33. vpsadbw of activations under expanded bits would take
 *            five. Sums of at most 240 a group: 273 groups, 10920 columns, before they must be widened. Tables are 8 bytes an activation, made once per
 *            activation vector and shared by all rows
 *     512    bits, with AVX512BW alone: for 80. Golden Cove: 59 on p05; vpshufb p5: 20; shifts p0: 7: >= 0.369; 79, 6 a cycle: 0.16. int1_planes.prefix takes
 *            15 for 16: 0.469. With VBMI, six bits an index: int1_sextets.lookup
 *   2 bits   eight fit (radix 32: 8 * 31, 8 * (6 * 127 div 32)). 48 uops on ports for 16 output vectors.
 *            Golden Cove: 48 on p015, 16 vpshufb of them on p15, 6 shifts on p01: >= 1.0; 64 uops, 6 a cycle: 0.67. Skylake: vpshufb p5: >= 1.0; 64, 4 a cycle:
 *            1.0. Haswell: >= 1.0. Zen 3: 48 on 4 pipes, shuffles and shifts, 22, on 2 of them: >= 0.75.
 *            int2_vnni4.mask takes 4.25 uops a vector, int2_vnni4.widen 3.42. Two planes of one bit in place of pairs of two would take as many look-ups and
 *            twice the widening. Sums of at most 248 a group: 264 groups, 4224 columns. Tables are 16 bytes an activation
 *
 *   1 bit    ymm0-5 accumulators   ymm6 low sums   ymm7 high sums   ymm8 index   ymm9 table, look-up   ymm10 mask   ymm11-15 weights
 *     512    zmm0-11 accumulators   zmm22 low sums   zmm23 high sums   zmm24 index   zmm25 table, look-up   zmm26 mask   zmm27-31 weights
 *   2 bits   ymm0-6 accumulators   ymm7 low sums   ymm8 high sums   ymm9 index   ymm10 table, look-up   ymm11 mask   ymm12-15 weights
 */
#if WEIGHT_BITS == 1
#define BYTES 4.0
#define STEPS 10
#define RADIX 25
#else
#define BYTES 8.0
#define STEPS 8
#define RADIX 32
#endif
#define FIELDS (4 / WEIGHT_BITS)
#if defined VECTOR_IS_ZMM
#define MOST 12
#elif WEIGHT_BITS == 1
#define MOST 6
#else
#define MOST 7
#endif
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    (STEPS * FIELDS * VECTOR_BYTES / 32)
#define LEAST            4
#define WEIGHT_BYTES     (STEPS / 2 * VECTOR_BYTES)
#define ACTIVATION_BYTES (STEPS * (32 + FIELDS)) /* two tables for each step, and the activations */
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#if defined VECTOR_IS_ZMM
#define LOW     zmm22
#define HIGH    zmm23
#define INDEX   zmm24
#define FOUND   zmm25
#define MASK    zmm26
#define WEIGHTS zmm27, zmm28, zmm29, zmm30, zmm31
#elif WEIGHT_BITS == 1
#define LOW     ymm6
#define HIGH    ymm7
#define INDEX   ymm8
#define FOUND   ymm9
#define MASK    ymm10
#define HALF    xmm10
#define WEIGHTS ymm11, ymm12, ymm13, ymm14, ymm15
#else
#define LOW     ymm7
#define HIGH    ymm8
#define INDEX   ymm9
#define FOUND   ymm10
#define MASK    ymm11
#define HALF    xmm11
#define WEIGHTS ymm12, ymm13, ymm14, ymm15
#endif

#ifdef VECTOR_IS_ZMM
.macro load_constants
    mov eax, 0x0f0f0f0f
    vpbroadcastd MASK, eax
.endm

.macro load_register register, base, offset
    vmovdqu64 \register, [\base + \offset]
.endm

.macro load_table register, table
    vbroadcasti32x4 \register, [rsi + \table]
.endm

.macro take_nibbles source
    vpandd INDEX, \source, MASK
.endm
#else
.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd HALF, eax
    vpbroadcastd MASK, HALF
.endm

.macro load_register register, base, offset
    vmovdqu \register, [\base + \offset]
.endm

.macro load_table register, table
    vbroadcasti128 \register, [rsi + \table]
.endm

.macro take_nibbles source
    vpand INDEX, \source, MASK
.endm
#endif

.macro load_weights base, offset
    .set loaded, 0
    .irp register, WEIGHTS
    load_register \register, \base, %(\offset + loaded)
    .set loaded, loaded + VECTOR_BYTES
    .endr
.endm

.macro dot_into number, source
    vpaddw VECTOR\number, VECTOR\number, \source
.endm

/* the first of a sum needs no add */
.macro look_up tables
    .if \tables
    load_table FOUND, \tables
    vpshufb FOUND, FOUND, INDEX
    vpaddb LOW, LOW, FOUND
    load_table FOUND, \tables + 16
    vpshufb FOUND, FOUND, INDEX
    vpaddb HIGH, HIGH, FOUND
    .else
    load_table LOW, \tables
    load_table HIGH, \tables + 16
    vpshufb LOW, LOW, INDEX
    vpshufb HIGH, HIGH, INDEX
    .endif
.endm

.macro group
    .set tables, 0
    .irp weights, WEIGHTS
    take_nibbles \weights
    look_up %(tables)
    vpsrlw INDEX, \weights, 4
    take_nibbles INDEX
    look_up %(tables + 32)
    .set tables, tables + 64
    .endr
    dot LOW
    vpsrlw LOW, LOW, 8
    dot LOW
    dot HIGH
    vpsrlw HIGH, HIGH, 8
    dot HIGH
.endm

    sequence_functions
#else
#include "micro/families/lookup/digit_tables.h"

enum { ROWS = VECTOR_BYTES, TABLES_BYTES = 32 * STEPS };

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + TABLES_BYTES;
    uint8_t codes[STEPS][ROWS];
    for (unsigned step = 0; step < STEPS; step++) {
        for (unsigned row = 0; row < ROWS; row++)
            codes[step][row] = data->weights[step / 2 * ROWS + row] >> step % 2 * 4 & 15;
    }
    digit_tables_refer(sum, ROWS / 2, dot, codes[0], activations, STEPS, FIELDS, WEIGHT_BITS, RADIX);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *raw = (int8_t *)activations + TABLES_BYTES;
    digit_tables_draw(raw, STEPS * FIELDS, seed);
    for (unsigned step = 0; step < STEPS; step++)
        digit_tables_fill(activations + 32 * step, activations + 32 * step + 16, raw + step * FIELDS, FIELDS, WEIGHT_BITS, RADIX);
}
#endif
