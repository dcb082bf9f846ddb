/* SPDX-License-Identifier: BSD-3-Clause */
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/predict_command/gpu.h"
#include "harness/command.h"
#include "harness/model/prediction.h"
#include "micro/shape.h"
#include "platforms/described_open.h"
#include "results/former_names.h"

enum { OPTION_JSON = 1000, OPTION_TOKENS, REASON_SIZE = 512, TOKENS_MOST = 1 << 20 };

static const double gib = 1024.0 * 1024.0 * 1024.0;

struct options {
    const char *platform;          /* NULL: all known */
    const char *kernel;            /* NULL: all that the platform has for every kind */
    char kernel_now[256];          /* where it was called otherwise */
    const char *threads;           /* NULL: all cores */
    struct prediction_shape shape; /* m 0: none */
    size_t tokens;                 /* of GPUs; 0: not given */
    bool json;
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'p': options->platform = argument; return 0;
    case 'k':
        options->kernel = former_name_exchanged(argument, options->kernel_now, sizeof options->kernel_now);
        return 0;
    case 't': options->threads = argument; return 0;
    case 's':
        if (shape_parse(argument, &options->shape.m, &options->shape.k))
            argp_error(state, "--shape takes MxK such as 4096x4096, not '%s'", argument);
        return 0;
    case OPTION_TOKENS: options->tokens = option_number(argument, 1, TOKENS_MOST, "--tokens", state); return 0;
    case OPTION_JSON: options->json = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument '%s'", argument); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"platform", 'p', "NAME|FILE,...", 0,
     "known platforms, or platform files (.json); default: all known ones that state a gamma or matrix units", 0},
    {"kernel", 'k', "SEQUENCE", 0,
     "<format>.<sequence>[.<isa>], of a GPU one of its table such as int2_bf16.fused; default: all that the platform has",
     0},
    {"shape", 's', "MxK", 0, "also predict the time of one product with M rows and K columns of weights", 0},
    {"tokens", OPTION_TOKENS, "N", 0, "of a GPU: the product is with N activation vectors; default 1", 0},
    {"threads", 't', "N|P=N,E=N", 0, "cores that take part, first kind first, or by kind; default: all", 0},
    {"json", OPTION_JSON, NULL, 0, "JSON Lines (type \"prediction\", of a GPU \"gpu_prediction\") on standard output",
     0},
    {0},
};

static const struct argp argp = {
    .options = option_table,
    .parser = parse_option,
    .doc =
        "What the model alone predicts: e_bw = min(beta, B/gamma) of each kind of core, the knee B/gamma, the side "
        "that binds, and the bandwidth of the machine; beside it without overlap of reading and computing, and with the part of it "
        "that the kernel's omega says, where the platform file has one. Of a GPU, whose matrix units take 2-bit weights as they "
        "are: the longer of moving bytes and multiplying, and the launches.\vbeta is "
        "that of all cores reading, whatever --threads says; bytes are those of the packed weights. A GPU's kernels are "
        "int2_bf16.fused (2-bit weights times BF16, quantized within the kernel), int2_bf16.separate (the activations' scales by a kernel "
        "of their own, one more launch and a pass over them), int8 (weights and activations of 8 bits, sums stored) and bf16 (one "
        "token). Not modelled there: caches, tiles that a matrix does not fill, and scales that several work-groups compute.",
};

static void print_kind(const struct prediction *prediction, size_t i, const char *label)
{
    const struct roofline_kind *kind = &prediction->kinds[i];
    double bytes = prediction->bytes_per_vector;
    printf("  %-28s %4s %5zu %6.2f %6.2f %7.3f %7.2f %6.2f  %s\n", label, prediction->platform->kinds[i].kind,
           kind->cores, kind->hz / 1e9, kind->beta, kind->gamma, roofline_knee(bytes, kind->gamma),
           roofline_effective_bandwidth(kind->beta, bytes, kind->gamma),
           roofline_bound_name(roofline_binds(kind->beta, bytes, kind->gamma)));
}

/** What omega makes of it, or that there is none. */
static void print_overlap(const struct prediction *prediction)
{
    if (isnan(prediction->bytes_per_s_overlap)) {
        puts("    no omega of this kernel in the platform file: the model is max");
        return;
    }
    for (size_t i = 0; i < prediction->platform->kind_count; i++) {
        const struct described_kernel *kernel = prediction->kernels[i];
        if (prediction->kinds[i].cores > 0)
            printf("    omega %.2f [%.2f, %.2f] on %s;", kernel->omega, kernel->omega_low, kernel->omega_high,
                   prediction->platform->kinds[i].kind);
    }
    printf(" with it %.1f GB/s = %.1f GiB/s", prediction->bytes_per_s_overlap / 1e9,
           prediction->bytes_per_s_overlap / gib);
    if (prediction->shape.m > 0)
        printf(", %zux%zu: %.2f us", prediction->shape.m, prediction->shape.k, 1e6 * prediction->predicted_overlap_s);
    putchar('\n');
}

