/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/table.h"
#include "harness/cmd/quantize/quantize_command.h"
#include "harness/command/command.h"
#include "harness/gguf/quality.h"
#include "harness/gguf/synthetic.h"
#include "harness/plugin/name_argument.h"
#include "harness/plugin/name_filter.h"
#include "micro/quantization/codebooks.h"
#include "results/files/file_replace.h"
#include "results/text/words.h"

static const char command_name[] = "quantize";

enum {
    REASON_SIZE = NPY_REASON,
    SYNTHETIC_M = 64, /* of each kind, to compare */
    SYNTHETIC_K = 4096,
    DISCOVERY_M = 256, /* of each kind, to find codebooks: all together 2^18 groups */
    TEXT_SIZE = 8192,
    NAME_SIZE = 128,
    KEY_BOOKS = 256,
    KEY_VALUES,
    KEY_SEED,
    KEY_BIPOLAR,
    KEY_GROUP,
    KEY_GGUF,
    KEY_TENSOR,
    KEY_ROWS,
};

struct options {
    const char *weights; /* a file, or "synthetic", or one of its kinds */
    const char *codebooks;
    const char *format[LOSSES_MOST];
    size_t formats;
    size_t books, values; /* 0: not given */
    uint64_t seed;
    bool bipolar;
    size_t group;
    struct mixed_request mixed;
    struct tensors_request gguf;
    bool json;
    struct table_view view;
    json_t *rows; /* of the table */
};

