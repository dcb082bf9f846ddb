/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requantized: micro/families/amx/amx_requantized.h. Its 16 rows are those of a panel.
 */
#include "micro/families/amx/amx_requantized_m16.h"
#include "micro/formats/q4_0/amx_values.h"

static int32_t code_value(const uint8_t *panel, uint32_t row, size_t column)
{
    return (int32_t)code_of(panel, row, column) - 8;
}

const struct kernel SELF = AMX_REQUANTIZED_KERNEL(4096);
