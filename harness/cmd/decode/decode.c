/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/decode/decode_plan.h"
#include "harness/cells/join/join.h"
#include "harness/cells/sync/sync.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/model_names.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/options/schedule_options.h"
#include "harness/cmd/console/options/tuning_option.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/console/sharing.h"
#include "harness/cmd/console/table.h"
#include "harness/cmd/console/watched.h"
#include "harness/cmd/decode/decode_command.h"
#include "harness/command/command.h"
#include "harness/decode/decode_check.h"
#include "harness/decode/prefill_pass.h"
#include "harness/gguf/listed_file.h"
#include "harness/plan/decode_job.h"
#include "harness/plan/given_job.h"
#include "harness/plan/prefill_job.h"
#include "harness/plugin/name_argument.h"
#include "results/records/record.h"

static const char command_name[] = "decode", default_model[] = "llama3.2-1b", same_head[] = "same";

enum {
    OPTION_CACHE = 0x200,
    OPTION_CONTEXT,
    OPTION_HEAD,
    OPTION_LAYERS,
    OPTION_PREFILL,
    OPTION_TUNING,
    OPTION_TYPE,
    OPTION_USERS
};

/** Decoded with where no kernel is named: the baseline of 16 bits, one format of each width, and bitnet.cpp's. */
static const char *const default_formats[] = {"bf16",        "int8_vnni4", "q4_0", "int2_planes",
                                              "int1_planes", "i2_s",       "tl2"};

struct options {
    struct measuring_options measuring;
    struct schedule_options sharing;
    const char *model, *head, *tuning, *type;
    size_t layers;
    size_t prefill[DECODE_JOB_LENGTHS], prefills;
    struct decode_lengths contexts[DECODE_JOB_LENGTHS];
    size_t context_count;
    unsigned caches;
    size_t users[DECODE_JOB_LENGTHS], user_count;
    struct run_request run;
    struct table_view view;
    char **names;
    int count;
};

/** A model whose matrices have the types of a kind of file. */
struct typed {
    struct listed_file file;
    struct given_model given;
};

