/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_MIXED24_OUTLIERS_H
#define MICRO_QUANTIZATION_MIXED24_OUTLIERS_H

#include <stdint.h>

#include "micro/quantization/mixed24.h"
#include "micro/quantization/mixed24_outliers_layout.h"

/**
 * Panels of mixed24 with outliers, for any share of them; micro/quantization/mixed24_outliers_layout.h draws them. k is a multiple of 64, at most 65536
 * since columns have 16 bits; panels are aligned to 64 bytes, or to 4 at least.
 */

/** The weight of a panel at a row and column: dense, and what is added. */
double mixed24_outliers_weight(const uint8_t *panel, size_t k, uint32_t per_mille, uint32_t row, uint32_t column);

/**
 * Quantize a panel without calibration: the mixed24_outliers_count() weights of 2-bit groups that are largest in magnitude become outliers
 * ("large weights in 2-bit groups", 4.3), the others are quantized without them by mixed24_quantize(), and of an outlier that is
 * stored which its nearest code leaves. Which are furthest from their codes cannot be asked first: minimum and maximum are codes.
 *
 * @param w  [16][k]
 */
void mixed24_outliers_pack(const float *w, size_t k, uint32_t per_mille, uint8_t *panel);

/** Draw a panel that has mixed24_outliers_count() outliers, not equally many in each row, and each row's spread over its columns. */
void mixed24_outliers_fill(uint8_t *panel, size_t k, uint32_t per_mille, uint64_t *random);

#endif
