/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/verdict/verdict.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "reports/verdict/verdict_parts.h"
#include "results/record.h"

enum verdict_format verdict_format_named(const char *name)
{
    static const char *const names[VERDICT_FORMATS] = {"text", "markdown", "junit", "json"};
    int format = 0;
    while (format < VERDICT_FORMATS && strcmp(name, names[format]) != 0)
        format++;
    return (enum verdict_format)format;
}

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

bool verdict_incomparable(const struct verdict *verdict, char *how, size_t size)
{
    const struct comparable *comparable = &verdict->comparison->comparable;
    bool any = false;
    how[0] = 0;
    for (int fact = 0; fact < COMPARABLE_FACTS; fact++) {
        if (!comparable->differs[fact] || verdict->allowed & 1u << fact)
            continue;
        add(how, size, "%s%s: %s", any ? "; " : "", comparable_fact_name((enum comparable_fact)fact),
            comparable->how[fact]);
        any = true;
    }
    return any;
}

struct verdict_percent verdict_percent(double logarithm)
{
    struct verdict_percent percent = {"-"};
    if (isinf(logarithm))
        strcpy(percent.text, "none");
    else if (fabs(comparison_percent(logarithm)) < 0.005)
        strcpy(percent.text, "0.00%"); /* without a sign that says nothing */
    else if (!isnan(logarithm))
        snprintf(percent.text, sizeof percent.text, "%+.2f%%", comparison_percent(logarithm));
    return percent;
}

struct verdict_percent verdict_seconds(double seconds)
{
    struct verdict_percent time = {"-"};
    if (seconds >= 1e-3)
        snprintf(time.text, sizeof time.text, "%.3g ms", 1e3 * seconds);
    else if (seconds > 0)
        snprintf(time.text, sizeof time.text, "%.3g us", 1e6 * seconds);
    return time;
}

void verdict_sum(const struct verdict *verdict, char *text, size_t size)
{
    const struct comparison *comparison = verdict->comparison;
    size_t of[COMPARE_VERDICTS];
    compare_count(comparison->outcome, comparison->count, of);
    snprintf(text, size, "%s: %zu of %zu cell%s failed, %zu passed, %zu inconclusive",
             compare_verdict_name(compare_overall(comparison->outcome, comparison->count)), of[COMPARE_FAILED],
             comparison->count, comparison->count == 1 ? "" : "s", of[COMPARE_PASSED],
             of[COMPARE_INCONCLUSIVE] + of[COMPARE_SUSPECTED]);
    if (of[COMPARE_SUSPECTED])
        add(text, size, ", %zu of them a loss that awaits its confirmation", of[COMPARE_SUSPECTED]);
}

/** Cells with fewer blocks than it takes to fail among so many. */
static size_t cells_that_cannot_fail(const struct comparison *comparison)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct compare_outcome *outcome = &comparison->outcome[i];
        size_t fewest = outcome->base_blocks < outcome->head_blocks ? outcome->base_blocks : outcome->head_blocks;
        count += fewest < comparison->least_blocks;
    }
    return count;
}

static void note_blocks(const struct verdict *verdict, char *text, size_t size)
{
    const struct comparison *comparison = verdict->comparison;
    const char *what = comparison->processes ? "processes" : "visits";
    if (verdict->live)
        add(text, size, "%zu pairs of fresh processes, side by side in random order; exact signed-rank intervals\n",
            verdict->pairs);
    else
        add(text, size, "%zu and %zu %s, unpaired; rank-sum intervals with the exact distribution\n",
            comparison->base_blocks, comparison->head_blocks, what);
    if (!comparison->processes)
        add(text, size,
            "weaker: the blocks are visits within one process, which share where memory and code happened to lie\n");
    size_t short_of = cells_that_cannot_fail(comparison);
    if (short_of)
        add(text, size,
            "%zu of %zu cells cannot fail: among so many it takes %zu blocks a side; choose fewer cells, or more "
            "blocks\n",
            short_of, comparison->count, comparison->least_blocks);
    for (int class = 0; class < COMPARE_CLASSES; class ++) {
        if (verdict->live && verdict->moved[class])
            add(text, size, "%zu pair%s discarded for %s cells: the roof moved meanwhile\n", verdict->moved[class],
                verdict->moved[class] == 1 ? "" : "s", compare_class_name((enum compare_class) class));
    }
}

