/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/verdict/verdict_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/text/words.h"

bool verdict_cannot_fail(const struct compare_report *report)
{
    return !report->live && !report->comparison->able;
}

/** Why, and what would do. */
static void add_cannot_fail(const struct comparison *comparison, char *how, size_t size)
{
    if (!comparison->count) {
        words_append(how, size, "BASE and HEAD share none of the cells asked for");
        return;
    }
    const char *measures = comparison->source[0] ? "" : " with `kneepoint characterize --for=compare`";
    words_append(how, size, "no cell can fail, however slow: ");
    if (comparison->most_cells)
        words_append(
            how, size,
            "with %zu and %zu blocks at most %zu cell%s can be compared, and these are %zu; choose %s%zu with --cell, or "
            "measure %zu blocks per side%s",
            comparison->base_blocks, comparison->head_blocks, comparison->most_cells,
            comparison->most_cells == 1 ? "" : "s", comparison->count, comparison->most_cells == 1 ? "" : "up to ",
            comparison->most_cells, comparison->least_blocks, measures);
    else if (comparison->processes || comparison->source[0])
        words_append(how, size, "with %zu and %zu blocks no loss can be found; measure %zu blocks per side%s",
                     comparison->base_blocks, comparison->head_blocks, comparison->least_blocks, measures);
    else
        words_append(how, size,
                     "a run of fewer than 4 processes has too few visits of each cell; measure BASE and HEAD%s",
                     measures);
}

bool verdict_incomparable(const struct compare_report *report, char *how, size_t size)
{
    const struct comparable *comparable = &report->comparison->comparable;
    bool any = false;
    how[0] = 0;
    for (int fact = 0; fact < COMPARABLE_FACTS; fact++) {
        if (!comparable->differs[fact] || report->allowed & 1u << fact)
            continue;
        words_append(how, size, "%s%s: %s", any ? "; " : "", comparable_fact_name((enum comparable_fact)fact),
                     comparable->how[fact]);
        any = true;
    }
    if (verdict_cannot_fail(report)) {
        words_append(how, size, "%s", any ? "; " : "");
        add_cannot_fail(report->comparison, how, size);
        any = true;
    }
    return any;
}

struct verdict_word verdict_percent(double logarithm)
{
    struct verdict_word percent = {"-"};
    if (isinf(logarithm))
        strcpy(percent.text, "none");
    else if (fabs(comparison_percent(logarithm)) < 0.005)
        strcpy(percent.text, "0.00%"); /* without a sign that says nothing */
    else if (!isnan(logarithm))
        snprintf(percent.text, sizeof percent.text, "%+.2f%%", comparison_percent(logarithm));
    return percent;
}

struct verdict_word verdict_seconds(double seconds)
{
    struct verdict_word time = {"-"};
    if (seconds >= 1e-3)
        snprintf(time.text, sizeof time.text, "%.3g ms", 1e3 * seconds);
    else if (seconds > 0)
        snprintf(time.text, sizeof time.text, "%.3g us", 1e6 * seconds);
    return time;
}

enum compare_verdict verdict_overall(const struct compare_report *report)
{
    const struct comparison *comparison = report->comparison;
    return report->withheld_count ? COMPARE_FAILED : compare_overall(comparison->outcome, comparison->count);
}

void verdict_sum(const struct compare_report *report, char *text, size_t size)
{
    const struct comparison *comparison = report->comparison;
    size_t of[COMPARE_VERDICTS];
    compare_count(comparison->outcome, comparison->count, of);
    snprintf(text, size, "%s: %zu of %zu cell%s failed, %zu passed, %zu inconclusive",
             compare_verdict_name(verdict_overall(report)), of[COMPARE_FAILED], comparison->count,
             comparison->count == 1 ? "" : "s", of[COMPARE_PASSED], of[COMPARE_INCONCLUSIVE] + of[COMPARE_SUSPECTED]);
    if (of[COMPARE_SUSPECTED])
        words_append(text, size, ", %zu of them with a loss that is not confirmed yet", of[COMPARE_SUSPECTED]);
    if (report->withheld_count)
        words_append(text, size, "; %zu kernel%s or sequence%s misbehaved", report->withheld_count,
                     report->withheld_count == 1 ? "" : "s", report->withheld_count == 1 ? "" : "s");
}

