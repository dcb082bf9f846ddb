/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdio.h>

/**
 * A drawing of gnuplot (with the titles of hover_titles()) in a third of the bytes, for a page whose style sheet says what every
 * drawing has in common. It looks the same there but for gridlines, which lie below the marks of the axes that they cross.
 *
 * - Groups of one style that follow one another are one; so are lines, of one colour and dash.
 * - Places are rounded to a tenth of a pixel, colours are "#1a1a1a".
 * - A text has its place itself. Ink is not said: `text` is to be filled with it where it says no colour, and has no stroke.
 * - What the pointer meets is `class="value"`, with its title: not to be seen, whatever its colour.
 * - Without the description, and without the symbols and filters that it does not use.
 *
 * @param svg  the inside of <svg>, up to its end
 */
void svg_compact(const char *svg, FILE *out);

/**
 * Path data that look the same in fewer bytes: places rounded to a tenth of a pixel, written as steps from one to the next, without
 * points that lie on the line between their neighbours. data: absolute M and L, as gnuplot writes them; a start that nothing is
 * drawn from is left out, and what holds any other command is written as it is.
 */
void svg_path_write(const char *data, size_t length, FILE *out);

/** A number rounded to a tenth, without zeros that say nothing: "12", "-.5". */
void svg_number_write(double number, FILE *out);

/**
 * Values on hover, in a picture alone as in the page, without a script.
 *
 * A .gp plots its measured points once more `with labels hypertext` (`@hover` of reports/draw/style.gnuplot). gnuplot's
 * svg terminal writes such a label for a script of its own; here each becomes a plain `<title>`, which browsers show. A
 * value on the edge of a bar belongs to the whole bar. The titles that gnuplot gives to its plots ("knee_plot_3") are
 * left out: they would be shown over everything that has no value.
 *
 * @param svg  what gnuplot's svg terminal wrote
 * @return     the picture with titles; the caller frees. NULL without memory
 */
char *hover_titles(const char *svg);
