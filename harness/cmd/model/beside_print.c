/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An engine beside the machine, as text.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/model/beside.h"
#include "harness/command/exit_code.h"
#include "reports/select/run/view.h"
#include "results/records/record.h"
#include "results/text/words.h"

static const char command_name[] = "model";

static double part_of(const json_t *record, const char *parts, const char *part)
{
    return view_number(json_object_get(record, parts), part);
}

static bool is_prompt(const json_t *record)
{
    return record_number(record, "n_prompt") > 0;
}

/* ---- the results ---- */

static const char *spread_text(const json_t *record, char *text, size_t size)
{
    const json_t *spread = json_object_get(record, "tokens_per_s_spread");
    if (!json_is_array(spread))
        return "-";
    snprintf(text, size, "[%.4g, %.4g]", json_number_value(json_array_get(spread, 0)),
             json_number_value(json_array_get(spread, 1)));
    return text;
}

static const struct table_column columns[] = {
    {"result", "name", .left = true, .clips = 24},
    {"context", "context", .rank = 6,
     .explains = "positions that a token of it attends to, on average; of a prompt all"},
    {"memory", "memory_tokens_per_s", TABLE_NUMBER, .digits = 2, .rank = 2,
     .explains =
         "tokens/s that reading the file's weights, and keys and values, alone allows; of a prompt weights, once"},
    {"our pass", "pass_tokens_per_s", TABLE_NUMBER, .digits = 2, .rank = 1,
     .explains =
         "tokens/s measured now, with as many threads, as much context and, of q8_0 and q4_0, its kind of cache"},
    {"engine", "tokens_per_s", TABLE_NUMBER, .digits = 2, .explains = "tokens/s, median of its repetitions"},
    {"spread", "tokens_per_s_spread", .text = spread_text, .rank = 5, .explains = "of these"},
    {"of our pass", "share_of_pass", TABLE_SHARE, .digits = 1, .rank = 3},
    {"of memory", "share_of_memory", TABLE_SHARE, .digits = 1, .rank = 4},
};

const struct table beside_table = {"engine", "The engine beside this machine", columns,
                                   .count = sizeof columns / sizeof *columns};

/* ---- where the time goes ---- */

static const struct table_column part_columns[] = {
    {"result", "name", .left = true, .clips = 24},
    {"of", "who", .left = true},
    {"ms", "time_s", TABLE_NUMBER, .scale = 1e3, .digits = 2},
    {"memory", "memory", TABLE_NUMBER, .scale = 1e3, .digits = 2, .rank = 1},
    {"kernels beyond", "kernels_beyond", TABLE_NUMBER, .scale = 1e3, .digits = 2, .rank = 2,
     .explains = "what the products take beyond reading their weights"},
    {"everything else", "everything_else", TABLE_NUMBER, .scale = 1e3, .digits = 2, .rank = 3,
     .explains =
         "barriers, quantization, norms, attention beyond reading, sampling; where kernels are not known, these, too"},
};

const struct table beside_parts_table = {"engine_part", "Where a token's or prompt's time goes, in ms", part_columns,
                                         .count = sizeof part_columns / sizeof *part_columns};

static void add_part(json_t *rows, const json_t *record, const char *who, const char *time, const char *parts)
{
    json_t *row = json_pack("{s:s, s:s, s:O}", "name", record_text(record, "name"), "who", who, "time_s",
                            json_object_get(record, time));
    if (isnan(part_of(record, parts, "memory"))) {
        json_decref(row);
        return;
    }
    json_object_update(row, json_object_get(record, parts));
    json_array_append_new(rows, row);
}

static json_t *rows_of_parts(const json_t *records)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < json_array_size(records); i++) {
        const json_t *record = json_array_get(records, i);
        add_part(rows, record, "engine", "time_s", "parts_s");
        add_part(rows, record, "our pass", "pass_s", "pass_parts_s");
    }
    return rows;
}

/* ---- sentences ---- */

/** How much the sentence of a record says: all parts of a token most. */
static int worth(const json_t *record)
{
    int parts = !isnan(part_of(record, "parts_s", "kernels_beyond")),
        pass = !isnan(view_median(record, "share_of_pass")), memory = !isnan(view_median(record, "share_of_memory"));
    return 8 * parts + 4 * pass + 2 * memory + !is_prompt(record);
}

static void print_sentence(const json_t *record)
{
    double pass = 100 * view_median(record, "share_of_pass"), memory = 100 * view_median(record, "share_of_memory"),
           both = 100 * view_median(record, "pass_share_of_memory");
    char text[768];
    int used = snprintf(text, sizeof text, "%s%s%s: ", console_bold(), record_text(record, "name"), console_plain());
    char *at = text + used;
    size_t left = sizeof text - (size_t)used;
    if (!isnan(part_of(record, "parts_s", "kernels_beyond")))
        snprintf(at, left, "of %.1f ms a %s: %.1f memory, %.1f its kernels beyond it, %.1f everything else",
                 1e3 * view_median(record, "time_s"), is_prompt(record) ? "prompt" : "token",
                 1e3 * part_of(record, "parts_s", "memory"), 1e3 * part_of(record, "parts_s", "kernels_beyond"),
                 1e3 * part_of(record, "parts_s", "everything_else"));
    else if (!isnan(pass) && !isnan(both))
        snprintf(at, left,
                 "the engine attains %.0f%% of what our pass attains on this machine, which attains %.0f%% of what "
                 "memory allows",
                 pass, both);
    else if (!isnan(pass))
        snprintf(at, left, "the engine attains %.0f%% of what our pass attains on this machine", pass);
    else if (!isnan(memory))
        snprintf(at, left, "the engine attains %.0f%% of what memory alone allows on this machine", memory);
    else
        snprintf(at, left, "%.2f tokens/s, and nothing that it could be held against was measured",
                 view_median(record, "tokens_per_s"));
    strncat(text, ".\n\n", sizeof text - strlen(text) - 1);
    console_print_text(text);
}

