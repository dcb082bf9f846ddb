/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <errno.h>

#include "reports/draw/figure.h"
#include "reports/select/machines/reference_platforms.h"
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

/* The same from records alone. */
static inline void select_records(const char *name, const char *lines, char **settings, char **data)
{
    struct made_run run;
    make_run(&run, "{}", lines);
    select_figure(name, &run, settings, data);
    free_run(&run);
}

/* The same from records and described machines by name, NULL: none. @return as figure_select */
static inline int select_lines(const char *figure, const char *names, const char *lines, char **settings, char **data)
{
    struct reference_platforms platforms = {.count = 0};
    struct made_run run;
    char why[512] = "";
    assert_non_null(figure_find(figure));
    make_run(&run, "{}", lines);
    if (names && reference_platforms_add(&platforms, names, why, sizeof why))
        fail_msg("%s: %s", names, why);
    run.view.platforms = platforms.of;
    run.view.platform_count = platforms.count;
    int error = figure_select(figure_find(figure), &run.view, settings, data, why, sizeof why);
    reference_platforms_free(&platforms);
    free_run(&run);
    return error;
}

/* There is nothing to draw, and the line that says so names the figure and has the words. */
static inline void assert_missing(const char *figure, const struct view *view, const char *words)
{
    char why[1024] = "", *settings, *data;
    assert_int_equal(figure_select(figure_find(figure), view, &settings, &data, why, sizeof why), -ENODATA);
    assert_null(settings);
    assert_null(data);
    assert_contains(why, figure);
    assert_contains(why, words);
}

static inline void assert_missing_of(const char *figure, const char *lines, const char *words)
{
    MADE_RUN(run, lines);
    assert_missing(figure, &run.view, words);
}

/* A product on a device that is a CPU; of a GEMV n is 0. */
#define ON_DEVICE(type, of, m, k, n, seconds, rate)                                                                    \
    "{'type':'device_" type "','name':'opencl:0/" of "." #m "x" #k "x" #n "','kernel':'" of                            \
    ".opencl','device':'opencl:0','title':'EPYC','kind':'cpu','m':" #m ",'k':" #k ",'n':" #n                           \
    ",'time_s':{'median':" #seconds ",'ci95':[" #seconds "," #seconds "],'n':12},'bytes_per_s':{'median':" #rate       \
    "},'operations_per_s':{'median':" #rate "}}"

/* The number after the first place that has the words, as in what a bar says on hover. */
static inline double number_after(const char *data, const char *words)
{
    const char *at = strstr(data, words);
    if (!at)
        fail_msg("no \"%s\"", words);
    return at ? strtod(at + strlen(words), NULL) : (double)NAN;
}
