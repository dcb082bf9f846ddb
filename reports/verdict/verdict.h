/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdio.h>

#include "reports/verdict/verdict_words.h"

/**
 * A comparison as people and machines read it: Markdown for a pull request, JUnit XML for continuous integration, JSON Lines, a
 * table for spreadsheets. Derived from the comparison alone. Text is of the command, which knows the terminal.
 */
enum verdict_format { VERDICT_TEXT, VERDICT_MARKDOWN, VERDICT_JUNIT, VERDICT_JSON, VERDICT_CSV, VERDICT_FORMATS };
/** "text", "markdown", "junit", "json", "csv"; VERDICT_FORMATS for another name. */
enum verdict_format verdict_format_named(const char *name);

/** Write to the stream in a format other than text. @return 0 or -EIO, -ENOMEM */
int verdict_write(const struct compare_report *report, enum verdict_format format, FILE *stream);

/** The formats, one file each. Those that return nothing leave an error of the stream to ferror(). */

void verdict_markdown(const struct compare_report *report, FILE *stream);
void verdict_junit(const struct compare_report *report, FILE *stream);
void verdict_csv(const struct compare_report *report, FILE *stream);
/** @return 0, -ENOMEM, or the error of the stream */
int verdict_json(const struct compare_report *report, FILE *stream);