static void note_blocks(const struct compare_report *report, char *text, size_t size)
{
    const struct comparison *comparison = report->comparison;
    const char *what = comparison->processes ? "processes" : "visits";
    if (comparison->source[0])
        words_append(
            text, size,
            "%zu and %zu samples of %s, unfiltered and unpaired; rank-sum intervals with the exact distribution\n",
            comparison->base_blocks, comparison->head_blocks, comparison->source);
    else if (report->live)
        words_append(text, size,
                     "%zu pairs of fresh processes, side by side in random order; exact signed-rank intervals\n",
                     report->pairs);
    else
        words_append(text, size, "%zu and %zu %s, unpaired; rank-sum intervals with the exact distribution\n",
                     comparison->base_blocks, comparison->head_blocks, what);
    if (comparison->source[0])
        words_append(
            text, size,
            "weaker evidence: without blocks, all samples of a side come from one process, so differences between "
            "processes do not show; run the benchmark again for --confirm-base and --confirm-run\n");
    else if (!comparison->processes)
        words_append(
            text, size,
            "weaker evidence: the blocks are visits within one process, which share the same placement of memory and "
            "code; `kneepoint characterize --for=compare` measures in several\n");
    size_t short_of = comparison->count - comparison->able;
    if (short_of)
        words_append(
            text, size,
            "%zu of %zu cells cannot fail: with so many cells that takes %zu blocks per side; choose fewer cells, or "
            "more blocks\n",
            short_of, comparison->count, comparison->least_blocks);
    if (report->live && report->pairs > report->first_pairs)
        words_append(text, size, "%zu pairs per cell; undecided cells got more\n", report->first_pairs);
    for (int class = 0; class < COMPARE_CLASSES; class ++) {
        if (report->live && report->moved[class])
            words_append(text, size, "around %zu of the pairs the %s roof moved by more than the threshold\n",
                         report->moved[class], compare_class_name((enum compare_class) class));
    }
}

static void note_host(const struct comparison *comparison, char *text, size_t size)
{
    const char *why = comparison->paired ? "" : comparison->sharing.why;
    words_append(text, size, "%s%s%s: a loss counts from %.0f%% (core) and %.0f%% (memory)\n",
                 comparison->paired ? "side by side"
                 : why[0]           ? "shared host"
                                    : "quiet host",
                 why[0] ? ", " : "", why, 100 * compare_threshold(COMPARE_CORE, comparison->rule.shared[COMPARE_CORE]),
                 100 * compare_threshold(COMPARE_MEMORY, comparison->rule.shared[COMPARE_MEMORY]));
}

static bool has_class(const struct comparison *comparison, enum compare_class class)
{
    for (size_t i = 0; i < comparison->count; i++) {
        if (comparison->outcome[i].class == class)
            return true;
    }
    return false;
}

/** What a change of layout alone does counts as no loss; of the classes that are compared, where it is known from. */
static void note_layout(const struct comparison *comparison, char *text, size_t size)
{
    static const char *const from[] = {
        [COMPARISON_LAYOUT_BASE] = "in BASE's run",
        [COMPARISON_LAYOUT_MEASURED] = "measured before the first pair",
        [COMPARISON_LAYOUT_KEPT] = "kept with this machine's noise floor",
    };
    for (int c = 0; c < COMPARE_CLASSES; c++) {
        enum compare_class class = (enum compare_class)c;
        double layout = comparison->layout[class];
        if (!has_class(comparison, class) || comparison->source[0])
            continue;
        if (isnan(layout))
            words_append(text, size, "the effect of code layout on %s cells is unknown: %s\n",
                         compare_class_name(class),
                         comparison->paired ? "too few samples were kept before the first pair"
                                            : "neither BASE's run nor this machine's noise floor says");
        else if (layout > 0)
            words_append(text, size, "code layout alone adds %s to %s cells, %s; up to 1.5 times that is no loss\n",
                         verdict_percent(layout).text, compare_class_name(class), from[comparison->layout_from[class]]);
        else
            words_append(text, size, "code layout has no measurable effect on %s cells, %s\n",
                         compare_class_name(class), from[comparison->layout_from[class]]);
    }
}

static void note_controls(const struct comparison *comparison, char *text, size_t size)
{
    for (size_t i = 0; i < comparison->controls; i++)
        words_append(text, size, "%s%s %s", i ? ", " : "the machine itself, not judged: ", comparison->control[i].name,
                     verdict_percent(comparison->control[i].effect).text);
    if (comparison->controls)
        words_append(text, size, "\n");
}

void verdict_notes(const struct compare_report *report, char *text, size_t size)
{
    const struct comparison *comparison = report->comparison;
    const struct comparable *comparable = &comparison->comparable;
    text[0] = 0;
    note_blocks(report, text, size);
    note_host(comparison, text, size);
    if (report->confirmation[0])
        words_append(text, size, "losses confirmed by %s\n", report->confirmation);
    for (int fact = 0; fact < COMPARABLE_FACTS; fact++) {
        if (comparable->differs[fact] && report->allowed & 1u << fact)
            words_append(text, size, "differs, as allowed: %s\n", comparable->how[fact]);
    }
    if (comparable->notes[0])
        words_append(text, size, "differs, and may matter: %s\n", comparable->notes);
    for (size_t i = 0; i < report->withheld_count; i++)
        words_append(text, size, "left out on both sides: %s\n", report->withheld[i].why);
    note_layout(comparison, text, size);
    note_controls(comparison, text, size);
}
