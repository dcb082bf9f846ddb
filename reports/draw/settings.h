/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/select/run/view.h"

/**
 * Arrays among the settings of a figure, which its .gp reads as `name[1]` and following. One is begun with its number
 * of elements, then given each of them, and is complete with the last:
 *
 *     struct settings_array titles = settings_texts(settings, "panel_title", count);
 *     for (size_t i = 0; i < count; i++)
 *         array_text(&titles, "%u threads", teams[i]);
 *
 * gnuplot knows no empty array, and reads the body of a plot loop from 1 to 0 once nevertheless: an array of no
 * elements has one, '' or 1. Arrays may be written side by side only to different streams.
 */
struct settings_array {
    FILE *settings;
    size_t count, written;
};

/** Begin an array of texts, or of numbers or colours; the stream takes nothing else until it is complete. */
struct settings_array settings_texts(FILE *settings, const char *name, size_t count);
struct settings_array settings_numbers(FILE *settings, const char *name, size_t count);

/** Text that may come from anybody's records, as gnuplot_write_string writes it; of 511 bytes at most. */
__attribute__((format(printf, 2, 3))) void array_text(struct settings_array *array, const char *format, ...);

/** Six digits; NaN is gnuplot's NaN. */
void array_number(struct settings_array *array, double value);

/** 0xRRGGBB */
void array_colour(struct settings_array *array, unsigned colour);

/**
 * A whole array whose elements an expression of i gives, 0 <= i < count:
 *
 *     set_texts(settings, "panel_title", count, i, "%u threads", teams[i]);
 */
#define set_array(kind, add, settings, name, count, i, ...)                                                            \
    do {                                                                                                               \
        struct settings_array array_of_##i = settings_##kind(settings, name, count);                                   \
        for (size_t i = 0; i < (size_t)(count); i++)                                                                   \
            add(&array_of_##i, __VA_ARGS__);                                                                           \
    } while (0)
#define set_texts(settings, name, count, i, ...) set_array(texts, array_text, settings, name, count, i, __VA_ARGS__)
#define set_numbers(settings, name, count, i, element)                                                                 \
    set_array(numbers, array_number, settings, name, count, i, element)
#define set_colours(settings, name, count, i, element)                                                                 \
    set_array(numbers, array_colour, settings, name, count, i, element)

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
