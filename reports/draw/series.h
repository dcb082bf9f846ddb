/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_DRAW_SERIES_H
#define REPORTS_DRAW_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/select/run/view.h"

/**
 * The series of a plot as gnuplot arrays: `<prefix>s` their number, `<prefix>_title[]`, `_colour[]`, `_dash[]`,
 * `_mark[]` (gnuplot's dash and point types), counted from 1.
 */
enum { SERIES_MAX = 64 };

struct series {
    const char *prefix;
    size_t count;
    struct {
        char title[160];
        unsigned colour; /* 0xRRGGBB */
        int dash, mark;
    } of[SERIES_MAX];
};

/** Add one; beyond SERIES_MAX nothing is added. */
void series_add(struct series *series, const char *title, unsigned colour, int dash, int mark);
void series_write(const struct series *series, FILE *settings);

#endif
