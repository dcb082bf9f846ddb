/* SPDX-License-Identifier: BSD-3-Clause
 *
 * To know a machine: its roofs, gamma of what runs on it, its kernels, and then as much of everything else as the budget
 * carries. What a cell is worth its kind says.
 */
#include "harness/plan/characterize/purpose.h"

static unsigned value(const struct planning *planning, const struct cell *cell)
{
    return cell->kind->value ? cell->kind->value(planning, cell) : CELL_BREADTH;
}

static const char *value_name(unsigned of)
{
    return cell_value_name((enum cell_value)of);
}

static const char *value_purpose(unsigned of)
{
    return cell_value_purpose((enum cell_value)of);
}

const struct purpose purpose_machine = {
    .name = "machine",
    .summary = "know a machine: its roofs, gamma of every sequence, its kernels, and then everything else",
    .budget = "100",
    .kept = 12,
    .value = value,
    .value_name = value_name,
    .value_purpose = value_purpose,
};
