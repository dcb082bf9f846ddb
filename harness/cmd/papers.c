/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/command.h"
#include "reports/papers/papers.h"

static const char command_name[] = "papers";

enum { OPTION_VERDICT = 1000, REASON_SIZE = 512, LISTED_VALUES = 4, VALUE_SIZE = 48, VERDICT_SIZE = 128 };

struct options {
    enum claim_verdict verdict; /* CLAIM_VERDICTS: all */
    bool is_long, json;
    char **names;
    int count;
};

static const struct argp_option option_table[] = {
    {"verdict", OPTION_VERDICT, "VERDICT", 0, "only claims with this verdict: holds, holds-with, undecided or differs",
     0},
    {"long", 'l', NULL, 0, "also what each claim says, its other readings, and notes", 0},
    {"json", 'j', NULL, 0, "JSON Lines (type \"claim\") on standard output", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
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
        char known[256] = "";
        const char *title, *name;
        bool found = false;
        for (size_t p = 0; (name = papers_name(papers, p, &title)); p++) {
            size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%s", p ? ", " : "", name);
            found |= strcmp(name, options->names[i]) == 0;
        }
        if (!found)
            return complain(EXIT_USAGE, command_name, "no paper '%s'; there are %s", options->names[i], known);
    }
    return EXIT_DONE;
}

/* ---- the parts of a row ---- */

/** "1.438 [1.411, 1.466] B/cycle" */
static const char *value_text(const struct papers_reading *reading, char text[VALUE_SIZE])
{
    const char *unit = reading->stated.unit;
    const struct interval *range = &reading->recomputed;
    int used = range->low == range->high
                   ? snprintf(text, VALUE_SIZE, "%.5g", reading->nominal)
                   : snprintf(text, VALUE_SIZE, "%.4g [%.4g, %.4g]", reading->nominal, range->low, range->high);
    if (strcmp(unit, "1") != 0)
        snprintf(text + used, VALUE_SIZE - (size_t)used, " %s", unit);
    return text;
}

static const char *verdict_text(const struct papers_claim *claim, char text[VERDICT_SIZE])
{
    switch (claim->verdict) {
    case CLAIM_HOLDS_WITH: snprintf(text, VERDICT_SIZE, "holds with %s", claim->readings[claim->which].with); break;
    case CLAIM_UNDECIDED: snprintf(text, VERDICT_SIZE, "undecided"); break;
    case CLAIM_DIFFERS: snprintf(text, VERDICT_SIZE, "differs by %+.1f%%", 100 * papers_difference(claim)); break;
    case CLAIM_HOLDS:
    case CLAIM_VERDICTS: snprintf(text, VERDICT_SIZE, "holds"); break;
    }
    return text;
}

static void print_inputs(const struct papers_reading *reading)
{
    for (size_t i = 0; i < reading->input_count; i++) {
        const struct papers_input *input = &reading->inputs[i];
        printf("%s%s ", i ? ", " : "; ", input->name);
        size_t count = input->values.count;
        for (size_t v = 0; v < count; v++) {
            const struct papers_value *value = &input->values.of[v];
            bool has_unit = v + 1 == count && strcmp(value->unit, "1") != 0;
            if (v == LISTED_VALUES && count > LISTED_VALUES + 1)
                fputs(" ...", stdout);
            if (v >= LISTED_VALUES && v + 1 < count)
                continue;
            /* the text ends in its unit, unless that is the list's */
            size_t length = strcspn(value->text, " ");
            printf("%s%.*s%s%s", v ? " " : "", (int)length, value->text, has_unit ? " " : "",
                   has_unit ? value->unit : "");
        }
    }
}

/* ---- tables ---- */

struct widths {
    int section, id, recomputed, stated, verdict;
};

/* Verdicts of one or two words decide the column; what a claim holds with may be a whole clause. */
enum { VERDICT_WIDTH = 18 };

static void widen(int *width, const char *text)
{
    int length = (int)strlen(text);
    *width = length > *width ? length : *width;
}

static struct widths widths_of(const struct options *options, const struct papers *papers)
{
    struct widths widths = {.section = 7, .id = 5, .recomputed = 10, .stated = 6, .verdict = VERDICT_WIDTH};
    for (size_t i = 0; i < papers->count; i++) {
        const struct papers_claim *claim = &papers->claims[i];
        char value[VALUE_SIZE];
        if (!is_shown(options, claim))
            continue;
        widen(&widths.section, claim->section);
        widen(&widths.id, claim->id);
        widen(&widths.recomputed, value_text(&claim->readings[0], value));
        widen(&widths.stated, claim->readings[0].stated.text);
    }
    return widths;
}

