/* SPDX-License-Identifier: BSD-3-Clause
 *
 * JUnit XML: a cell is a test case. A failure is a failure, what is inconclusive was skipped, and runs that cannot be
 * compared are an error, so that a server that knows only these three shows the right colour.
 */
#include <math.h>

#include "reports/draw/markup.h"
#include "reports/verdict/verdict.h"

static void write_attribute(const char *name, const char *value, FILE *stream)
{
    fprintf(stream, " %s=\"", name);
    markup_text(stream, value);
    fputc('"', stream);
}

static void write_case(const struct compare_outcome *outcome, FILE *stream)
{
    char message[256];
    snprintf(message, sizeof message, "%s: slower by %s, at least %s, at most %s; threshold %s",
             compare_reason_text(outcome->reason), verdict_percent(outcome->effect).text,
             verdict_percent(outcome->lower).text, verdict_percent(outcome->upper).text,
             verdict_percent(outcome->threshold).text);
    fputs("    <testcase", stream);
    write_attribute("classname", outcome->class == COMPARE_CORE ? "kneepoint.core" : "kneepoint.memory", stream);
    write_attribute("name", outcome->name, stream);
    if (isfinite(outcome->base_s))
        fprintf(stream, " time=\"%.9f\"", outcome->base_s);
    if (outcome->verdict == COMPARE_PASSED) {
        fputs("/>\n", stream);
        return;
    }
    fprintf(stream, ">\n      <%s", outcome->verdict == COMPARE_FAILED ? "failure" : "skipped");
    write_attribute("message", message, stream);
    fputs("/>\n    </testcase>\n", stream);
}

static void write_incomparable(const char *how, FILE *stream)
{
    fputs("    <testcase classname=\"kneepoint\" name=\"comparable\">\n      <error", stream);
    write_attribute("message", how, stream);
    fputs("/>\n    </testcase>\n", stream);
}

static void write_withheld(const struct verdict_withheld *withheld, FILE *stream)
{
    fputs("    <testcase classname=\"kneepoint\"", stream);
    write_attribute("name", withheld->name, stream);
    fputs(">\n      <error", stream);
    write_attribute("message", withheld->why, stream);
    fputs("/>\n    </testcase>\n", stream);
}

void verdict_junit(const struct compare_report *report, FILE *stream)
{
    const struct comparison *comparison = report->comparison;
    char how[2048], notes[4096], name[1024];
    size_t of[COMPARE_VERDICTS];
    bool incomparable = verdict_incomparable(report, how, sizeof how);
    compare_count(comparison->outcome, comparison->count, of);
    snprintf(name, sizeof name, "%s -> %s", report->base, report->head);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite", stream);
    write_attribute("name", name, stream);
    fprintf(stream, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
            (incomparable ? 1 : comparison->count) + report->withheld_count, incomparable ? 0 : of[COMPARE_FAILED],
            (incomparable ? 1 : 0) + report->withheld_count,
            incomparable ? 0 : of[COMPARE_INCONCLUSIVE] + of[COMPARE_SUSPECTED]);
    if (incomparable)
        write_incomparable(how, stream);
    for (size_t i = 0; !incomparable && i < comparison->count; i++)
        write_case(&comparison->outcome[i], stream);
    for (size_t i = 0; i < report->withheld_count; i++)
        write_withheld(&report->withheld[i], stream);
    verdict_notes(report, notes, sizeof notes);
    fputs("    <system-out>", stream);
    markup_text(stream, notes);
    verdict_reasons(report, notes, sizeof notes);
    markup_text(stream, notes);
    fputs("</system-out>\n  </testsuite>\n</testsuites>\n", stream);
}
