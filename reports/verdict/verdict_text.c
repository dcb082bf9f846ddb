/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/verdict/verdict_writers.h"

static int name_columns(const struct comparison *comparison)
{
    size_t most = strlen("cell");
    for (size_t i = 0; i < comparison->count; i++) {
        size_t length = strlen(comparison->outcome[i].name);
        most = length > most ? length : most;
    }
    return (int)most;
}

static void write_row(const struct compare_outcome *outcome, int columns, FILE *stream)
{
    char floor[24];
    snprintf(floor, sizeof floor, "%s%s", verdict_percent(outcome->floor).text, outcome->floor_simulated ? "*" : "");
    fprintf(stream, "%-*s %9s %8s %9s %9s %9s %9s %3zu %3zu  %s%s%s\n", columns, outcome->name,
            verdict_seconds(outcome->base_s).text, verdict_percent(outcome->effect).text,
            verdict_percent(outcome->lower).text, verdict_percent(outcome->upper).text,
            verdict_percent(outcome->threshold).text, floor, outcome->base_blocks, outcome->head_blocks,
            compare_verdict_name(outcome->verdict), outcome->reason ? ": " : "", compare_reason_text(outcome->reason));
}

void verdict_text(const struct compare_report *report, FILE *stream)
{
    const struct comparison *comparison = report->comparison;
    const struct resample_mean *mean = &comparison->mean;
    char text[4096];
    int columns = name_columns(comparison);
    fprintf(stream, "%s -> %s\n", report->base, report->head);
    verdict_notes(report, text, sizeof text);
    fprintf(stream, "%s\n%-*s %9s %8s %9s %9s %9s %9s %7s  %s\n", text, columns, "cell", "base", "slower", "at least",
            "at most", "threshold", "A/A 95%", "blocks", "verdict");
    for (size_t i = 0; i < comparison->count; i++)
        write_row(&comparison->outcome[i], columns, stream);
    if (!isnan(mean->effect))
        fprintf(stream, "\ngeometric mean of %zu cell%s: %s, 95%% interval %s to %s\n", comparison->count,
                comparison->count == 1 ? "" : "s", verdict_percent(mean->effect).text,
                verdict_percent(mean->ci95[0]).text, verdict_percent(mean->ci95[1]).text);
    for (size_t i = 0; i < comparison->count; i++) {
        if (comparison->outcome[i].floor_simulated) {
            fputs("* taken from the scatter of the blocks, since this machine has no A/A comparison of the cell\n",
                  stream);
            break;
        }
    }
    verdict_reasons(report, text, sizeof text);
    if (text[0])
        fprintf(stream, "\nwhy slower, judged by gamma, clock and the roof beside it:\n%s", text);
    verdict_sum(report, text, sizeof text);
    fprintf(stream, "\n%s\n", text);
}