static void print_more(const struct papers_claim *claim)
{
    char value[VALUE_SIZE];
    printf("      says: %s\n", claim->says);
    for (size_t i = 1; i < claim->reading_count; i++) {
        const struct papers_reading *reading = &claim->readings[i];
        printf("      with %s: %s, stated %s; %s", reading->with, value_text(reading, value), reading->stated.text,
               reading->formula);
        print_inputs(reading);
        putchar('\n');
    }
    if (*claim->note)
        printf("      note: %s\n", claim->note);
}

static void print_claim(const struct papers_claim *claim, const struct widths *widths, bool is_long)
{
    const struct papers_reading *reading = &claim->readings[0];
    char value[VALUE_SIZE], verdict[VERDICT_SIZE];
    bool holds = claim->verdict == CLAIM_HOLDS;
    printf("  %-*s  %-*s  %-*s  %-*s  %s%-*s%s  %s", widths->section, claim->section, widths->id, claim->id,
           widths->recomputed, value_text(reading, value), widths->stated, reading->stated.text,
           holds ? "" : console_bold(), widths->verdict, verdict_text(claim, verdict), holds ? "" : console_plain(),
           reading->formula);
    print_inputs(reading);
    putchar('\n');
    if (is_long)
        print_more(claim);
}

static void print_counts(const struct options *options, const struct papers *papers)
{
    const char *name, *title;
    size_t total[CLAIM_VERDICTS + 1] = {0};
    printf("%-24s %7s %7s %11s %10s %8s\n", "paper", "claims", "holds", "holds-with", "undecided", "differs");
    for (size_t p = 0; (name = papers_name(papers, p, &title)); p++) {
        size_t counts[CLAIM_VERDICTS] = {0};
        for (size_t i = 0; i < papers->count; i++)
            counts[papers->claims[i].verdict] += strcmp(papers->claims[i].paper, name) == 0;
        size_t claims = 0;
        if (!is_wanted(options, name))
            continue;
        for (int verdict = 0; verdict < CLAIM_VERDICTS; verdict++) {
            claims += counts[verdict];
            total[verdict] += counts[verdict];
        }
        total[CLAIM_VERDICTS] += claims;
        printf("%-24s %7zu %7zu %11zu %10zu %8zu\n", name, claims, counts[CLAIM_HOLDS], counts[CLAIM_HOLDS_WITH],
               counts[CLAIM_UNDECIDED], counts[CLAIM_DIFFERS]);
    }
    printf("%-24s %7zu %7zu %11zu %10zu %8zu\n", "all", total[CLAIM_VERDICTS], total[CLAIM_HOLDS],
           total[CLAIM_HOLDS_WITH], total[CLAIM_UNDECIDED], total[CLAIM_DIFFERS]);
}

static void print_heading(const struct papers *papers, const char *paper, const struct widths *widths,
                          const char *before)
{
    const char *name, *title = "";
    for (size_t p = 0; (name = papers_name(papers, p, &title)) && strcmp(name, paper) != 0;)
        p++;
    printf("%s%s%s%s: %s\n", before, console_bold(), paper, console_plain(), title);
    printf("  %-*s  %-*s  %-*s  %-*s  %-*s  %s\n", widths->section, "section", widths->id, "claim", widths->recomputed,
           "recomputed", widths->stated, "stated", widths->verdict, "verdict", "formula; inputs");
}

static void print_all(const struct options *options, const struct papers *papers)
{
    struct widths widths = widths_of(options, papers);
    const char *heading = "";
    for (size_t i = 0; i < papers->count; i++) {
        const struct papers_claim *claim = &papers->claims[i];
        if (!is_shown(options, claim))
            continue;
        if (strcmp(heading, claim->paper) != 0)
            print_heading(papers, claim->paper, &widths, *heading ? "\n" : "");
        heading = claim->paper;
        print_claim(claim, &widths, options->is_long);
    }
    fputs(*heading ? "\n" : "", stdout);
    print_counts(options, papers);
    puts("\nrecomputed: from the values as printed; in brackets what their rounding leaves open. holds: this meets "
         "what the\nstated value may be rounded from. undecided: the limit lies within the brackets. =2 is exactly 2, "
         "~20 is\nrounded to tens, >=2 and <=2 are limits.");
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
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[PAPER...]",
        .doc =
            "Recompute the checkable statements of the papers, each from the values that the paper itself gives, and "
            "say whether the stated value follows.\vA printed number is taken as the interval that its rounding leaves "
            "open. A claim holds if the recomputed interval meets the stated one; it holds-with another unit or base "
            "if only that reading does, which is then named; it is undecided where a limit, >=2, lies within the "
            "recomputed interval. PAPER is a name of the first column of the counts at the "
            "end.",
    };
    struct options options = {.verdict = CLAIM_VERDICTS};
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
        print_all(&options, &papers);
    papers_free(&papers);
    return code;
}

const struct command command_papers = {
    .name = command_name,
    .summary = "the papers' numbers, recomputed: what holds, holds in another unit, or differs",
    .run = run,
};
