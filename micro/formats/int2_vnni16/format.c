/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights in the VNNI16 layout that the matrix units of Xe2 GPUs take, [envelope, III-E]: 16 consecutive columns of a row in 32
 * bits, 16 rows side by side.
 *
 *     step, 64 bytes = [m16] dwords of 16 2-bit fields
 *
 *     dword     0   1   2  ...  15        bits of a dword   31 30   ...   3 2   1 0
 *     row       0   1   2  ...  15        column               15   ...     1     0
 *
 * A field is w in [-2, 1] in two's complement, which those units multiply as it is.
 */
#include "micro/kernel.h"

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    uint8_t *byte = &panel[(size_t)(column / STEP_COLUMNS) * STEP_BYTES + row * 4 + column % STEP_COLUMNS / 4];
    uint32_t shift = column % 4 * 2;
    *byte = (uint8_t)((*byte & ~(3u << shift)) | ((uint32_t)w & 3) << shift);
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    uint8_t byte = panel[(size_t)(column / STEP_COLUMNS) * STEP_BYTES + row * 4 + column % STEP_COLUMNS / 4];
    return (int32_t)((byte >> column % 4 * 2 & 3) ^ 2) - 2;
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 2,
    .rows_per_panel = ROWS,
    .k_per_step = STEP_COLUMNS,
    .step_bytes = STEP_BYTES,
    .weight_min = -2,
    .weight_max = 1,
    /* kernels sum u = w + 2 */
    .max_k = INT32_MAX / (3 * 127),
    .put = put,
    .get = get,
};
