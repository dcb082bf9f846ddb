/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/block_order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct block_order *block_order_of(const struct format *format)
{
    const struct block_order *const *order = block_order_all();
    while (*order && (*order)->format != format)
        order++;
    return *order;
}

/** An order is named for the format of its rows: q4_0_8x8, q4_0_m16. */
static bool is_of_rows(const struct format *order, const struct format *rows)
{
    size_t length = strlen(rows->name);
    return rows->rows_per_panel == 1 && rows->k_per_step == order->k_per_step &&
           rows->step_bytes * order->rows_per_panel == order->step_bytes &&
           strncmp(order->name, rows->name, length) == 0 && order->name[length] == '_';
}

const struct format *block_order_rows(const struct block_order *order)
{
    const struct format *const *rows = format_all();
    while (*rows && !is_of_rows(order->format, *rows))
        rows++;
    return *rows;
}

/** The last panel, some of whose rows lie past the matrix. */
static int repack_padded(const struct block_order *order, const uint8_t *rows, size_t there, size_t k, uint8_t *panel)
{
    const struct format *from = block_order_rows(order);
    const uint32_t all = order->format->rows_per_panel;
    const size_t row_bytes = format_panel_bytes(from, k);
    uint8_t *padded = malloc(all * row_bytes);
    float *zeros = calloc(k, sizeof *zeros);
    int error = padded && zeros ? 0 : -ENOMEM;
    if (!error)
        memcpy(padded, rows, there * row_bytes);
    for (size_t row = there; !error && row < all; row++)
        from->pack(zeros, k, padded + row * row_bytes);
    if (!error)
        order->interleave(padded, row_bytes, format_steps(from, k), panel);
    free(padded);
    free(zeros);
    return error;
}

int block_order_repack(const struct block_order *order, const uint8_t *rows, size_t m, size_t k, size_t first,
                       size_t count, uint8_t *packed)
{
    const struct format *from = block_order_rows(order);
    const uint32_t of_a_panel = order->format->rows_per_panel;
    const size_t row_bytes = format_panel_bytes(from, k), panel_bytes = format_panel_bytes(order->format, k);
    int error = 0;
    for (size_t i = 0; !error && i < count; i++) {
        size_t row = (first + i) * of_a_panel;
        if (m - row >= of_a_panel)
            order->interleave(rows + row * row_bytes, row_bytes, format_steps(from, k), packed + i * panel_bytes);
        else
            error = repack_padded(order, rows + row * row_bytes, m - row, k, packed + i * panel_bytes);
    }
    return error;
}