static void note_host(const struct comparison *comparison, char *text, size_t size)
{
    add(text, size, "%s host%s%s: a loss counts from %.0f%% (core) and %.0f%% (memory)\n",
        comparison->rule.shared ? "shared" : "quiet", comparison->rule.shared ? ", " : "", comparison->shared_why,
        100 * compare_threshold(COMPARE_CORE, comparison->rule.shared),
        100 * compare_threshold(COMPARE_MEMORY, comparison->rule.shared));
}

static void note_controls(const struct comparison *comparison, char *text, size_t size)
{
    for (size_t i = 0; i < comparison->controls; i++)
        add(text, size, "%s%s %s", i ? ", " : "the machine itself, not judged: ", comparison->control[i].name,
            verdict_percent(comparison->control[i].effect).text);
    if (comparison->controls)
        add(text, size, "\n");
}

void verdict_notes(const struct verdict *verdict, char *text, size_t size)
{
    const struct comparison *comparison = verdict->comparison;
    const struct comparable *comparable = &comparison->comparable;
    text[0] = 0;
    note_blocks(verdict, text, size);
    note_host(comparison, text, size);
    if (verdict->confirmation[0])
        add(text, size, "losses confirmed by %s\n", verdict->confirmation);
    for (int fact = 0; fact < COMPARABLE_FACTS; fact++) {
        if (comparable->differs[fact] && verdict->allowed & 1u << fact)
            add(text, size, "differs, and was allowed to: %s\n", comparable->how[fact]);
    }
    if (comparable->notes[0])
        add(text, size, "differs, and may matter: %s\n", comparable->notes);
    note_controls(comparison, text, size);
}

int verdict_json(const struct verdict *verdict, FILE *stream)
{
    const struct comparison *comparison = verdict->comparison;
    char how[2048];
    int error = 0;
    for (size_t i = 0; !error && i < comparison->count; i++) {
        json_t *record = comparison_record(comparison, &comparison->outcome[i]);
        error = record ? record_write_line(stream, record) : -ENOMEM;
        json_decref(record);
    }
    json_t *record = comparison_verdict_record(comparison, verdict->base, verdict->head);
    bool incomparable = verdict_incomparable(verdict, how, sizeof how);
    if (record && incomparable)
        json_object_set_new(record, "name", json_string("incomparable"));
    if (record && verdict->live)
        json_object_set_new(record, "pairs_moved",
                            json_pack("{s:I, s:I}", "core", (json_int_t)verdict->moved[COMPARE_CORE], "memory",
                                      (json_int_t)verdict->moved[COMPARE_MEMORY]));
    if (record)
        json_object_set_new(record, "confirmation",
                            verdict->confirmation[0] ? json_string(verdict->confirmation) : json_null());
    if (!error)
        error = record ? record_write_line(stream, record) : -ENOMEM;
    json_decref(record);
    return error;
}

int verdict_write(const struct verdict *verdict, enum verdict_format format, FILE *stream)
{
    int error = 0;
    if (format == VERDICT_TEXT)
        verdict_text(verdict, stream);
    else if (format == VERDICT_MARKDOWN)
        verdict_markdown(verdict, stream);
    else if (format == VERDICT_JUNIT)
        verdict_junit(verdict, stream);
    else
        error = verdict_json(verdict, stream);
    return error ? error : fflush(stream) != 0 || ferror(stream) ? -EIO : 0;
}