static const struct argp_option option_table[] = {
    {"weights", 'w', "FROM", 0,
     "Matrix to quantize: a .npy file of two dimensions; or a distribution to draw it from: gaussian, student (5 "
     "degrees of freedom), laplace, outliers, or synthetic, for each of these (default: synthetic)",
     0},
    {"gguf", KEY_GGUF, "FILE", 0,
     "Matrices of a model file instead: weights as the file has them, with every quantizer unless formats are named",
     0},
    {"tensor", KEY_TENSOR, "PATTERN", 0, "With --gguf: tensors with such names, as 'blk.0.*' (default: all matrices)",
     0},
    {"rows", KEY_ROWS, "N", 0,
     "With --gguf: rows of each tensor, in runs of 16 spread over it (default: 64, fewer if they are many; 0: all)", 0},
    {"codebooks", 'o', "FILE", 0, "Instead, find codebooks for these weights and write them to this file", 0},
    {"books", KEY_BOOKS, "N", 0, "How many codebooks to find, 1 to 16 (default: 4)", 0},
    {"values", KEY_VALUES, "N", 0, "Values in each codebook, 2 to 16 (default: 4)", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of the weights that are drawn and of the search (default: 1)", 0},
    {"bipolar", KEY_BIPOLAR, NULL, 0,
     "Instead, show what the output of a layer loses when its signed integers become bipolar ones, in f16 and f32; "
     "the arguments are then bits such as w4a4 (default: w2a2 w4a4 w6a6)",
     0},
    {"group", KEY_GROUP, "N", 0,
     "With --bipolar: columns that share a scale and a zero (default: all columns of a "
     "row)",
     0},
    {"json", 'j', NULL, 0, "JSON Lines on standard output", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->mixed;
        state->child_inputs[1] = &options->view;
        return 0;
    case 'w': options->weights = argument; return 0;
    case 'o': options->codebooks = argument; return 0;
    case KEY_BOOKS: options->books = option_number(argument, 1, CODEBOOKS_COUNT_MOST, "--books", state); return 0;
    case KEY_VALUES: options->values = option_number(argument, 2, CODEBOOKS_ENTRIES_MOST, "--values", state); return 0;
    case KEY_SEED: options->seed = option_number(argument, 0, UINT32_MAX, "--seed", state); return 0;
    case KEY_GGUF: options->gguf.path = argument; return 0;
    case KEY_TENSOR: options->gguf.pattern = argument; return 0;
    case KEY_ROWS:
        options->gguf.rows = option_number(argument, 0, 1 << 24, "--rows", state);
        options->gguf.all_rows = options->gguf.rows == 0;
        return 0;
    case KEY_BIPOLAR: options->bipolar = true; return 0;
    case KEY_GROUP: options->group = option_number(argument, 1, 1 << 20, "--group", state); return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG:
        if (options->formats == LOSSES_MOST)
            argp_error(state, "more than %d formats", LOSSES_MOST);
        options->format[options->formats++] = argument;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static bool is_synthetic(const struct options *options)
{
    if (options->mixed.asked && strcmp(options->weights, "stack") == 0)
        return true;
    return strcmp(options->weights, "synthetic") == 0 || synthetic_find(options->weights) != SYNTHETIC_KINDS;
}

static bool takes_kind(const struct options *options, enum synthetic_kind kind)
{
    return strcmp(options->weights, "synthetic") == 0 || synthetic_find(options->weights) == kind;
}

/* ---------------------------------------------------------------- comparing formats */

static const struct table *const tables[] = {&losses_table, &conversions_table, &mixed_table, NULL};

static struct losses losses_of(const struct options *options)
{
    return (struct losses){command_name, options->format, options->formats, options->json, options->rows};
}

/** One matrix: its formats, or with --bipolar its conversions. */
static int compare_one(const struct options *options, const char *weights, const struct matrix *matrix)
{
    float *x = malloc(QUALITY_TOKENS * matrix->k * sizeof *x);
    if (!x)
        return complain(EXIT_USAGE, command_name, "no memory for the activations of %zu columns", matrix->k);
    synthetic_activations(QUALITY_TOKENS, matrix->k, options->seed + SYNTHETIC_KINDS, x);
    const struct conversions conversions = {command_name,    weights,          matrix,         x,
                                            options->format, options->formats, options->group, options->json,
                                            options->rows};
    const struct losses losses = losses_of(options);
    const struct lossy lossy = {.weights = weights, .matrix = matrix, .x = x};
    int code = options->bipolar ? conversions_print(&conversions) : losses_print(&losses, &lossy, NULL);
    free(x);
    return code;
}

/** A tensor of a file, which formats need not take. */
static int compare_tensor(void *context, const struct lossy *lossy, struct losses_sum *sum)
{
    const struct options *options = context;
    const struct losses losses = losses_of(options);
    const struct conversions conversions = {command_name,   lossy->weights,  lossy->matrix,
                                            lossy->x,       options->format, options->formats,
                                            options->group, options->json,   options->rows};
    return options->bipolar ? conversions_print(&conversions) : losses_print(&losses, lossy, sum);
}

static int compare_tensors(const struct options *options)
{
    struct losses_sum sum = {.tensors = 0};
    const struct losses losses = losses_of(options);
    int code = tensors_visit(&options->gguf, options->seed, compare_tensor, (void *)(uintptr_t)options, &sum);
    if (!code && !options->bipolar && sum.tensors > 1)
        code = losses_print_sum(&losses, options->gguf.pattern, &sum);
    return code;
}

static int compare_synthetic(const struct options *options)
{
    struct matrix matrix = {.m = SYNTHETIC_M, .k = SYNTHETIC_K};
    int code = EXIT_DONE;
    matrix.w = malloc(matrix.m * matrix.k * sizeof *matrix.w);
    if (!matrix.w)
        return complain(EXIT_USAGE, command_name, "no memory for synthetic weights");
    for (enum synthetic_kind kind = 0; kind < SYNTHETIC_KINDS && !code; kind++) {
        if (!takes_kind(options, kind))
            continue;
        synthetic_weights(kind, matrix.m, matrix.k, options->seed + kind, matrix.w);
        code = compare_one(options, synthetic_name(kind), &matrix);
    }
    free(matrix.w);
    return code;
}

static int compare_all(struct options *options, const struct matrix *given)
{
    int code = options->bipolar ? conversions_settle(command_name, options->format, &options->formats)
                                : losses_settle(command_name, options->gguf.path, options->format, &options->formats);
    if (code)
        return code;
    if (options->gguf.path)
        code = compare_tensors(options);
    else
        code = given->w ? compare_one(options, options->weights, given) : compare_synthetic(options);
    if (!code && !options->json)
        code = table_show(command_name, options->bipolar ? &conversions_table : &losses_table, options->rows,
                          &options->view);
    if (!code && !options->json && options->bipolar)
        conversions_print_explanation();
    else if (!code && !options->json)
        losses_print_explanation();
    if (!code && !options->json && options->gguf.path)
        tensors_print_explanation();
    return code;
}

/* ---------------------------------------------------------------- finding codebooks */

/** As format.c of a format of codebooks includes them. */
static size_t text_of(const struct options *options, const struct codebooks *found, char *text, size_t size)
{
    size_t length = (size_t)snprintf(
        text, size,
        "/* SPDX-License-Identifier: BSD-3-Clause\n *\n * %zu codebooks of %zu values, found from %zu groups of 16 weights by\n *\n"
        " *     kneepoint quantize --%s=%s%s%s --books=%zu --values=%zu --seed=%llu --codebooks=FILE\n *\n"
        " * Mean squared error of a value, in 1/127 of its group's largest: %.3f, before groups changed their codebook %.3f.\n */\n",
        found->count, found->entries, found->groups, options->gguf.path ? "gguf" : "weights", options->weights,
        options->gguf.pattern ? " --tensor=" : "", options->gguf.pattern ? options->gguf.pattern : "", found->count,
        found->entries, (unsigned long long)options->seed, found->error[found->rounds], found->error[0]);
    for (size_t c = 0; c < found->count; c++) {
        for (size_t i = 0; i < found->entries; i++)
            length += (size_t)snprintf(text + length, size - length, "%s%d%s", i ? ", " : "{", found->value[c][i],
                                       i + 1 == found->entries ? "},\n" : "");
    }
    return length;
}

static int print_found(const struct options *options, const struct codebooks *found)
{
    if (!options->json) {
        printf("%zu codebooks of %zu values from %zu groups: mean squared error of a value %.3f, first %.3f\n",
               found->count, found->entries, found->groups, found->error[found->rounds], found->error[0]);
        return EXIT_DONE;
    }
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "codebooks/%zux%zu", found->count, found->entries);
    json_t *books = json_array(), *errors = json_array();
    for (size_t c = 0; c < found->count; c++) {
        json_t *book = json_array();
        for (size_t i = 0; i < found->entries; i++)
            json_array_append_new(book, json_integer(found->value[c][i]));
        json_array_append_new(books, book);
    }
    for (size_t i = 0; i <= found->rounds; i++)
        json_array_append_new(errors, json_real(found->error[i]));
    return print_record(command_name,
                        json_pack("{s:s, s:s, s:s, s:I, s:I, s:o, s:o}", "type", "codebooks", "name", name, "weights",
                                  options->weights, "groups", (json_int_t)found->groups, "seed",
                                  (json_int_t)options->seed, "codebooks", books, "mean_squared_error", errors));
}

static int find_codebooks(const struct options *options, const struct matrix *matrix)
{
    struct codebooks found;
    char text[TEXT_SIZE], why[REASON_SIZE];
    if (options->formats)
        return complain(EXIT_USAGE, command_name, "--codebooks takes no format; use --books and --values");
    int error =
        codebooks_discover(matrix->w, matrix->m * matrix->k, options->books, options->values, options->seed, &found);
    if (error == -EINVAL)
        return complain(EXIT_USAGE, command_name, "%s has %zu weights, which is no multiple of 16", options->weights,
                        matrix->m * matrix->k);
    if (error == -ENODATA)
        return complain(EXIT_USAGE, command_name, "%s has fewer groups of 16 that are not zero than %zu codebooks",
                        options->weights, options->books);
    if (error)
        return complain(EXIT_USAGE, command_name, "cannot find codebooks: %s", strerror(-error));
    if (file_replace(options->codebooks, text, text_of(options, &found, text, sizeof text), why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    return print_found(options, &found);
}

/** Weights of one tensor after those of others. */
static int add_weights(void *context, const struct lossy *lossy, struct losses_sum *sum)
{
    struct matrix *all = context;
    (void)sum;
    const size_t count = lossy->matrix->m * lossy->matrix->k;
    float *w = realloc(all->w, (all->k + count) * sizeof *w);
    if (!w)
        return complain(EXIT_USAGE, command_name, "no memory for the weights of %s", lossy->weights);
    memcpy(w + all->k, lossy->matrix->w, count * sizeof *w);
    *all = (struct matrix){.m = 1, .k = all->k + count, .w = w};
    return EXIT_DONE;
}

/** In what was sampled of all tensors, as one row. */
static int find_in_tensors(const struct options *options)
{
    struct matrix all = {.m = 1};
    int code = tensors_visit(&options->gguf, options->seed, add_weights, &all, NULL);
    if (!code)
        code = find_codebooks(options, &all);
    free(all.w);
    return code;
}

/** Rows of all kinds, one kind after the other. */
static int find_in_synthetic(const struct options *options)
{
    size_t each = (size_t)DISCOVERY_M * SYNTHETIC_K;
    struct matrix matrix = {.m = 0, .k = SYNTHETIC_K, .w = malloc(SYNTHETIC_KINDS * each * sizeof *matrix.w)};
    if (!matrix.w)
        return complain(EXIT_USAGE, command_name, "no memory for synthetic weights");
    for (enum synthetic_kind kind = 0; kind < SYNTHETIC_KINDS; kind++) {
        if (!takes_kind(options, kind))
            continue;
        synthetic_weights(kind, DISCOVERY_M, SYNTHETIC_K, options->seed + kind, matrix.w + matrix.m * matrix.k);
        matrix.m += DISCOVERY_M;
    }
    int code = find_codebooks(options, &matrix);
    free(matrix.w);
    return code;
}

/** Whether the options go together; those of codebooks as given, or their defaults. @return exit code */
static int settle(struct options *options)
{
    if (!options->codebooks && (options->books || options->values))
        return complain(EXIT_USAGE, command_name, "--books and --values need --codebooks=FILE");
    if (options->gguf.path && (options->weights || options->mixed.asked))
        return complain(EXIT_USAGE, command_name,
                        "--gguf takes no --weights and no --mixed; mixed24 is one of its formats");
    if (!options->gguf.path && (options->gguf.pattern || options->gguf.rows || options->gguf.all_rows))
        return complain(EXIT_USAGE, command_name, "--tensor and --rows need --gguf=FILE");
    options->weights = options->gguf.path ? options->gguf.path : options->weights ? options->weights : "synthetic";
    options->books = options->books ? options->books : 4;
    options->values = options->values ? options->values : 4;
    if ((options->bipolar && (options->codebooks || options->mixed.asked)) || (options->group && !options->bipolar))
        return complain(EXIT_USAGE, command_name, "--bipolar goes only with --group, --weights and --seed");
    if (options->mixed.asked && (options->codebooks || options->formats))
        return complain(EXIT_USAGE, command_name, "--mixed takes no format and no --codebooks");
    return EXIT_DONE;
}

static int print_mixed(const struct options *options, const struct matrix *given)
{
    struct mixed_request request = options->mixed;
    request.command = command_name;
    request.weights = options->weights;
    request.seed = options->seed;
    request.json = options->json;
    request.view = &options->view;
    return mixed_print(&request, given);
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&mixed_argp, 0, NULL, 0}, {&table_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .children = children,
        .args_doc = "[FORMAT...]",
        .doc =
            "Quantize a matrix to weight formats and show what each loses, by bit; or find codebooks for it; or "
            "convert it to bipolar integers; or mix 2, 4 and 16 bits in it. Measures no time. FORMAT is one that has "
            "a quantizer, or w2 to w8 for bipolar integers with a scale and a zero a row; without one, those of 2, 3 and 4 bits with block scales.\vA synthetic matrix has 64 rows of "
            "4096 columns, 256 to find codebooks, 64 of 960 with --mixed. Exit: 0 done, 2 usage or environment.",
    };
    struct options options = {
        .weights = NULL, .seed = 1, .mixed = {.four_bit = NAN, .outliers = NAN}, .view.tables = tables};
    struct matrix given = {0};
    char why[REASON_SIZE];
    int code = parse_options(&argp, argc, argv, &options);
    options.rows = json_array();
    options.gguf.command = command_name;
    if (!code)
        code = settle(&options);
    if (!code && !options.gguf.path && !is_synthetic(&options) && npy_read(options.weights, &given, why) != 0)
        code = complain(EXIT_USAGE, command_name, "%s %s", options.weights, why);
    if (!code && options.mixed.asked)
        code = print_mixed(&options, &given);
    else if (!code && options.codebooks && options.gguf.path)
        code = find_in_tensors(&options);
    else if (!code && options.codebooks)
        code = given.w ? find_codebooks(&options, &given) : find_in_synthetic(&options);
    else if (!code)
        code = compare_all(&options, &given);
    free(given.w);
    json_decref(options.rows);
    return code;
}

const struct command command_quantize = {
    .name = command_name,
    .summary = "what formats lose of a matrix, by bit; codebooks; bipolar integers; mixed bits",
    .run = run,
    .tables = tables,
};
