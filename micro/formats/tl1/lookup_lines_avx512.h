/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the eight lines of a step of lookup_lines_frame.h leave over. The including .S has included that.
 */
static void add_rest(const struct gemv_slice *slice, size_t number)
{
    const uint8_t *weights = slice->weights + number * slice->panel_bytes, *tables = slice->prepared;
    for (size_t i = slice->steps / STEPS_TOGETHER * STEPS_TOGETHER; i < slice->steps; i++) {
        __m512i lower = _mm512_loadu_si512(weights + i * TL1_STEP_BYTES), upper = digits_upper(lower);
        const uint8_t *table = tables + i * STEP_TABLES;
        __m512i low = _mm512_add_epi8(digits_find(table, lower), digits_find(table + TABLE_BYTES, upper));
        __m512i high = _mm512_add_epi8(digits_find(table + 16, lower), digits_find(table + TABLE_BYTES + 16, upper));
        digits_add(slice->out + number * TL1_ROWS, low, high, BASE);
    }
}
