/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/table.h"
#include "harness/cmd/explain/explain_command.h"
#include "harness/command/command.h"
#include "harness/plugin/name_argument.h"
#include "harness/plugin/name_filter.h"
#include "micro/kernel.h"
#include "micro/sequence.h"
#include "platforms/machine/machine.h"
#include "results/text/words.h"

static const char command_name[] = "explain";

struct options {
    bool json;
    const char *mca;
    char **names;
    int count;
};

enum { KEY_MCA = 0x100 };

static const struct argp_option option_table[] = {
    {"json", 'j', NULL, 0, "JSON Lines on standard output", 0},
    {"mca", KEY_MCA, "CPU", 0,
     "Show the ports that llvm-mca predicts for this core, by LLVM's name; 'none': do not ask it (default: the core "
     "of this machine, if an installed llvm-mca knows it)",
     0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'j': options->json = true; return 0;
    case KEY_MCA: options->mca = argument; return 0;
    case ARGP_KEY_ARGS:
        options->names = state->argv + state->next;
        options->count = state->argc - state->next;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- numbers ---- */

static int explain_term(const struct options *options, const struct term *term)
{
    if (options->json)
        return print_record(command_name,
                            json_pack("{s:s, s:s, s:s?, s:s, s:s, s:s?}", "type", "term", "name", term->name, "unit",
                                      term->unit, "what", term->what, "how", term->how, "alone", term->alone));
    printf("%s%s%s%s%s\n\n", console_bold(), term->name, console_plain(), term->unit ? ": " : "",
           term->unit ? term->unit : "");
    console_print_prose(term->what);
    puts("\nHow it is measured here:");
    console_print_prose(term->how);
    if (term->alone)
        puts("\nMeasure it on its own:");
    for (const char *at = term->alone ? term->alone : ""; *at;) {
        size_t length = strcspn(at, "\n");
        printf("  %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    return EXIT_DONE;
}

/** Without a name: what there is to explain. */
static int list_terms(const struct options *options)
{
    int code = EXIT_DONE;
    for (size_t i = 0; !code && i < term_count; i++) {
        if (options->json)
            code = explain_term(options, &terms[i]);
        else
            printf("  %-10s %s\n", terms[i].name, terms[i].unit ? terms[i].unit : "");
    }
    if (!code && !options->json)
        puts("\n`kneepoint explain NAME` says what it is and how to measure it on its own. NAME\n"
             "may also be a kernel or a sequence (`kneepoint list kernels`, `kneepoint list\n"
             "sequences`), whose step it disassembles.");
    return code;
}

/* ---- kernels and sequences ---- */

/** What a name means: a kernel and a sequence of one name, of which either may be missing. */
struct meaning {
    const struct kernel *kernel;
    const struct sequence *sequence;
    size_t count; /* different names */
    char names[256];
};

static void name_one(struct meaning *meaning, const char *name)
{
    meaning->count++;
    if (meaning->count <= 4)
        words_add(meaning->names, sizeof meaning->names, "%s", name);
}

static void find_meaning(const char *given, struct meaning *meaning)
{
    *meaning = (struct meaning){0};
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (!name_argument_means(given, (*kernel)->name))
            continue;
        meaning->kernel = *kernel;
        name_one(meaning, (*kernel)->name);
    }
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        if (!name_argument_means(given, (*sequence)->name))
            continue;
        meaning->sequence = *sequence;
        if (!kernel_find((*sequence)->name))
            name_one(meaning, (*sequence)->name);
    }
}

static int print_explained(const struct options *options, json_t *record)
{
    if (!record)
        return complain(EXIT_USAGE, command_name, "no memory");
    if (options->json)
        return print_record(command_name, record);
    explain_print_code(record);
    json_decref(record);
    return EXIT_DONE;
}

static int explain_meaning(const struct options *options, const struct machine *machine, const struct meaning *meaning)
{
    const struct explained explained = {.machine = machine, .mca = options->mca};
    const struct kernel *kernel = meaning->kernel;
    const struct sequence *sequence = kernel ? sequence_find(kernel_gamma(kernel)) : meaning->sequence;
    int code = kernel ? print_explained(options, explain_kernel(&explained, kernel)) : EXIT_DONE;
    if (!code && kernel && sequence && !options->json)
        printf("\n%s\n\n", "---- its sequence ----");
    return code || !sequence ? code : print_explained(options, explain_sequence(&explained, sequence));
}

static int print_format(const struct format *format)
{
    json_t *record = explain_format(format);
    if (!record)
        return complain(EXIT_USAGE, command_name, "no memory");
    explain_print_format(record);
    json_decref(record);
    return EXIT_DONE;
}

static int refuse_unknown(const char *name)
{
    struct nearest_name nearest = nearest_name_begin(name);
    char hint[160];
    for (size_t i = 0; i < term_count; i++)
        nearest_name_consider(&nearest, terms[i].name, strlen(terms[i].name));
    for (const struct format *const *format = format_all(); *format; format++)
        nearest_name_consider(&nearest, (*format)->name, strlen((*format)->name));
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++)
        name_argument_consider(&nearest, (*kernel)->name);
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++)
        name_argument_consider(&nearest, (*sequence)->name);
    return complain(EXIT_USAGE, command_name,
                    "nothing is called '%s'; `kneepoint explain` lists the numbers, `kneepoint list` the rest%s", name,
                    name_argument_suggest(&nearest, hint, sizeof hint));
}

static int explain(const struct options *options, const struct machine *machine, const char *name)
{
    struct meaning meaning;
    const struct term *term = term_find(name);
    if (term)
        return explain_term(options, term);
    const struct format *format = format_find(name);
    if (format)
        return options->json ? print_record(command_name, explain_format(format)) : print_format(format);
    find_meaning(name, &meaning);
    if (!meaning.count)
        return refuse_unknown(name);
    if (meaning.count > 1)
        return complain(EXIT_USAGE, command_name, "'%s' means %zu kernels and sequences: %s%s; name one of them", name,
                        meaning.count, meaning.names, meaning.count > 4 ? ", ..." : "");
    return explain_meaning(options, machine, &meaning);
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[NAME...]",
        .doc =
            "Explains a number, a format, a kernel or a sequence, and how to measure it on its own. Numbers are those "
            "that tables print, such as gamma (or γ), beta, omega, knee or roof. For a kernel or sequence it shows the "
            "registers, uops, sources and the step, disassembled, with its ports where llvm-mca is installed. Without "
            "a name it lists the numbers.\vNothing is measured.",
    };
    struct options options = {0};
    struct machine machine;
    char why[256];
    int code = parse_options(&argp, argc, argv, &options);
    if (code)
        return code;
    if (!options.count)
        return list_terms(&options);
    if (machine_open(&machine, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    for (int i = 0; !code && i < options.count; i++) {
        if (i && !options.json)
            putchar('\n');
        code = explain(&options, &machine, options.names[i]);
    }
    machine_close(&machine);
    return code;
}

const struct command command_explain = {
    .name = command_name,
    .summary = "what a number or a kernel is, and how to measure it alone",
    .run = run,
};
