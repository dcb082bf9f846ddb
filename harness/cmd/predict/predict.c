/* SPDX-License-Identifier: BSD-3-Clause */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/table.h"
#include "harness/cmd/predict/gpu.h"
#include "harness/command/command.h"
#include "harness/prediction/prediction.h"
#include "micro/shape.h"
#include "platforms/described/described_open.h"
#include "results/records/record.h"

#define GIB (1024.0 * 1024.0 * 1024.0)

enum { OPTION_TOKENS = 1000, REASON_SIZE = 512, TOKENS_MOST = 1 << 20 };

struct options {
    const char *platform;          /* NULL: all known */
    const char *kernel;            /* NULL: all that the platform has for every kind */
    const char *threads;           /* NULL: all cores */
    struct prediction_shape shape; /* m 0: none */
    size_t tokens;                 /* of GPUs; 0: not given */
    bool json;
    struct table_view view;
    json_t *rows; /* of the platform at hand */
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &options->view; return 0;
    case 'p': options->platform = argument; return 0;
    case 'k':
        for (char *letter = argument; *letter; letter++) /* as it is then shown */
            *letter = (char)tolower((unsigned char)*letter);
        options->kernel = argument;
        return 0;
    case 't': options->threads = argument; return 0;
    case 's':
        if (shape_parse(argument, &options->shape.m, &options->shape.k))
            argp_error(state, "--shape takes MxK such as 4096x4096, not '%s'", argument);
        return 0;
    case OPTION_TOKENS: options->tokens = option_number(argument, 1, TOKENS_MOST, "--tokens", state); return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument '%s'", argument); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"platform", 'p', "NAME|FILE,...", 0,
     "Known platforms, or platform files (.json) (default: all known ones that state a gamma or matrix units)", 0},
    {"kernel", 'k', "SEQUENCE", 0,
     "<format>.<sequence>[.<isa>], or for a GPU one from its table such as int2_bf16.fused (default: all that the "
     "platform has)",
     0},
    {"shape", 's', "MxK", 0, "Also predict the time of one product with M rows and K columns of weights", 0},
    {"tokens", OPTION_TOKENS, "N", 0, "For a GPU: multiply with N activation vectors (default: 1)", 0},
    {"threads", 't', "N|P=N,E=N", 0, "Cores that take part, first kind first, or by kind (default: all)", 0},
    {"json", 'j', NULL, 0, "JSON Lines (type \"prediction\", of a GPU \"gpu_prediction\") on standard output", 0},
    {0},
};

static const struct argp_child children[] = {{&table_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    .options = option_table,
    .parser = parse_option,
    .children = children,
    .doc =
        "Shows what the model alone predicts: e_bw = min(beta, B/gamma) of each kind of core, the knee B/gamma, the "
        "side that binds, and the bandwidth of the machine; also without any overlap of reading and computing, and "
        "with the overlap that the kernel's omega gives, if the platform file has one. For a GPU, whose matrix units "
        "take 2-bit weights as they are: the longer of moving bytes and multiplying, plus the launches.\vbeta is that "
        "of all cores reading, whatever --threads says; bytes are those of the packed weights. A GPU's kernels are "
        "int2_bf16.fused (2-bit weights times BF16, quantized within the kernel), int2_bf16.separate (the "
        "activations' scales by a kernel of their own, one more launch and a pass over them), int8 (weights and "
        "activations of 8 bits, sums stored) and bf16 (one token). Not modelled there: caches, tiles that a matrix "
        "does not fill, and scales that several work-groups compute.",
};

/* ---- the cells of a row: words and numbers of kinds of cores with strokes between, words that are the same once ---- */

static const char *of_kinds(const json_t *record, char *text, size_t size,
                            void (*one)(const json_t *kind, char *text, size_t size))
{
    const json_t *kinds = json_object_get(record, "kinds");
    char first[64] = "", of_one[64];
    size_t used = 0;
    bool same_word = true;
    for (size_t i = 0; i < json_array_size(kinds) && used < size; i++) {
        one(json_array_get(kinds, i), of_one, sizeof of_one);
        if (!i)
            snprintf(first, sizeof first, "%s", of_one);
        same_word = same_word && !isdigit((unsigned char)*of_one) && strcmp(first, of_one) == 0;
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "/" : "", of_one);
    }
    if (same_word)
        snprintf(text, size, "%s", first);
    return text;
}

static void kind_name(const json_t *kind, char *text, size_t size)
{
    snprintf(text, size, "%s", json_string_value(json_object_get(kind, "kind")));
}

static void kind_cores(const json_t *kind, char *text, size_t size)
{
    snprintf(text, size, "%.0f", record_number_or_nan(kind, "cores"));
}

