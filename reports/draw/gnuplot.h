/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * Running gnuplot, without a shell and with a time limit, and writing text that it reads.
 */

#define GNUPLOT_TIME_LIMIT_S 60

/**
 * Whether PATH leads to a gnuplot that is new enough. One that does not say its version is taken to be: it will be
 * asked to draw, and complain. @return 0; -ENOENT none, or too old; other errno. One line with the remedy in why.
 */
int gnuplot_check(char *why, size_t size);

/**
 * Run `gnuplot -e "format='<format>'; output='<output>'" <script>` in folder, once gnuplot_check has passed in this process.
 * @return 0; -ENOENT as gnuplot_check; -ETIMEDOUT; -EIO it failed, its first complaint is in why; other errno.
 */
int gnuplot_run(const char *folder, const char *script, const char *format, const char *output, char *why, size_t size);

/**
 * Write text as a gnuplot string. Text may come from anybody's records, so nothing in it can end the string or run a
 * command: quotes and backquotes become typographic ones, control characters spaces.
 */
void gnuplot_write_string(FILE *script, const char *text);

/** Write text as a quoted field of a data file. */
void gnuplot_write_field(FILE *data, const char *text);

/** Write a line of a data file: what the format says, then text as a quoted field. */
__attribute__((format(printf, 3, 4))) void gnuplot_write_row(FILE *data, const char *text, const char *format, ...);

/**
 * End a block. In one without any point, which gnuplot cannot read with strcol(n), goes a line in which there is nothing to draw.
 * @param numbers, texts  columns that the script reads, numbers first
 */
void gnuplot_end_block(FILE *data, bool has_points, size_t numbers, size_t texts);
