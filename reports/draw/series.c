/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/series.h"

#include "reports/draw/gnuplot.h"

void series_add(struct series *series, const char *title, unsigned colour, int dash, int mark)
{
    if (series->count == SERIES_MAX)
        return;
    size_t at = series->count++;
    snprintf(series->of[at].title, sizeof series->of[at].title, "%s", title);
    series->of[at].colour = colour;
    series->of[at].dash = dash;
    series->of[at].mark = mark;
}

static void begin_array(const struct series *series, const char *field, FILE *settings)
{
    fprintf(settings, "array %s_%s[%zu] = [", series->prefix, field, series->count);
}

void series_write(const struct series *series, FILE *settings)
{
    fprintf(settings, "%ss = %zu\n", series->prefix, series->count);
    if (!series->count) {
        /* gnuplot knows no empty array, and reads the body of a plot loop from 1 to 0 once nevertheless */
        fprintf(settings,
                "array %s_title[1] = ['']\narray %s_colour[1] = [0]\narray %s_dash[1] = [1]\narray %s_mark[1] = [1]\n",
                series->prefix, series->prefix, series->prefix, series->prefix);
        return;
    }
    begin_array(series, "title", settings);
    for (size_t i = 0; i < series->count; i++) {
        fputs(i ? ", " : "", settings);
        gnuplot_write_string(settings, series->of[i].title);
    }
    fputs("]\n", settings);
    begin_array(series, "colour", settings);
    for (size_t i = 0; i < series->count; i++)
        fprintf(settings, "%s0x%06x", i ? ", " : "", series->of[i].colour);
    fputs("]\n", settings);
    begin_array(series, "dash", settings);
    for (size_t i = 0; i < series->count; i++)
        fprintf(settings, "%s%d", i ? ", " : "", series->of[i].dash);
    fputs("]\n", settings);
    begin_array(series, "mark", settings);
    for (size_t i = 0; i < series->count; i++)
        fprintf(settings, "%s%d", i ? ", " : "", series->of[i].mark);
    fputs("]\n", settings);
}
