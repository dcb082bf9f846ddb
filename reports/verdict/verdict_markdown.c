/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/verdict/verdict.h"

/** More passes than this are folded away. */
enum { PASSES_SHOWN = 10 };

/** Text inside a table: a bar ends a column, and what looks like a tag is one. */
static void write_escaped(const char *text, FILE *stream)
{
    for (; *text; text++) {
        if (*text == '\n')
            fputs("<br>", stream);
        else if (*text == '<')
            fputs("&lt;", stream);
        else if (strchr("|\\`*_[]", *text))
            fprintf(stream, "\\%c", *text);
        else
            fputc(*text, stream);
    }
}

static void write_row(const struct compare_outcome *outcome, FILE *stream)
{
    bool bold = outcome->verdict == COMPARE_FAILED;
    fputs("| ", stream);
    write_escaped(outcome->name, stream);
    fprintf(stream, " | %s | %s | %s … %s | %s | %s%s%s%s%s |\n", verdict_seconds(outcome->base_s).text,
            verdict_percent(outcome->effect).text, verdict_percent(outcome->lower).text,
            verdict_percent(outcome->upper).text, verdict_percent(outcome->threshold).text, bold ? "**" : "",
            compare_verdict_name(outcome->verdict), bold ? "**" : "", outcome->reason ? ": " : "",
            compare_reason_text(outcome->reason));
}

static void write_table(const struct comparison *comparison, bool passes, FILE *stream)
{
    fputs("| cell | base | slower | at least … at most | threshold | verdict |\n|---|--:|--:|--:|--:|---|\n", stream);
    for (size_t i = 0; i < comparison->count; i++) {
        if ((comparison->outcome[i].verdict == COMPARE_PASSED) == passes)
            write_row(&comparison->outcome[i], stream);
    }
    fputc('\n', stream);
}

static void write_tables(const struct comparison *comparison, FILE *stream)
{
    size_t of[COMPARE_VERDICTS];
    compare_count(comparison->outcome, comparison->count, of);
    size_t passed = of[COMPARE_PASSED];
    if (passed < comparison->count)
        write_table(comparison, false, stream);
    if (passed > PASSES_SHOWN)
        fprintf(stream, "<details><summary>%zu cells passed</summary>\n\n", passed);
    if (passed)
        write_table(comparison, true, stream);
    if (passed > PASSES_SHOWN)
        fputs("</details>\n\n", stream);
}

/** Each line of the notes as an item of a list. */
static void write_list(const char *lines, FILE *stream)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        char line[1024];
        snprintf(line, sizeof line, "%.*s", (int)length, lines);
        fputs("- ", stream);
        write_escaped(line, stream);
        fputc('\n', stream);
        lines += length + (lines[length] == '\n');
    }
}

void verdict_markdown(const struct compare_report *report, FILE *stream)
{
    const struct comparison *comparison = report->comparison;
    const struct resample_mean *mean = &comparison->mean;
    char text[4096];
    if (verdict_incomparable(report, text, sizeof text)) {
        fputs("### Kneepoint: cannot be compared\n\n", stream);
        write_escaped(text, stream);
        fputc('\n', stream);
        return;
    }
    verdict_sum(report, text, sizeof text);
    fprintf(stream, "### Kneepoint: %s\n\n", text);
    write_escaped(report->base, stream);
    fputs(" → ", stream);
    write_escaped(report->head, stream);
    if (!isnan(mean->effect))
        fprintf(stream, ", geometric mean %s (%s … %s)", verdict_percent(mean->effect).text,
                verdict_percent(mean->ci95[0]).text, verdict_percent(mean->ci95[1]).text);
    fputs("\n\n", stream);
    write_tables(comparison, stream);
    verdict_reasons(report, text, sizeof text);
    if (text[0]) {
        fputs("Why slower:\n\n", stream);
        write_list(text, stream);
        fputc('\n', stream);
    }
    verdict_notes(report, text, sizeof text);
    write_list(text, stream);
}
