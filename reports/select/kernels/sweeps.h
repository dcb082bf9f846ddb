/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_KERNELS_SWEEPS_H
#define REPORTS_SELECT_KERNELS_SWEEPS_H

#include "reports/select/run/view.h"

/**
 * The gamma records of a run as lines over the number of accumulators: one panel per format (of one width), and in
 * it one line per sequence and ISA. Narrow weights first, then by name. What is no up-convert sequence (the experiments c2 and elut,
 * whose unit is not 32 weights) is left out.
 */
enum { SWEEPS_ROWS = 4096, SWEEPS_LINES = 512, SWEEPS_ISAS = 16 };

struct sweep_line {
    size_t first, count; /* rows */
    size_t isa;
};

struct sweep_panel {
    size_t first, count; /* lines */
};

struct sweeps {
    const json_t *rows[SWEEPS_ROWS];
    size_t count;
    struct sweep_line line[SWEEPS_LINES];
    size_t lines;
    struct sweep_panel panel[SWEEPS_LINES];
    size_t panels;
    const char *isa[SWEEPS_ISAS];
    size_t isas;
};

/** sweeps is zeroed. What exceeds its room is left out. */
void sweeps_select(const struct view *view, struct sweeps *sweeps);

#endif
