/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/product_cost.h"

#include <math.h>

#include "harness/cells/cell/weights_read.h"
#include "harness/cells/product/product_summary.h"

/** Where the machine is not known yet: bytes a second of a core and of memory. */
static const double SLOW_CORE = 8e9, SLOW_MEMORY = 24e9;

/** To begin a visit: the team, the vectors; around each timed region: the clocks. Seconds. */
static const double BEGIN_S = 5e-4, CLOCKS_S = 6e-5;

double product_cost_reading(const struct cell *cell)
{
    return product_packed_bytes(cell) / fmin(SLOW_CORE * cell->threads, SLOW_MEMORY);
}

struct cell_cost product_cost(const struct session *session, const struct cell *cell, double call_s)
{
    double bytes = product_packed_bytes(cell);
    struct cell_cost cost = {.visit_s = BEGIN_S + energy_visit_s(session), .sample_s = call_s + CLOCKS_S};
    if (cell->cold)
        cost.sample_s += CLOCKS_S + fmin(bytes + (2 << 20), 16.0 * (1 << 20) * cell->threads) / SLOW_CORE;
    weights_add_filling(session, cell, bytes, &cost);
    return cost;
}
