/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed24 with OUTLIERS_PER_MILLE per mille of the weights as outliers; micro/quantization/mixed24_outliers_layout.h draws it. K is padded to 64.
 */
#include "micro/kernel.h"
#include "micro/quantization/mixed24_outliers.h"

static size_t panel_bytes(size_t k)
{
    return mixed24_outliers_panel_bytes(k, OUTLIERS_PER_MILLE);
}

static void pack(const float *w, size_t k, uint8_t *panel)
{
    mixed24_outliers_pack(w, k, OUTLIERS_PER_MILLE, panel);
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    return mixed24_outliers_weight(panel, k, OUTLIERS_PER_MILLE, row, column);
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    mixed24_outliers_fill(panel, k, OUTLIERS_PER_MILLE, random);
}

/* bits: 32 an outlier; the 32 a row, which depend on K, come with the panel's bytes */
const struct format SELF = {
    .name = SELF_NAME,
    .bits = 8.0 * MIXED24_STEP_BYTES / (MIXED24_ROWS * MIXED24_COLUMNS) + 32 * OUTLIERS_PER_MILLE / 1000.0,
    .rows_per_panel = MIXED24_ROWS,
    .k_per_step = MIXED24_COLUMNS,
    .max_k = 1 << 16, /* columns of outliers have 16 bits */
    .panel_bytes = panel_bytes,
    .pack = pack,
    .weight = weight,
    .fill = fill,
    .order_columns = MIXED24_GROUP,
};