static void kind_clock(const json_t *kind, char *text, size_t size)
{
    snprintf(text, size, "%.2f", record_number_or_nan(kind, "core_hz") / 1e9);
}

static void kind_beta(const json_t *kind, char *text, size_t size)
{
    snprintf(text, size, "%.2f", record_number_or_nan(kind, "beta"));
}

static void kind_gamma(const json_t *kind, char *text, size_t size)
{
    snprintf(text, size, "%.3f", record_number_or_nan(kind, "gamma"));
}

static void kind_knee(const json_t *kind, char *text, size_t size)
{
    snprintf(text, size, "%.2f", record_number_or_nan(kind, "knee"));
}

static void kind_bandwidth(const json_t *kind, char *text, size_t size)
{
    snprintf(text, size, "%.2f", record_number_or_nan(kind, "effective_bandwidth"));
}

static void kind_binds(const json_t *kind, char *text, size_t size)
{
    snprintf(text, size, "%s", json_string_value(json_object_get(kind, "binds")));
}

static void kind_omega(const json_t *kind, char *text, size_t size)
{
    if (isfinite(record_number_or_nan(kind, "omega")))
        snprintf(text, size, "%.2f [%.2f, %.2f]", record_number_or_nan(kind, "omega"),
                 record_number_or_nan(kind, "omega_low"), record_number_or_nan(kind, "omega_high"));
    else
        snprintf(text, size, "-");
}

