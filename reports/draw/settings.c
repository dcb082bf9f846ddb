/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/settings.h"

#include <math.h>
#include <stdarg.h>

#include "reports/draw/gnuplot.h"

static struct settings_array begin(FILE *settings, const char *name, size_t count, const char *empty)
{
    fprintf(settings, "array %s[%zu] = [", name, count ? count : 1);
    if (!count)
        fprintf(settings, "%s]\n", empty);
    return (struct settings_array){.settings = settings, .count = count};
}

struct settings_array settings_texts(FILE *settings, const char *name, size_t count)
{
    return begin(settings, name, count, "''");
}

struct settings_array settings_numbers(FILE *settings, const char *name, size_t count)
{
    return begin(settings, name, count, "1");
}

static void separate(struct settings_array *array)
{
    fputs(array->written++ ? ", " : "", array->settings);
}

static void complete(const struct settings_array *array)
{
    if (array->written == array->count)
        fputs("]\n", array->settings);
}

void array_text(struct settings_array *array, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    separate(array);
    gnuplot_write_string(array->settings, text);
    complete(array);
}

void array_number(struct settings_array *array, double value)
{
    separate(array);
    if (isfinite(value))
        fprintf(array->settings, "%.6g", value);
    else
        fputs("NaN", array->settings);
    complete(array);
}

void array_colour(struct settings_array *array, unsigned colour)
{
    separate(array);
    fprintf(array->settings, "0x%06x", colour);
    complete(array);
}

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
