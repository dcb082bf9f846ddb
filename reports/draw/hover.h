/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_DRAW_HOVER_H
#define REPORTS_DRAW_HOVER_H

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

#endif