#define OF_KINDS(what)                                                                                                 \
    static const char *what##_text(const json_t *record, char *text, size_t size)                                      \
    {                                                                                                                  \
        return of_kinds(record, text, size, kind_##what);                                                              \
    }
OF_KINDS(name)
OF_KINDS(cores)
OF_KINDS(clock)
OF_KINDS(beta)
OF_KINDS(gamma)
OF_KINDS(knee)
OF_KINDS(bandwidth)
OF_KINDS(binds)
OF_KINDS(omega)

enum { COLUMNS_OF_TIME = 4 };

static const struct table_column columns[] = {
    {"platform", "platform", .left = true}, /* as text there is a table for each, and no such column */
    {"kernel", "kernel", .left = true, .clips = 20},
    {"kind", "kinds", .text = name_text, .rank = 4, .left = true},
    {"cores", "cores", .text = cores_text, .rank = 9},
    {"GHz", "core_hz", .text = clock_text, .rank = 10},
    {"beta", "beta", .text = beta_text, .rank = 5},
    {"gamma", "gamma", .text = gamma_text, .rank = 6},
    {"knee", "knee", .text = knee_text, .rank = 3},
    {"e_bw", "effective_bandwidth", .text = bandwidth_text, .rank = 8},
    {"binds", "binds", .text = binds_text, .rank = 2, .left = true, .limit = true},
    {"GB/s", "bytes_per_s", TABLE_NUMBER, .scale = 1e-9, .digits = 1, .rank = 1},
    {"GiB/s", "bytes_per_s", TABLE_NUMBER, .scale = 1 / GIB, .digits = 1, .rank = 12},
    {"serial", "bytes_per_s_serial", TABLE_NUMBER, .scale = 1e-9, .digits = 1, .rank = 11},
    {"omega", "omega", .text = omega_text, .rank = 13},
    {"with it", "bytes_per_s_overlap", TABLE_NUMBER, .scale = 1e-9, .digits = 1, .rank = 7},
    {"bytes", "packed_bytes", TABLE_NUMBER, .digits = 0, .rank = 14},
    {"us", "predicted_s", TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 1},
    {"serial us", "predicted_serial_s", TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 11},
    {"omega us", "predicted_overlap_s", TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 7},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static const struct table prediction_table = {"prediction", "Predictions", columns, .count = COLUMNS};
static const struct table of_one_platform = {.type = "prediction", .columns = columns + 1, .count = COLUMNS - 1};
static const struct table without_shape = {
    .type = "prediction", .columns = columns + 1, .count = COLUMNS - 1 - COLUMNS_OF_TIME};
static const struct table *const tables[] = {&prediction_table, &predict_gpu_table, NULL};

/** Of the tables of cores, if there was one. */
static void print_legend(const struct options *options)
{
    if (!json_array_size(options->rows))
        return;
    console_print_text(
        "\nbeta, knee, e_bw: bytes per cycle of one core; gamma: cycles per output vector; slashes separate several "
        "kinds of\ncores. GB/s: of the machine; serial: without overlap of reading and computing; with it: with the "
        "overlap that the\nkernel's omega gives, if the platform file has one. Without an omega the model is max.\n");
}

static void print_heading(const struct described_platform *platform, const struct options *options)
{
    printf("%s%s (%s)%s%s%s\n", console_bold(), platform->title, platform->name, console_plain(),
           *platform->source ? ", " : "", platform->source);
    if (options->shape.m && !isnan(platform->start_s))
        printf("  start of a call %.2f us, synchronisation included\n", 1e6 * platform->start_s);
    else if (options->shape.m && isnan(platform->synchronisation_s))
        puts("  synchronisation time not stated, counted as 0");
    else if (options->shape.m)
        printf("  synchronisation %.2f us a call\n", 1e6 * platform->synchronisation_s);
    if (options->threads)
        puts("  beta is that of all cores reading; fewer cores may read more each");
}

static bool every_kind_has(const struct described_platform *platform, const char *kernel)
{
    for (size_t i = 0; i < platform->kind_count; i++) {
        if (!described_gamma_of(&platform->kinds[i], kernel) && !described_kernel_of(&platform->kinds[i], kernel))
            return false;
    }
    return true;
}

static int predict_kernel(const struct options *options, const struct described_platform *platform, const char *kernel,
                          const struct prediction_team *team)
{
    struct prediction prediction;
    char why[REASON_SIZE];
    if (prediction_make(platform, kernel, team, options->shape, &prediction, why, sizeof why) != 0)
        return complain(EXIT_USAGE, "predict", "%s", why);
    json_array_append_new(options->rows, prediction_record(&prediction));
    return EXIT_DONE;
}

/* Everything that can be refused is refused here, before the first line is printed. */
static int plan_platform(const struct options *options, const struct described_platform *platform,
                         struct prediction_team *team)
{
    struct prediction trial;
    char why[REASON_SIZE];
    if (prediction_possible(platform, why, sizeof why) != 0)
        return complain(EXIT_USAGE, "predict", "%s", why);
    if (prediction_plan_team(options->threads, platform, team, why, sizeof why) != 0)
        return complain(EXIT_USAGE, "predict", "%s", why);
    if (options->kernel &&
        prediction_make(platform, options->kernel, team, options->shape, &trial, why, sizeof why) != 0)
        return complain(EXIT_USAGE, "predict", "%s", why);
    return EXIT_DONE;
}

/** Of a GPU. Options that say something about cores or name another kernel are refused. */
static int predict_gpu(const struct options *options, const struct described_platform *platform, bool plan_only)
{
    const struct roofline_gpu_kernel *kernel = options->kernel ? gpu_prediction_kernel(options->kernel) : NULL;
    if (options->threads)
        return complain(EXIT_USAGE, "predict", "--threads chooses cores, and %s is a GPU: leave it out",
                        platform->name);
    if (options->kernel && !kernel)
        return complain(EXIT_USAGE, "predict", "no kernel '%s' on a GPU; there are %s, %s, %s, %s", options->kernel,
                        roofline_gpu_kernels[0].name, roofline_gpu_kernels[1].name, roofline_gpu_kernels[2].name,
                        roofline_gpu_kernels[3].name);
    if (options->tokens && options->shape.m == 0)
        return complain(EXIT_USAGE, "predict", "--tokens needs --shape=MxK, the matrix that the tokens share");
    const struct predict_gpu predict = {.platform = platform,
                                        .kernel = kernel,
                                        .shape = options->shape,
                                        .tokens = options->tokens ? options->tokens : 1,
                                        .json = options->json,
                                        .view = &options->view};
    return plan_only ? EXIT_DONE : predict_gpu_print(&predict);
}

/** Those that every kind of core has, or the one that is named, as rows. */
static int predict_kernels(const struct options *options, const struct described_platform *platform,
                           const struct prediction_team *team)
{
    int code = EXIT_DONE;
    if (options->kernel)
        return predict_kernel(options, platform, options->kernel, team);
    for (size_t i = 0; i < platform->kinds[0].gamma_count && code == EXIT_DONE; i++) {
        const char *kernel = platform->kinds[0].gammas[i].name;
        if (every_kind_has(platform, kernel))
            code = predict_kernel(options, platform, kernel, team);
    }
    /* a kernel that shares the sequence of another has no gamma of its own name */
    for (size_t i = 0; i < platform->kinds[0].kernel_count && code == EXIT_DONE; i++) {
        const char *kernel = platform->kinds[0].kernels[i].name;
        if (!described_gamma_of(&platform->kinds[0], kernel) && every_kind_has(platform, kernel))
            code = predict_kernel(options, platform, kernel, team);
    }
    if (code == EXIT_DONE && !json_array_size(options->rows))
        return complain(EXIT_USAGE, "predict", "%s has no gamma that all its kinds of cores share; add one to its file",
                        platform->name);
    return code;
}

static int predict_cores(const struct options *options, const struct described_platform *platform, bool plan_only)
{
    struct prediction_team team;
    if (options->tokens)
        return complain(EXIT_USAGE, "predict", "--tokens is for GPUs; %s has a gamma, which is for one token",
                        platform->name);
    int code = plan_platform(options, platform, &team);
    if (code != EXIT_DONE || plan_only)
        return code;
    json_array_clear(options->rows);
    code = predict_kernels(options, platform, &team);
    if (code == EXIT_DONE && !options->json)
        print_heading(platform, options);
    return code ? code
                : table_print_records("predict", options->shape.m ? &of_one_platform : &without_shape, options->rows,
                                      options->json, &options->view);
}

static int predict_one(const struct options *options, const char *name, bool plan_only)
{
    struct described_platform platform;
    char why[REASON_SIZE];
    if (described_open(name, &platform, why, sizeof why) != 0)
        return complain(EXIT_USAGE, "predict", "%s", why);
    int code = described_is_gpu(&platform) ? predict_gpu(options, &platform, plan_only)
                                           : predict_cores(options, &platform, plan_only);
    described_free(&platform);
    return code;
}

/* Whether options that fit cores alone, or GPUs alone, leave a platform out where none is named. */
static bool is_meant(const struct options *options, const struct described_platform *platform)
{
    bool of_gpu = options->tokens || (options->kernel && gpu_prediction_kernel(options->kernel));
    bool of_cores = options->threads || (options->kernel && !of_gpu);
    return described_is_gpu(platform) ? !of_cores : !described_lacks(platform) && !of_gpu;
}

/* Whether a known platform has what the model needs; if not, it is only named at the end. */
static bool is_possible(const struct options *options, const char *name)
{
    struct described_platform platform;
    char why[REASON_SIZE];
    if (described_find(name, &platform, why, sizeof why) != 0)
        return true; /* and the prediction says what is wrong with the file */
    bool possible = is_meant(options, &platform);
    described_free(&platform);
    return possible;
}

static void print_left_out(void)
{
    const struct options any = {0}, *options = &any;
    char name[128];
    char line[4096] = "\nNothing to predict, because neither gamma nor matrix units are known: ";
    const char *glue = "";
    for (size_t i = 0; described_known_name(i, name, sizeof name); i++) {
        if (is_possible(options, name))
            continue;
        snprintf(line + strlen(line), sizeof line - strlen(line) - 1, "%s%s", glue, name);
        glue = ", ";
    }
    strcat(line, "\n");
    console_print_text(line);
}

static int predict_all(const struct options *options)
{
    char name[128];
    int code = EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && described_known_name(i, name, sizeof name); i++)
        code = is_possible(options, name) ? predict_one(options, name, true) : EXIT_DONE;
    bool first = true;
    for (size_t i = 0; code == EXIT_DONE && described_known_name(i, name, sizeof name); i++) {
        if (!is_possible(options, name))
            continue;
        if (!first && !options->json)
            putchar('\n');
        first = false;
        code = predict_one(options, name, false);
    }
    if (code == EXIT_DONE && !options->json) {
        print_legend(options);
        print_left_out();
    }
    return code;
}

/* Those of a comma list, in its order; all are refused before the first is printed. */
static int predict_named(const struct options *options)
{
    int code = EXIT_DONE;
    for (int plan_only = 1; plan_only >= 0 && code == EXIT_DONE; plan_only--) {
        for (const char *at = options->platform; at && code == EXIT_DONE;) {
            char name[PATH_MAX];
            const char *comma = strchr(at, ',');
            int length = comma ? (int)(comma - at) : (int)strlen(at);
            snprintf(name, sizeof name, "%.*s", length, at);
            if (!plan_only && at != options->platform && !options->json)
                putchar('\n');
            code = predict_one(options, name, plan_only);
            at = comma ? comma + 1 : NULL;
        }
    }
    if (code == EXIT_DONE && !options->json)
        print_legend(options);
    return code;
}

static int run_predict(int argc, char **argv)
{
    struct options options = {.view.tables = tables};
    int code = parse_options(&argp, argc, argv, &options);
    if (code != 0)
        return code;
    options.rows = json_array();
    code = options.platform ? predict_named(&options) : predict_all(&options);
    json_decref(options.rows);
    return code;
}

const struct command command_predict = {
    .name = "predict",
    .summary = "the model alone: knee, effective bandwidth and GEMV time of a described machine",
    .run = run_predict,
    .tables = tables,
};
