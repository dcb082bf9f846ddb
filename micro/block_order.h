/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_BLOCK_ORDER_H
#define MICRO_BLOCK_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "micro/kernel.h"

/**
 * Orders in which the blocks of several rows are interleaved (q4_0_8x8). A model file holds them row by row (q4_0), so who
 * multiplies with such an order repacks first [arm-kernels-codebooks, 4.1.1]: every byte moves, and none changes but by bits that
 * the order has turned over. Registered by the format.c of the order: micro/families/blocks/block_format.h.
 */
struct block_order {
    const struct format *format; /* of the panels */

    /**
     * Interleave a panel's rows.
     * @param rows       format->rows_per_panel of them, row_bytes apart
     * @param blocks     of a row, steps of the panel
     * @param panel      blocks * format->step_bytes, all of which are written
     */
    void (*interleave)(const uint8_t *rows, size_t row_bytes, size_t blocks, uint8_t *panel);
};

/** What block_format.h calls the order of the format SELF, and the registry expects. */
#define BLOCK_ORDER(self)  BLOCK_ORDER_(self)
#define BLOCK_ORDER_(self) order_of_##self

/** All orders in name order, NULL-terminated; those of codebooks, which no model file holds in rows, among them. */
const struct block_order *const *block_order_all(void);

/** The block order that a format is; NULL: it is not one. */
const struct block_order *block_order_of(const struct format *format);

/** The format of the rows that it interleaves: q4_0 of q4_0_8x8; NULL: no format here stores such blocks row by row. */
const struct format *block_order_rows(const struct block_order *order);

#endif
