/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_DRAW_SVG_PATH_H
#define REPORTS_DRAW_SVG_PATH_H

#include <stddef.h>
#include <stdio.h>

/**
 * Path data that look the same in fewer bytes: places rounded to a tenth of a pixel, written as steps from one to the next, without
 * points that lie on the line between their neighbours. data: absolute M and L, as gnuplot writes them; a start that nothing is
 * drawn from is left out, and what holds any other command is written as it is.
 */
void svg_path_write(const char *data, size_t length, FILE *out);

/** A number rounded to a tenth, without zeros that say nothing: "12", "-.5". */
void svg_number_write(double number, FILE *out);

#endif
