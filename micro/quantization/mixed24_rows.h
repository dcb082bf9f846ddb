/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_MIXED24_ROWS_H
#define MICRO_QUANTIZATION_MIXED24_ROWS_H

#include "micro/quantization/mixed24.h"

/**
 * Panels of mixed24_rows, the paper's order of the same bits; micro/formats/mixed24_rows/format.c draws them. To repack, read each
 * step with mixed24_get_step() and write it with mixed24_rows_put_step(): no bit is lost. k is a multiple of 64.
 */

/** Write step number `i` of a panel of k columns: its MIXED24_STEP_BYTES bytes, which are in five places. */
void mixed24_rows_put_step(const struct mixed24_step *step, size_t i, size_t k, uint8_t *panel);

/** The weight of a panel at a row and column, exact. */
double mixed24_rows_weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column);

#endif