/** What saves most, by the parts of our pass. */
static void print_change(const json_t *record)
{
    const char *change = record_text(record, "most_saved_by");
    double saved_s = view_median(record, "most_saved_s"), before = view_median(record, "tokens_per_s"),
           after = view_median(record, "saved_tokens_per_s");
    char text[512];
    if (!change[0] && !isnan(view_median(record, "pass_s")))
        snprintf(text, sizeof text, "%s: nothing of our pass is faster than the engine's.\n",
                 record_text(record, "name"));
    else if (!change[0])
        return;
    else
        snprintf(text, sizeof text, "%s: most would be saved by %s: %.1f of %.1f ms, %.4g tokens/s in place of %.4g.\n",
                 record_text(record, "name"),
                 strcmp(change, "kernels") == 0           ? "our kernels in place of its own"
                 : strcmp(change, "everything else") == 0 ? "everything else as in our pass"
                                                          : "our pass in place of it",
                 1e3 * saved_s, 1e3 * view_median(record, "time_s"), after, before);
    console_print_text(text);
}

/** What an engine's median says where its repetitions are far apart. */
static void print_scatter(const json_t *record)
{
    static const double APART = 1.25;
    const json_t *spread = json_object_get(record, "tokens_per_s_spread");
    const double least = json_number_value(json_array_get(spread, 0)),
                 most = json_number_value(json_array_get(spread, 1));
    char text[256];
    if (!(most > APART * least))
        return;
    snprintf(text, sizeof text,
             "%s: the engine's repetitions differ by a factor of %.1f; run it again on a quiet machine before you use "
             "its parts.\n",
             record_text(record, "name"), most / least);
    console_print_text(text);
}

static const char *reason_of(const json_t *record, const char *field)
{
    char name[64];
    snprintf(name, sizeof name, "%s_reason", field);
    return record_text(record, name);
}

/** Why a number is missing, with the names of all results that lack it for the same reason. */
static void print_reasons(const json_t *records, const char *field, const char *what)
{
    for (size_t i = 0; i < json_array_size(records); i++) {
        const char *why = reason_of(json_array_get(records, i), field);
        char names[1024] = "", text[2560];
        bool again = !why[0];
        for (size_t j = 0; j < json_array_size(records); j++) {
            const json_t *other = json_array_get(records, j);
            if (strcmp(reason_of(other, field), why) != 0)
                continue;
            again = again || j < i;
            words_add(names, sizeof names, "%s", record_text(other, "name"));
        }
        if (again)
            continue;
        snprintf(text, sizeof text, "No %s of %s: %s.\n", what, names, why);
        console_print_text(text);
    }
}

static int print_parts(const json_t *records, const struct table_view *view)
{
    json_auto_t *rows = rows_of_parts(records);
    int code = EXIT_DONE;
    if (json_array_size(rows)) {
        puts("\nWhere the time goes, in ms");
        code = table_show(command_name, &beside_parts_table, rows, view);
    }
    return code;
}

/** What its kernels were measured with. */
static void print_kernels(const json_t *records)
{
    for (size_t i = 0; i < json_array_size(records); i++) {
        const json_t *record = json_array_get(records, i);
        if (!record_text(record, "plugin")[0])
            continue;
        char text[512];
        snprintf(
            text, sizeof text,
            "Its kernels are those of the plug-in %s, run in order on weights %s from memory, as a pass of ours does.\n",
            record_text(record, "plugin"),
            strcmp(record_text(record, "kernels_weights"), "random") == 0
                ? "of the file's types and shapes in interleaved rows"
                : "of the file");
        console_print_text(text);
        return;
    }
}

int beside_print(const json_t *records, const struct table_view *view)
{
    const json_t *best = NULL;
    for (size_t i = 0; i < json_array_size(records); i++) {
        const json_t *record = json_array_get(records, i);
        if (!best || worth(record) > worth(best))
            best = record;
    }
    if (!best)
        return EXIT_DONE;
    print_sentence(best);
    int code = table_show(command_name, &beside_table, records, view);
    if (code == EXIT_DONE)
        code = print_parts(records, view);
    putchar('\n');
    for (size_t i = 0; i < json_array_size(records); i++)
        print_change(json_array_get(records, i));
    for (size_t i = 0; i < json_array_size(records); i++)
        print_scatter(json_array_get(records, i));
    print_kernels(records);
    print_reasons(records, "memory_s", "bound of memory");
    print_reasons(records, "pass_s", "pass of ours");
    print_reasons(records, "pass_kernels_s", "products of our pass");
    print_reasons(records, "kernels_s", "kernels");
    print_reasons(records, "parts_s", "full account");
    print_reasons(records, "pass_parts_s", "full account of our pass");
    print_reasons(records, "tokens_per_s_spread", "spread");
    return code;
}