static const struct argp_option option_table[] = {
    {"model", 'm', "NAME", 0, "The model to decode (default: llama3.2-1b); `kneepoint list shapes` shows them", 0},
    {"type", OPTION_TYPE, "TYPE", 0,
     "Every matrix in the format that it has in a GGUF file of this kind, such as q4_k_m, instead of one FORMAT", 0},
    {"context", OPTION_CONTEXT, "N,N,...", 0,
     "Positions that the token attends to, including itself; a pass of each (default: 512). N+N+... are of --users, in turn",
     0},
    {"cache", OPTION_CACHE, "KIND,KIND,...", 0,
     "What keys and values of earlier positions are kept in: bf16, q8_0 or q4_0; a pass of each (default: bf16)", 0},
    {"users", OPTION_USERS, "N,N,...", 0,
     "Decode one token of each of this many users at once, with the kernels' GEMMs, each over keys and values of its own",
     0},
    {"prefill", OPTION_PREFILL, "N,N,...", 0,
     "Run prompts of this many tokens with the kernels' GEMMs instead of decoding one token; timed step by step", 0},
    {"head", OPTION_HEAD, "FORMAT", 0,
     "Format or kernel of the output head, or same, for that of the layers (default: bf16, as models are published)",
     0},
    {"layers", OPTION_LAYERS, "N", 0,
     "Create weights for N layers only and use them in turn (default: for all layers, or as many as memory holds)", 0},
    {"tuning", OPTION_TUNING, "FILE", 0, TUNING_OPTION_HELP, 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = &options->measuring;
        state->child_inputs[2] = &options->measuring.request.plugins;
        state->child_inputs[3] = &options->sharing;
        state->child_inputs[4] = &options->run;
        state->child_inputs[5] = &options->view;
        return 0;
    case 'm': options->model = argument; return 0;
    case OPTION_CONTEXT: contexts_parse(argument, options->contexts, &options->context_count, state); return 0;
    case OPTION_CACHE: caches_parse(argument, &options->caches, state); return 0;
    case OPTION_PREFILL:
        lengths_parse("--prefill", argument, PREFILL_TOKENS_MOST, options->prefill, &options->prefills, state);
        return 0;
    case OPTION_USERS:
        lengths_parse("--users", argument, DECODE_USERS_MOST, options->users, &options->user_count, state);
        return 0;
    case OPTION_HEAD: options->head = argument; return 0;
    case OPTION_LAYERS: options->layers = option_number(argument, 1, 1000, "--layers", state); return 0;
    case OPTION_TUNING: options->tuning = argument; return 0;
    case OPTION_TYPE: options->type = argument; return 0;
    case ARGP_KEY_ARGS:
        options->names = state->argv + state->next;
        options->count = state->argc - state->next;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- what to measure ---- */

static bool has(const struct decode_job *job, const struct kernel *kernel)
{
    return decode_job_has_gemms(job) ? kernel->gemm.run != NULL : kernel->gemv != NULL;
}

static int add_kernel(struct decode_job *job, const struct kernel *kernel)
{
    for (size_t i = 0; i < job->kernel_count; i++) {
        if (job->kernels[i] == kernel)
            return 0;
    }
    if (job->kernel_count == DECODE_JOB_KERNELS)
        return complain(EXIT_USAGE, command_name, "at most %d kernels", DECODE_JOB_KERNELS);
    job->kernels[job->kernel_count++] = kernel;
    return 0;
}

/** A name means a format, of which the best kernel is taken, or kernels. */
static int add_named(const struct session *session, const char *name, struct decode_job *job)
{
    const struct format *format = format_find(name);
    const struct kernel *known = NULL,
                        *of_format = format ? decode_kernel_of(session, format, decode_job_has_gemms(job)) : NULL;
    size_t before = job->kernel_count;
    char missing[160];
    int code = of_format ? add_kernel(job, of_format) : 0;
    for (const struct kernel *const *kernel = kernel_all(); !of_format && !code && *kernel; kernel++) {
        if (!name_argument_means(name, (*kernel)->name))
            continue;
        known = *kernel;
        if (has(job, *kernel) && session_runs(session, (*kernel)->isa))
            code = add_kernel(job, *kernel);
    }
    if (code || job->kernel_count > before || of_format)
        return code;
    if (!known && name_argument_withheld(name, &session->plugins))
        return 0; /* reported already */
    if (!known)
        return complain(EXIT_USAGE, command_name, "no format or kernel '%s'; `kneepoint list kernels` shows them%s",
                        name, name_argument_hint(name, false, missing, sizeof missing));
    if (session_runs(session, known->isa))
        return complain(EXIT_USAGE, command_name,
                        decode_job_has_gemms(job) ? "%s multiplies one token: it has no GEMM"
                                                  : "%s multiplies many tokens at once: it has no GEMV",
                        known->name);
    isa_missing(isa_find(known->isa), &session->machine.dump, missing, sizeof missing);
    return complain(EXIT_USAGE, command_name, "%s cannot run on this CPU: it %s", known->name, missing);
}

/** Of each width that some kernel here has. */
static int select_defaults(const struct session *session, struct decode_job *job)
{
    int code = 0;
    for (size_t i = 0; !code && i < sizeof default_formats / sizeof *default_formats; i++) {
        const struct kernel *kernel = decode_kernel_of_width(session, default_formats[i], decode_job_has_gemms(job));
        code = kernel ? add_kernel(job, kernel) : 0;
    }
    return code || job->kernel_count ? code
                                     : complain(EXIT_USAGE, command_name,
                                                "no kernel of the usual formats runs on this CPU; name one, `kneepoint "
                                                "list kernels` shows them");
}

static int select_kernels(const struct session *session, const struct options *options, struct decode_job *job)
{
    int code = 0;
    job->kernels_named = options->count > 0;
    for (int i = 0; !code && i < options->count; i++)
        code = add_named(session, options->names[i], job);
    return options->count || code ? code : select_defaults(session, job);
}

static int select_head(const struct session *session, const struct options *options, struct decode_job *job)
{
    const char *name = options->head ? options->head : decode_head_format;
    struct decode_job *found = calloc(1, sizeof *found);
    if (!found)
        return complain(EXIT_USAGE, command_name, "no memory");
    found->prefills = job->prefills;
    found->user_count = job->user_count;
    int code = strcmp(name, same_head) == 0 ? 0 : add_named(session, name, found);
    if (!code && found->kernel_count > 1)
        code = complain(EXIT_USAGE, command_name,
                        "--head=%s: that is more than one kernel; name one of them, or a format", name);
    job->head = found->kernel_count ? found->kernels[0] : NULL;
    free(found);
    return code;
}

/** Of each matrix the kernel of the type that it has in such files. */
static int select_type(const struct session *session, const struct options *options, struct typed *typed,
                       struct decode_job *job)
{
    char why[SESSION_WHY];
    const struct file_mix *mix;
    int code = model_names_type(command_name, options->type, &mix);
    if (code)
        return code;
    int error = listed_file_open(&job->model, mix, &typed->file, why, sizeof why);
    if (!error)
        error = given_model_open(&typed->file.file, &typed->file.facts, typed->file.model.name, &typed->given, why,
                                 sizeof why);
    typed->given.model = typed->file.model;
    if (!error)
        error = decode_job_has_gemms(job) ? given_job_prompts(job, &typed->given, session, why, sizeof why)
                                          : given_job_token(job, &typed->given, session, why, sizeof why);
    return error ? complain(EXIT_USAGE, command_name, "--type=%s: %s", mix->name, why) : EXIT_DONE;
}

static int select_job(const struct session *session, const struct options *options, struct typed *typed,
                      struct decode_job *job)
{
    char why[SESSION_WHY];
    job->threads = session->threads;
    decode_job_set_contexts(job, options->contexts, options->context_count);
    decode_job_set_users(job, options->users, options->user_count);
    job->caches = options->caches;
    job->distinct = options->layers;
    job->prefills = options->prefills;
    memcpy(job->prefill, options->prefill, sizeof job->prefill);
    job->samples = options->measuring.samples;
    job->schedules = options->sharing.schedules;
    int code = model_names_find(command_name, options->model ? options->model : default_model, &job->model);
    if (code)
        return code;
    if (options->type)
        return select_type(session, options, typed, job);
    if (job->distinct > job->model.layers)
        return complain(EXIT_USAGE, command_name, "--layers=%zu: %s has %zu", job->distinct, job->model.name,
                        job->model.layers);
    code = select_kernels(session, options, job);
    if (!code)
        code = select_head(session, options, job);
    int error = code || !job->kernel_count ? 0
                : job->prefills            ? prefill_job_check(job, session, why, sizeof why)
                                           : decode_job_check(job, session, why, sizeof why);
    if (error)
        return complain(EXIT_USAGE, command_name, "%s", why);
    return code;
}

/* ---- printing ---- */

/** Before one of "1, 4 and 16". */
static const char *between(size_t i, size_t count)
{
    return i == 0 ? "" : i + 1 < count ? ", " : " and ";
}

static void print_header(const struct decode_job *job)
{
    char text[DECODE_LENGTHS_TEXT];
    decode_table_print_model(&job->model);
    fputs("one token ", stdout);
    if (job->user_count) {
        fputs("of each of ", stdout);
        for (size_t i = 0; i < job->user_count; i++)
            printf("%s%zu", between(i, job->user_count), job->users[i]);
        fputs(job->users[job->user_count - 1] == 1 ? " user, " : " users, ", stdout);
    }
    fputs("after ", stdout);
    for (size_t i = 0; i < job->context_count; i++)
        printf("%s%s", between(i, job->context_count), decode_lengths_text(&job->contexts[i], 1, text, sizeof text));
    printf(", %u thread%s, keys and values in ", job->threads, job->threads == 1 ? "" : "s");
    for (int cache = 0, said = 0; cache < LAYER_CACHES; cache++) {
        if (job->caches ? job->caches >> cache & 1 : cache == LAYER_CACHE_BF16)
            printf("%s%s", said++ ? ", " : "", layer_cache_name((enum layer_cache)cache));
    }
    puts("\n");
}

static const char *note_text(const json_t *record, char *text, size_t size)
{
    char sharing[512];
    json_int_t distinct = json_integer_value(json_object_get(record, "distinct_layers")),
               layers = json_integer_value(json_object_get(record, "layers"));
    sharing_text(record, "GEMVs of ", sharing, sizeof sharing);
    if (distinct < layers)
        snprintf(text, size, "weights of %lld of %lld layers, used in turn%s", (long long)distinct, (long long)layers,
                 sharing);
    else
        snprintf(text, size, "%s", sharing + strspn(sharing, " "));
    return text;
}

static const struct table decode_table = {
    "decode", "Tokens", decode_columns, DECODE_COLUMNS, .needs = "tokens_per_s", .note = note_text};

static const struct table *const tables[] = {&decode_table, &prefill_table, NULL};

/** What was left out, by name and reason. */
static int print_left_out(const struct decode_job *job, bool json)
{
    for (size_t k = 0; k < job->kernel_count; k++) {
        if (!job->left_out[k][0])
            continue;
        if (!json)
            printf("left out: %s: %s\n", job->kernels[k]->name, job->left_out[k]);
        else if (print_record(command_name,
                              json_pack("{s:s, s:s, s:s, s:s}", "type", "skipped", "name", job->kernels[k]->name,
                                        "model", job->model.name, "reason", job->left_out[k])))
            return EXIT_USAGE;
    }
    return EXIT_DONE;
}

static const struct decode_table table = {.command = command_name,
                                          .kind = &cell_kind_decode,
                                          .header = print_header,
                                          .passes = &decode_table,
                                          .has_sync = true};

static void print_legend(const struct session *session, const struct cells *cells)
{
    const struct decode_cell *own = NULL;
    for (size_t i = 0; i < cells->count && !own; i++)
        own = cells->cell[i].samples.count ? decode_cell(&cells->cell[i]) : NULL;
    if (!own)
        return;
    char text[2048];
    snprintf(
        text, sizeof text,
        "\nWeights are random: one megabyte is drawn and copied to separate memory for each matrix, %.0f times the caches "
        "and %.0f%% on huge pages. A difference of at most %g is right. Every part ends at a barrier, where the clock is "
        "read: %zu readings of %.0f ns per pass. sync: %zu meetings of the team at the cost of a barrier, contained in the "
        "parts. Sampling and embedding are not included.",
        (double)own->layer_bytes / (double)session->llc_bytes, 100 * own->huge_fraction, DECODE_CHECK_BOUND,
        own->stamps, 1e9 * own->stamp_s, own->joins);
    console_print_prose(text);
}

static int print_all(struct watched *watched, const struct cells *cells, const struct decode_job *job,
                     const struct options *options)
{
    const struct session *session = watched->session;
    bool json = watched->json;
    int code = json ? watched_lines(watched, cells, cells->count) : EXIT_DONE;
    if (!json && job->prefills) {
        code = prefill_print(command_name, session, cells, job, &options->view);
    } else if (!json) {
        code = decode_table_print(&table, session, cells, job, &options->view);
        decode_table_print_joins(&table, session, cells);
        print_legend(session, cells);
        if (!job->user_count)
            tuning_option_print(job->tuning, cells);
    }
    if (!code)
        code = print_left_out(job, json);
    return code || !json ? code : command_session_print_withheld(command_name, session);
}

/* ---- measuring ---- */

/** @return EXIT_INCONCLUSIVE if no sample was kept of anything that was asked for */
static int tell_of_none(const struct cells *cells, const struct decode_job *job)
{
    size_t all = 0, without = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (strcmp(cell->kind->name, job->prefills ? "prefill" : "decode") != 0 || cell->why[0])
            continue;
        all++;
        without += warn_no_samples(command_name, cell);
    }
    return all && without == all ? EXIT_INCONCLUSIVE : EXIT_DONE;
}

/** Measure, print, and write what was asked to be written. */
static int measure_and_write(const struct options *options, struct session *session, struct cells *cells,
                             const struct decode_job *job)
{
    char why[SESSION_WHY];
    struct watched watched = {.command = command_name,
                              .shows = job->prefills ? "prefill" : "decode",
                              .json = options->measuring.json,
                              .line = watched_line,
                              .given = command_name};
    int code = watched_open(&watched, &options->run, session);
    if (code)
        return code;
    decode_print_estimate(command_name, job, session);
    const struct execution execution = watched_begin(&watched);
    int error = job->prefills ? prefill_job_measure(job, session, cells, &execution, why, sizeof why)
                              : decode_job_measure(job, session, cells, &execution, why, sizeof why);
    code = watched_end(&watched, cells, error, why);
    if (!code)
        code = print_all(&watched, cells, job, options);
    if (!code && !watched.interrupted)
        code = tell_of_none(cells, job);
    return watched_close(&watched, session, cells, code);
}

static int measure_job(const struct options *options, struct session *session, struct cells *cells,
                       struct decode_job *job)
{
    struct typed typed = {.file = {.tensor = NULL}};
    int code = select_job(session, options, &typed, job);
    if (!code && job->kernel_count)
        code = measure_and_write(options, session, cells, job);
    given_model_close(&typed.given);
    listed_file_close(&typed.file);
    return code;
}

static int measure(const void *given, struct session *session, struct cells *cells)
{
    struct decode_job *job = calloc(1, sizeof *job);
    const struct options *options = given;
    struct tuning_table tuning = {0};
    if (!job)
        return complain(EXIT_USAGE, command_name, "no memory");
    int code = tuning_option_read(command_name,
                                  options->prefills || options->user_count || options->type ? "none" : options->tuning,
                                  session, &tuning);
    job->tuning = tuning.count ? &tuning : NULL;
    session->tunes = tuning_option_tunes(options->tuning);
    if (!code)
        code = measure_job(options, session, cells, job);
    tuning_release(&tuning);
    free(job);
    return code;
}

/** Positions of users in turn that are no users', or of fewer. */
static int refuse_contexts(const struct options *options)
{
    char text[DECODE_LENGTHS_TEXT];
    size_t fewest = options->user_count ? options->users[0] : 0;
    for (size_t i = 0; i < options->user_count; i++)
        fewest = options->users[i] < fewest ? options->users[i] : fewest;
    for (size_t i = 0; i < options->context_count; i++) {
        const struct decode_lengths *context = &options->contexts[i];
        if (context->count > 1 && fewest < context->count)
            return complain(EXIT_USAGE, command_name, "--context=%s is for several users: add --users=%zu or more",
                            decode_lengths_text(context, 0, text, sizeof text), context->count);
    }
    return EXIT_DONE;
}

/** Options that say different things of the same. */
static int refuse_both(const struct options *options)
{
    const bool shared = options->sharing.schedules.count || options->sharing.schedules.slow_speed > 0;
    const char *by_gemms = options->prefills ? "--prefill" : options->user_count ? "--users" : NULL;
    if (options->prefills && options->user_count)
        return complain(EXIT_USAGE, command_name,
                        "--prefill runs prompts and --users decodes one token of each user; choose one");
    if (options->prefills && options->context_count)
        return complain(EXIT_USAGE, command_name, "--prefill runs a prompt into an empty cache: it takes no --context");
    if (options->prefills && options->caches)
        return complain(EXIT_USAGE, command_name, "--prefill runs a prompt into a cache of bf16: it takes no --cache");
    if (by_gemms && shared)
        return complain(EXIT_USAGE, command_name,
                        "%s shares its GEMMs equally: it takes no --schedule and no --slow-member", by_gemms);
    const bool tabled = options->tuning && strcmp(options->tuning, "none") != 0;
    if (options->type && (options->count || options->head || options->layers || tabled || shared))
        return complain(EXIT_USAGE, command_name,
                        "--type says the format of every matrix: it takes no FORMAT, --head, --layers, --tuning=FILE, "
                        "--schedule or --slow-member");
    if (by_gemms && options->tuning)
        return complain(EXIT_USAGE, command_name, "%s runs GEMMs with the kernels' own settings: it takes no --tuning",
                        by_gemms);
    return EXIT_DONE;
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&measuring_argp, 0, NULL, 0},
                                                 {&samples_argp, 0, NULL, 0},
                                                 {&plugins_argp, 0, NULL, 0},
                                                 {&schedule_argp, 0, NULL, 0},
                                                 {&saving_argp, 0, NULL, 0},
                                                 {&table_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[FORMAT|KERNEL...]",
        .doc =
            "Decode one token through all layers of a model and its output head, with weights from memory: norm, "
            "quantization, operands, GEMVs, rotary embedding, attention over a cache of keys and values, gate, residual. "
            "A reduced model is checked against a scalar one first. Tokens a second, the time of each part, and the "
            "share of the GEMVs. FORMAT takes the best kernel of a format. Or the same of several users at once (--users), or of "
            "prompts (--prefill), by GEMMs.",
        .children = children,
    };
    struct options options = {.view.tables = tables};
    int code = parse_options(&argp, argc, argv, &options);
    if (!code)
        code = refuse_both(&options);
    if (!code)
        code = refuse_contexts(&options);
    char why[SESSION_WHY];
    if (!code && schedule_options_settle(&options.sharing, why, sizeof why))
        code = complain(EXIT_USAGE, command_name, "%s", why);
    if (!code)
        code = command_session_run(command_name, &options.measuring.request, measure, &options);
    schedule_options_release(&options.sharing);
    return code;
}

const struct command command_decode = {
    .name = command_name,
    .summary = "one token through a model: tokens a second, and the time of each part",
    .run = run,
    .tables = tables,
};
