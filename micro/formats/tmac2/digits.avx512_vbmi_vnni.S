/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups added up as bytes: tables hold the sums of the activations of set bits less half of all (rounded
 * down), 31 h + l with l within 15 and h within 8, so that 8 look-ups fit signed bytes; those of the upper bits count
 * twice. The halves, three a step, are after the tables and added back at the end. The inner loop is of 8 steps,
 * each a line with its tables; the steps that are left are looked up in C.
 */
#include "micro/formats/tmac2/layout.h"

#define BASE           31
#define STEPS_TOGETHER 8
#define TABLE_BYTES    32
#define STEP_BYTES     (STEPS_TOGETHER * TMAC2_STEP_BYTES)
#define OPERAND_BYTES  (STEPS_TOGETHER * TABLE_BYTES)
#include "micro/families/lookup/lookup_digits_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/tmac2/tmac2.digits.avx512_vbmi_vnni.inc"

.macro load_constants
    digits_constants edi
.endm

.macro line number, address, tables, near, far
    fetch \near+\number*64, \far+\number*64
    vmovdqa64 xmm28, [\tables + \number * TABLE_BYTES]
    vmovdqa64 xmm29, [\tables + \number * TABLE_BYTES + 16]
    vmovdqa64 zmm26, [\address + \number * 64]
    look_up_line \number, zmm26, zmm28, zmm29
.endm

.macro step base, address, operand, near, far
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    line \number, \address, \operand, \near, \far
    .endr
    dots_into \base, SUMS
    dot_digits
.endm

    microkernel_functions

#else
#include <string.h>

#include "micro/families/lookup/elut_avx2.h"

static size_t prepared_bytes(size_t k)
{
    return k / TMAC2_STEP_COLUMNS * TABLE_BYTES + sizeof(int32_t);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients bits;
    table_coefficients_of_bits(0, &bits);
    int32_t halves = 0; /* three times all that the tables lack */
    for (size_t i = 0; i < k; i += TMAC2_STEP_COLUMNS, a += TMAC2_STEP_COLUMNS, table += TABLE_BYTES) {
        int32_t half = (a[0] + a[1] + a[2] + a[3]) >> 1;
        table_store_digits(table, _mm256_sub_epi16(table_sums(&bits, 4, a), _mm256_set1_epi16((int16_t)half)), BASE);
        halves += 3 * half;
    }
    memcpy(table, &halves, sizeof halves);
}

static void add_rest(const struct gemv_slice *slice, size_t number)
{
    const uint8_t *weights = slice->weights + number * slice->panel_bytes, *tables = slice->prepared;
    int32_t halves, *out = slice->out + number * TMAC2_ROWS;
    for (size_t i = slice->steps / STEPS_TOGETHER * STEPS_TOGETHER; i < slice->steps; i++) {
        __m512i lower = _mm512_loadu_si512(weights + i * TMAC2_STEP_BYTES), upper = digits_upper(lower);
        const uint8_t *table = tables + i * TABLE_BYTES;
        digits_add(out, digits_find(table, lower), digits_find(table + 16, lower), BASE);
        __m512i low = digits_find(table, upper), high = digits_find(table + 16, upper);
        digits_add(out, _mm512_add_epi8(low, low), _mm512_add_epi8(high, high), BASE);
    }
    memcpy(&halves, tables + slice->steps * TABLE_BYTES, sizeof halves);
    for (int row = 0; row < TMAC2_ROWS; row++)
        out[row] = add_wrapping(out[row], halves);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 512,
    .whole_panels = true,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
};
#endif
