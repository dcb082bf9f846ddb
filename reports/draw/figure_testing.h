/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_DRAW_FIGURE_TESTING_H
#define REPORTS_DRAW_FIGURE_TESTING_H

#include "reports/draw/figure.h"
#include "reports/select/run/testing.h"
#include "unit_test.h"

/* Select for a figure that must succeed; caller frees. */
static inline void select_figure(const char *name, struct made_run *run, char **settings, char **data)
{
    char why[512] = "";
    assert_non_null(figure_find(name));
    int error = figure_select(figure_find(name), &run->view, settings, data, why, sizeof why);
    if (error)
        fail_msg("%s: %d %s", name, error, why);
}

/* The number after the first place that has the words, as in what a bar says on hover. */
static inline double number_after(const char *data, const char *words)
{
    const char *at = strstr(data, words);
    if (!at)
        fail_msg("no \"%s\"", words);
    return at ? strtod(at + strlen(words), NULL) : (double)NAN;
}

#endif
