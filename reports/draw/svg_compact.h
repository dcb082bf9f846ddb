/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_DRAW_SVG_COMPACT_H
#define REPORTS_DRAW_SVG_COMPACT_H

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

#endif
