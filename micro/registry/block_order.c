/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/block_order.h"

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
