/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Comma-separated values (RFC 4180), a line a cell, the largest loss first. Changes are ratios less 1, as in JSON; what is
 * not known is empty. A spreadsheet has no place for notes: those that matter go with the other formats.
 */
#include <math.h>
#include <string.h>

#include "reports/verdict/verdict.h"

/** Quoted where it has to be; a formula of a spreadsheet (=, +, -, @) is harmless within quotes and after a blank. */
static void write_field(const char *text, FILE *stream)
{
    bool formula = text[0] && strchr("=+-@\t\r", text[0]);
    if (!formula && !strpbrk(text, "\",\r\n")) {
        fputs(text, stream);
        return;
    }
    fputs(formula ? "\" " : "\"", stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void write_number(double number, FILE *stream)
{
    fputc(',', stream);
    if (isfinite(number))
        fprintf(stream, "%.9g", number);
}

static void write_change(double logarithm, FILE *stream)
{
    write_number(isfinite(logarithm) ? expm1(logarithm) : NAN, stream);
}

static void write_row(const struct compare_outcome *outcome, FILE *stream)
{
    write_field(outcome->name, stream);
    fprintf(stream, ",%s,", compare_verdict_name(outcome->verdict));
    write_field(compare_reason_text(outcome->reason), stream);
    fprintf(stream, ",%s", compare_class_name(outcome->class));
    write_number(outcome->base_s, stream);
    write_change(outcome->effect, stream);
    write_change(outcome->lower, stream);
    write_change(outcome->reason == COMPARE_NO_BLOCKS ? NAN : outcome->upper, stream);
    write_change(outcome->threshold, stream);
    write_change(outcome->floor, stream);
    write_change(outcome->layout, stream);
    write_number(outcome->adjusted_p, stream);
    fprintf(stream, ",%zu,%zu\n", outcome->base_blocks, outcome->head_blocks);
}

void verdict_csv(const struct compare_report *report, FILE *stream)
{
    const struct comparison *comparison = report->comparison;
    char how[2048];
    fputs(
        "cell,verdict,reason,class,base_s,effect,lower,upper,threshold,floor,layout,adjusted_p,base_blocks,head_blocks\n",
        stream);
    if (verdict_incomparable(report, how, sizeof how)) {
        fputs(",incomparable,", stream);
        write_field(how, stream);
        fputs(",,,,,,,,,,,\n", stream);
        return;
    }
    for (size_t i = 0; i < comparison->count; i++)
        write_row(&comparison->outcome[i], stream);
    for (size_t i = 0; i < report->withheld_count; i++) {
        write_field(report->withheld[i].name, stream);
        fputs(",withheld,", stream);
        write_field(report->withheld[i].why, stream);
        fputs(",,,,,,,,,,,\n", stream);
    }
}