static void print_kernel(const struct prediction *prediction)
{
    const char *label = prediction->kernel;
    for (size_t i = 0; i < prediction->platform->kind_count; i++) {
        if (prediction->kinds[i].cores == 0)
            continue;
        print_kind(prediction, i, label);
        label = "";
    }
    printf("    machine: %.1f GB/s = %.1f GiB/s; without overlap %.1f GB/s = %.1f GiB/s\n",
           prediction->bytes_per_s / 1e9, prediction->bytes_per_s / gib, prediction->bytes_per_s_serial / 1e9,
           prediction->bytes_per_s_serial / gib);
    if (prediction->shape.m > 0)
        printf("    %zux%zu, %.0f bytes: %.2f us; without overlap %.2f us\n", prediction->shape.m, prediction->shape.k,
               prediction->packed_bytes, 1e6 * prediction->predicted_s, 1e6 * prediction->predicted_serial_s);
    print_overlap(prediction);
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
        puts("  beta is that of all cores reading; fewer cores may draw more each");
    printf("  %-28s %4s %5s %6s %6s %7s %7s %6s  %s\n", "kernel", "kind", "cores", "GHz", "beta", "gamma", "knee",
           "e_bw", "binds");
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
    if (!options->json) {
        print_kernel(&prediction);
        return EXIT_DONE;
    }
    return print_record("predict", prediction_record(&prediction));
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
        return complain(EXIT_USAGE, "predict", "--tokens says how often a matrix is used: add --shape=MxK");
    const struct predict_gpu predict = {.platform = platform,
                                        .kernel = kernel,
                                        .shape = options->shape,
                                        .tokens = options->tokens ? options->tokens : 1,
                                        .json = options->json};
    return plan_only ? EXIT_DONE : predict_gpu_print(&predict);
}

static int predict_cores(const struct options *options, const struct described_platform *platform, bool plan_only)
{
    struct prediction_team team;
    if (options->tokens)
        return complain(EXIT_USAGE, "predict", "--tokens is for GPUs; a gamma, which %s has, is of one token",
                        platform->name);
    int code = plan_platform(options, platform, &team);
    if (code != EXIT_DONE || plan_only)
        return code;
    if (!options->json)
        print_heading(platform, options);
    if (options->kernel)
        return predict_kernel(options, platform, options->kernel, &team);

    size_t predicted = 0;
    for (size_t i = 0; i < platform->kinds[0].gamma_count && code == EXIT_DONE; i++) {
        const char *kernel = platform->kinds[0].gammas[i].name;
        if (!every_kind_has(platform, kernel))
            continue;
        predicted++;
        code = predict_kernel(options, platform, kernel, &team);
    }
    /* a kernel that shares the sequence of another has no gamma of its own name */
    for (size_t i = 0; i < platform->kinds[0].kernel_count && code == EXIT_DONE; i++) {
        const char *kernel = platform->kinds[0].kernels[i].name;
        if (described_gamma_of(&platform->kinds[0], kernel) || !every_kind_has(platform, kernel))
            continue;
        predicted++;
        code = predict_kernel(options, platform, kernel, &team);
    }
    if (code == EXIT_DONE && predicted == 0)
        return complain(EXIT_USAGE, "predict", "%s has no gamma that all its kinds of cores share; add one to its file",
                        platform->name);
    return code;
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
    const char *glue = "\nNothing to predict, since neither gamma nor matrix units are known: ";
    for (size_t i = 0; described_known_name(i, name, sizeof name); i++) {
        if (is_possible(options, name))
            continue;
        printf("%s%s", glue, name);
        glue = ", ";
    }
    puts("");
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
    if (code == EXIT_DONE && !options->json)
        print_left_out();
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
    return code;
}

static int run_predict(int argc, char **argv)
{
    struct options options = {0};
    int code = parse_options(&argp, argc, argv, &options);
    if (code != 0)
        return code;
    return options.platform ? predict_named(&options) : predict_all(&options);
}

const struct command command_predict = {
    .name = "predict",
    .summary = "the model alone: knee, effective bandwidth and GEMV time of a described machine",
    .run = run_predict,
};
