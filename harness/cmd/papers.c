/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/table.h"
#include "harness/command/command.h"
#include "harness/plugin/name_filter.h"
#include "reports/papers/papers.h"
#include "results/files/need.h"
#include "results/records/record.h"
#include "results/text/words.h"

static const char command_name[] = "papers";

enum { OPTION_VERDICT = 1000, REASON_SIZE = 512, LISTED_VALUES = 4 };

struct options {
    enum claim_verdict verdict; /* CLAIM_VERDICTS: all */
    bool is_long, json;
    struct table_view view;
    char **names;
    int count;
};

static const struct argp_option option_table[] = {
    {"verdict", OPTION_VERDICT, "VERDICT", 0, "Only claims with this verdict: holds, holds-with, undecided or differs",
     0},
    {"long", 'l', NULL, 0, "Also print what each claim says, its other readings, and notes", 0},
    {"json", 'j', NULL, 0, "JSON Lines (type \"claim\") on standard output", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &options->view; return 0;
    case OPTION_VERDICT:
        options->verdict = claim_verdict_named(argument);
        if (options->verdict == CLAIM_VERDICTS)
            argp_error(state, "--verdict takes holds, holds-with, undecided or differs, not '%s'", argument);
        return 0;
    case 'l': options->is_long = true; return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARGS:
        options->names = state->argv + state->next;
        options->count = state->argc - state->next;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static bool is_wanted(const struct options *options, const char *paper)
{
    for (int i = 0; i < options->count; i++) {
        if (strcmp(options->names[i], paper) == 0)
            return true;
    }
    return options->count == 0;
}

static bool is_shown(const struct options *options, const struct papers_claim *claim)
{
    return is_wanted(options, claim->paper) &&
           (options->verdict == CLAIM_VERDICTS || options->verdict == claim->verdict);
}

static int refuse_unknown(const struct options *options, const struct papers *papers)
{
    for (int i = 0; i < options->count; i++) {
        struct nearest_name nearest = nearest_name_begin(options->names[i]);
        char known[256] = "", hint[NEAREST_NAME_MOST + 32];
        const char *title, *name;
        bool found = false;
        for (size_t p = 0; (name = papers_name(papers, p, &title)); p++) {
            words_add(known, sizeof known, "%s", name);
            found |= strcmp(name, options->names[i]) == 0;
            nearest_name_consider(&nearest, name, strlen(name));
        }
        if (!found)
            return complain(EXIT_USAGE, command_name, "no paper '%s'; there are %s%s", options->names[i], known,
                            nearest_name_hint(&nearest, hint, sizeof hint));
    }
    return EXIT_DONE;
}

/* ---- the cells of a row ---- */

/** "1.438 [1.411, 1.466] B/cycle", of a claim or of another reading of it. */
static const char *recomputed_text(const json_t *reading, char *text, size_t size)
{
    const json_t *range = json_object_get(reading, "recomputed");
    const char *unit = record_text(range, "unit");
    double low = record_number(range, "low"), high = record_number(range, "high"),
           nominal = record_number(range, "nominal");
    bool known = json_is_number(json_object_get(range, "low")) && json_is_number(json_object_get(range, "high"));
    int used = known && low == high ? snprintf(text, size, "%.5g", nominal)
                                    : snprintf(text, size, "%.4g [%.4g, %.4g]", nominal, known ? low : -INFINITY,
                                               known ? high : INFINITY);
    if (strcmp(unit, "1") != 0)
        snprintf(text + used, size - (size_t)used, " %s", unit);
    return text;
}

static const char *stated_text(const json_t *reading, char *text, size_t size)
{
    snprintf(text, size, "%s", record_text(json_object_get(reading, "stated"), "text"));
    return text;
}

static const char *verdict_text(const json_t *record, char *text, size_t size)
{
    enum claim_verdict verdict = claim_verdict_named(record_text(record, "verdict"));
    if (verdict == CLAIM_HOLDS_WITH)
        snprintf(text, size, "holds with %s", record_text(record, "with"));
    else if (verdict == CLAIM_DIFFERS)
        snprintf(text, size, "differs by %+.1f%%", 100 * record_number(record, "difference"));
    else
        snprintf(text, size, "%s", record_text(record, "verdict"));
    return text;
}

static bool stands_out(const json_t *record)
{
    return strcmp(record_text(record, "verdict"), "holds") != 0;
}

/** The value of an input, or the first few of a list and its last; the unit follows the last. */
static void write_input(FILE *stream, const json_t *input)
{
    size_t count = json_is_array(input) ? json_array_size(input) : 1;
    for (size_t v = 0; v < count; v++) {
        const json_t *value = json_is_array(input) ? json_array_get(input, v) : input;
        const char *text = record_text(value, "text"), *unit = record_text(value, "unit");
        bool has_unit = v + 1 == count && strcmp(unit, "1") != 0;
        if (v == LISTED_VALUES && count > LISTED_VALUES + 1)
            fputs(" ...", stream);
        if (v >= LISTED_VALUES && v + 1 < count)
            continue;
        /* the text ends in its unit, unless that is the list's */
        fprintf(stream, "%s%.*s%s%s", v ? " " : "", (int)strcspn(text, " "), text, has_unit ? " " : "",
                has_unit ? unit : "");
    }
}

static const char *formula_text(const json_t *reading, char *text, size_t size)
{
    FILE *stream = need_buffer(text, size);
    const char *name, *glue = "; ";
    json_t *input;
    if (!stream)
        return "-";
    fputs(record_text(reading, "formula"), stream);
    json_object_foreach(json_object_get(reading, "inputs"), name, input)
    {
        fprintf(stream, "%s%s ", glue, name);
        write_input(stream, input);
        glue = ", ";
    }
    fputc('\0', stream);
    fclose(stream);
    text[size - 1] = '\0';
    return text;
}

/* ---- tables ---- */

static const struct table_column columns[] = {
    {"paper", "paper", .left = true}, /* as text there is a table for each, and no such column */
    {"section", "section", .rank = 4, .left = true},
    {"claim", "id", .left = true, .clips = 16},
    {"recomputed", "recomputed", .text = recomputed_text, .rank = 3, .left = true},
    {"stated", "stated", .text = stated_text, .rank = 2, .left = true},
    {"verdict", "verdict", .text = verdict_text, .rank = 1, .left = true, .clips = 18},
    {"formula; inputs", "formula", .text = formula_text, .rank = 5, .left = true, .clips = 24},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static const struct table claim_table = {"claim", "Claims", columns, COLUMNS, .stands_out = stands_out};
static const struct table claims_of_one = {
    .type = "claim", .columns = columns + 1, .count = COLUMNS - 1, .stands_out = stands_out};
static const struct table *const tables[] = {&claim_table, NULL};

/** A line of its own, below the claim. */
static void print_labelled(const char *what, const char *text)
{
    enum { INDENT = 6 };
    char line[4096];
    snprintf(line, sizeof line, "%s%s", what, text);
    printf("%*s", INDENT, "");
    console_print_hanging(INDENT, line);
}

/** With --long, of each claim all there is to say. */
static void print_long(const json_t *record)
{
    char value[256], verdict[256], formula[512], line[4096];
    const json_t *readings = json_object_get(record, "readings");
    printf("\n  %s%s%s, %s: ", console_bold(), record_text(record, "id"), console_plain(),
           record_text(record, "section"));
    console_print_hanging(strlen(record_text(record, "id")) + strlen(record_text(record, "section")) + 6,
                          verdict_text(record, verdict, sizeof verdict));
    print_labelled("says: ", record_text(record, "says"));
    snprintf(line, sizeof line, "recomputed: %s, stated %s; %s", recomputed_text(record, value, sizeof value),
             record_text(json_object_get(record, "stated"), "text"), formula_text(record, formula, sizeof formula));
    print_labelled("", line);
    for (size_t i = 0; i < json_array_size(readings); i++) {
        const json_t *reading = json_array_get(readings, i);
        snprintf(line, sizeof line, "with %s: %s, stated %s; %s", record_text(reading, "with"),
                 recomputed_text(reading, value, sizeof value), record_text(json_object_get(reading, "stated"), "text"),
                 formula_text(reading, formula, sizeof formula));
        print_labelled("", line);
    }
    if (json_object_get(record, "note"))
        print_labelled("note: ", record_text(record, "note"));
}

static int print_paper(const struct options *options, const struct papers *papers, const char *name, const char *title,
                       const char *before)
{
    json_t *rows = json_array(), *record;
    size_t i;
    int code = EXIT_DONE;
    for (i = 0; i < papers->count; i++) {
        if (is_shown(options, &papers->claims[i]) && strcmp(papers->claims[i].paper, name) == 0)
            json_array_append_new(rows, papers_record(&papers->claims[i]));
    }
    if (json_array_size(rows)) {
        printf("%s%s%s%s: ", before, console_bold(), name, console_plain());
        console_print_hanging(strlen(name) + 2, title);
        if (!options->is_long)
            code = table_show(command_name, &claims_of_one, rows, &options->view);
        json_array_foreach(rows, i, record)
        {
            if (options->is_long)
                print_long(record);
        }
    }
    json_decref(rows);
    return code;
}

/** How many of its claims have which verdict. @param name  NULL: of all papers that are wanted */
static json_t *count_claims(const struct options *options, const struct papers *papers, const char *name)
{
    size_t counts[CLAIM_VERDICTS] = {0}, all = 0;
    for (size_t i = 0; i < papers->count; i++) {
        const struct papers_claim *claim = &papers->claims[i];
        if (name ? strcmp(claim->paper, name) != 0 : !is_wanted(options, claim->paper))
            continue;
        counts[claim->verdict]++;
        all++;
    }
    json_t *row = json_pack("{s:s, s:I}", "paper", name ? name : "all", "claims", (json_int_t)all);
    for (int verdict = 0; verdict < CLAIM_VERDICTS; verdict++)
        json_object_set_new(row, claim_verdict_name((enum claim_verdict)verdict),
                            json_integer((json_int_t)counts[verdict]));
    return row;
}

static int print_counts(const struct options *options, const struct papers *papers)
{
    static const struct table_column of_paper[] = {
        {"paper", "paper", .left = true},      {"claims", .field = "claims"},
        {"holds", "holds", .rank = 2},         {"holds-with", "holds-with", .rank = 3},
        {"undecided", "undecided", .rank = 3}, {"differs", "differs", .rank = 1}};
    static const struct table table = {.columns = of_paper, .count = sizeof of_paper / sizeof *of_paper};
    const struct table_view unsorted = {.wide = options->view.wide};
    const char *name, *title;
    json_auto_t *rows = json_array();
    for (size_t p = 0; (name = papers_name(papers, p, &title)); p++) {
        if (is_wanted(options, name))
            json_array_append_new(rows, count_claims(options, papers, name));
    }
    json_array_append_new(rows, count_claims(options, papers, NULL));
    return table_show(command_name, &table, rows, &unsorted);
}

static int print_all(const struct options *options, const struct papers *papers)
{
    const char *name, *title;
    int code = EXIT_DONE;
    for (size_t p = 0; !code && (name = papers_name(papers, p, &title)); p++)
        code = print_paper(options, papers, name, title, p ? "\n" : "");
    putchar('\n');
    if (!code)
        code = print_counts(options, papers);
    console_print_text(
        "\nrecomputed: from the values as printed; the brackets show the range that their rounding allows. holds: "
        "this\nrange meets the range that the stated value may be rounded from. undecided: the limit lies within the "
        "brackets.\n=2 is exactly 2, ~20 is rounded to tens, >=2 and <=2 are limits.\n");
    return code;
}

static int print_records(const struct options *options, const struct papers *papers)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < papers->count && !code; i++) {
        if (is_shown(options, &papers->claims[i]))
            code = print_record(command_name, papers_record(&papers->claims[i]));
    }
    return code;
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&table_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .children = children,
        .args_doc = "[PAPER...]",
        .doc =
            "Recompute the checkable statements of the papers, each from the values that the paper itself gives, and "
            "say whether the stated value follows.\vA printed number stands for the interval that rounds to it. A "
            "claim holds if the recomputed interval meets the stated one; it holds-with another unit or base if only "
            "that reading does, which is then named; it is undecided if a limit, such as >=2, lies within the "
            "recomputed interval. PAPER is a name from the first column of the counts at the end.",
    };
    struct options options = {.verdict = CLAIM_VERDICTS, .view.tables = tables};
    struct papers papers;
    char why[REASON_SIZE];
    int code = parse_options(&argp, argc, argv, &options);
    if (code)
        return code;
    if (papers_load(&papers, why, sizeof why) != 0)
        code = complain(EXIT_USAGE, command_name, "%s", why);
    if (!code)
        code = refuse_unknown(&options, &papers);
    if (!code && options.json)
        code = print_records(&options, &papers);
    else if (!code)
        code = print_all(&options, &papers);
    papers_free(&papers);
    return code;
}

const struct command command_papers = {
    .name = command_name,
    .summary = "the papers' numbers, recomputed: what holds, holds in another unit, or differs",
    .run = run,
    .tables = tables,
};
