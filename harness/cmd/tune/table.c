/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See table.h.
 */
#include "harness/cmd/tune/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/command/exit_code.h"
#include "results/records/record.h"
#include "results/statistics/stats.h"
#include "results/tuned/tuning_match.h"

static bool is_best(const json_t *record)
{
    return json_is_true(json_object_get(record, "best"));
}

static const char *shape_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%.0fx%.0f", record_number_or_nan(record, "m"), record_number_or_nan(record, "k"));
    return text;
}

static const char *share_text(const json_t *record, char *text, size_t size)
{
    bool gemv = strcmp(json_string_value(json_object_get(record, "product")), "gemv") == 0;
    snprintf(text, size, "%s", gemv ? "gemv" : json_string_value(json_object_get(record, "share")));
    return text;
}

static const char *ratio_text(double ratio, char *text, size_t size)
{
    snprintf(text, size, "%.3f", ratio);
    return isfinite(ratio) ? text : "-";
}

static const char *gain_text(const json_t *record, char *text, size_t size)
{
    return ratio_text(record_number_or_nan(record, "default_time_s") / record_number_or_nan(record, "time_s"), text,
                      size);
}

/** Of the best of its problem, over what the settings of the nearest other problem take. */
static const char *match_text(const json_t *record, char *text, size_t size)
{
    double ratio =
        record_number_or_nan(record, "time_s") / record_number_or_nan(json_object_get(record, "left_out"), "time_s");
    return ratio_text(is_best(record) ? ratio : (double)NAN, text, size);
}

static const char *note_text(const json_t *record, char *text, size_t size)
{
    char few[64] = "";
    if (!isfinite(record_number_or_nan(record, "time_s")))
        snprintf(few, sizeof few, "%.0f samples kept, %d needed", record_number_or_nan(record, "kept"),
                 STATS_KEPT_LEAST);
    snprintf(text, size, "%s%s%s%s", few, *few && is_best(record) ? "  " : "", is_best(record) ? "best" : "",
             record_number_or_nan(record, "seen") < record_number_or_nan(record, "candidates") ? ", not all seen" : "");
    return text + strspn(text, ", ");
}

static const struct table_column columns[] = {
    {"kernel", "kernel", .left = true, .clips = 24},
    {"shape", "m", .text = shape_text},
    {"tokens", .field = "n"},
    {"thr", .field = "threads"},
    {"from", "protocol", .rank = 7, .left = true},
    {"variant", "variant", .rank = 4, .left = true},
    {"prefetch", "prefetch_bytes", .rank = 3},
    {"share", "share", .text = share_text, .rank = 6, .left = true},
    {"time us", "time_s", TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 1},
    {"own us", "default_time_s", TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 5},
    {"gain", "default_time_s", .text = gain_text, .rank = 2},
    {"match", "left_out", .text = match_text, .rank = 8},
};

const struct table tune_table = {
    "tuned", "Settings", columns, sizeof columns / sizeof *columns, .stands_out = is_best, .note = note_text};

int tune_table_print(const char *command, const struct tuning_table *table, bool json, const struct table_view *view)
{
    json_auto_t *rows = json_array();
    for (size_t i = 0; i < table->count; i++)
        json_array_append_new(rows, tuning_cell_json(&table->cell[i]));
    return table_print_records(command, &tune_table, rows, json, view);
}

int tune_table_print_end(const char *command, const struct tuning_table *table, const char *path, bool json)
{
    const struct tuning_loss loss = tuning_loss(table);
    if (json)
        return print_record(command, json_pack("{s:s, s:s, s:s, s:o}", "type", "tuning", "name", command, "path", path,
                                               "leave_one_out", tuning_loss_json(table)));
    console_print_text(
        "\nvariant: register block and cut of K, for kernels that have several; -: its own. time: with these "
        "settings, own: with\nthe kernel's own, both from samples taken after the choice; gain: own over time. match: "
        "time over the time with the\nsettings of the nearest other problem, as if this one had not been tuned. best: "
        "the fastest of all kernels that can\nreplace each other.\n");
    if (loss.problems)
        printf(
            "\nLeave-one-out over %zu problem%s: the settings of the nearest other problem reach %.3f of the best in "
            "the geometric mean, %.3f at worst.\n",
            loss.problems, loss.problems == 1 ? "" : "s", loss.geometric_mean, loss.worst);
    else
        puts("\nLeave-one-out: no problem has another of its kind near it; give several --shape or --tokens.");
    printf("saved: %s\n", path);
    return EXIT_DONE;
}
