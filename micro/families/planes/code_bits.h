/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A format of weights -1 and 1, of a bit each, which is BIT_OF_MINUS_1 for -1. The including format.c draws it, and says
 *
 *   uint8_t *byte_of(uint8_t *panel, uint32_t row, uint32_t column, uint32_t *bit)   where it is
 */
static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    uint32_t bit;
    uint8_t *byte = byte_of(panel, row, column, &bit);
    *byte = (uint8_t)((*byte & ~(1u << bit)) | ((BIT_OF_MINUS_1 ? w < 0 : w > 0) ? 1u << bit : 0));
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    uint32_t bit;
    const uint8_t *byte = byte_of((uint8_t *)panel, row, column, &bit);
    return (*byte >> bit & 1) == BIT_OF_MINUS_1 ? -1 : 1;
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 1,
    .rows_per_panel = ROWS,
    .k_per_step = STEP_COLUMNS,
    .step_bytes = STEP_BYTES,
    .weight_min = -1,
    .weight_max = 1,
    .activation_offset = 1,
    .max_k = INT32_MAX / (2 * 127),
    .put = put,
    .get = get,
};
