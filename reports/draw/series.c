/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/series.h"

#include "reports/draw/settings.h"

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

/* "<prefix>_<field>" */
static const char *name_array(const struct series *series, const char *field, char name[64])
{
    snprintf(name, 64, "%s_%s", series->prefix, field);
    return name;
}

void series_write(const struct series *series, FILE *settings)
{
    char name[64];
    size_t count = series->count;
    fprintf(settings, "%ss = %zu\n", series->prefix, count);
    set_texts(settings, name_array(series, "title", name), count, i, "%s", series->of[i].title);
    set_colours(settings, name_array(series, "colour", name), count, i, series->of[i].colour);
    set_numbers(settings, name_array(series, "dash", name), count, i, series->of[i].dash);
    set_numbers(settings, name_array(series, "mark", name), count, i, series->of[i].mark);
}
