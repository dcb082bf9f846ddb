/* SPDX-License-Identifier: BSD-3-Clause */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/model_names.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/watched.h"
#include "harness/cmd/decode/decode_command.h"
#include "harness/cmd/model/beside.h"
#include "harness/cmd/model/model_command.h"
#include "harness/command/command.h"
#include "harness/decode/prefill_pass.h"
#include "harness/record/provenance.h"
#include "platforms/described/described_open.h"
#include "platforms/machine/machine.h"
#include "results/engines/engine_format.h"
#include "results/records/run.h"
#include "results/text/refuse.h"

static const char command_name[] = "model";

enum {
    OPTION_RUN = 0x200,
    OPTION_CACHE,
    OPTION_CONTEXT,
    OPTION_DECODE,
    OPTION_PREFILL,
    OPTION_SAMPLES,
    OPTION_TYPE,
    OPTION_MAKE,
    OPTION_LAYERS,
    OPTION_BESIDE,
    OPTION_TOKENS_PER_SECOND,
    OPTION_PEERS,
    CONTEXT = 512
};

struct options {
    const char *path, *type, *make, *run, *platform, *threads, *beside;
    struct run_request saved; /* its results: where the newest run is looked for, too */
    struct plugins_request plugins;
    struct plugins_found found; /* of these, with --peers */
    unsigned long context, samples, layers;
    double tokens_per_s; /* of an engine; 0: not given */
    enum layer_cache cache;
    bool decode, json, peers, context_given, cache_given;
    size_t prefill[DECODE_JOB_LENGTHS], prefills;
    struct table_view view;
};

static const struct argp_option option_table[] = {
    {"type", OPTION_TYPE, "TYPE", 0,
     "MODEL is one of `kneepoint list shapes`, with the types of tensors that a GGUF file of this kind has, such as q4_k_m",
     0},
    {"make", OPTION_MAKE, "FILE.gguf", 0, "With --type: only write such a file, with drawn weights and no tokenizer",
     0},
    {"layers", OPTION_LAYERS, "N", 0, "With --make: only this many of the model's layers", 0},
    {"run", OPTION_RUN, "RUN", 0,
     "Predict from the platform.json of this run (default: the newest run of this machine below results, or below the "
     "DIR of --results)",
     0},
    {"platform", 'p', "NAME|FILE", 0, "Predict for a known platform or for one described in a platform file (.json)",
     0},
    {"threads", 't', "N|P=N,E=N", 0,
     "Cores that take part, first kind first, or by kind (default: all); with --beside those of results that do not say",
     0},
    {"context", OPTION_CONTEXT, "N", 0,
     "Positions whose keys and values the token reads (default: 512); with --beside those of results that do not say",
     0},
    {"cache", OPTION_CACHE, "KIND", 0,
     "What keys and values of earlier positions are kept in: bf16, q8_0 or q4_0 (default: bf16); with --beside those of results that do not say",
     0},
    {"decode", OPTION_DECODE, NULL, 0,
     "Also measure it: a token through all layers, as with `kneepoint decode`, with the weights of the file", 0},
    {"prefill", OPTION_PREFILL, "N,N,...", 0,
     "Also measure prompts of this many tokens at once, as with `kneepoint decode --prefill`", 0},
    {"beside", OPTION_BESIDE, "RESULTS", 0,
     "Hold results of an engine, as llama-bench, llama-cli, ollama and others print them, against passes measured with their threads and "
     "context, and against memory",
     0},
    {"tokens-per-second", OPTION_TOKENS_PER_SECOND, "N", 0,
     "The same of an engine that gives N tokens a second with --threads, at --context and with --cache", 0},
    {"peers", OPTION_PEERS, NULL, 0,
     "With --beside: take the engine's kernels from a plug-in that is found, instead of one named with --plugin", 0},
    {"samples", OPTION_SAMPLES, "N", 0, "With --decode, --prefill and --beside: samples to take (default: 16)", 0},
    {"json", 'j', NULL, 0, "JSON Lines (types \"model_type\", \"model_part\", \"model\") on standard output", 0},
    {0},
};

static double parse_rate(const char *text, struct argp_state *state)
{
    char *end;
    double rate = strtod(text, &end);
    if (end == text || *end || !(rate > 0) || rate > 1e9)
        argp_error(state, "--tokens-per-second takes a number above 0, not '%s'", text);
    return rate;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->plugins;
        state->child_inputs[1] = &options->saved;
        state->child_inputs[2] = &options->view;
        return 0;
    case OPTION_TYPE: options->type = argument; return 0;
    case OPTION_MAKE: options->make = argument; return 0;
    case OPTION_LAYERS: options->layers = option_number(argument, 1, 10000, "--layers", state); return 0;
    case OPTION_RUN: options->run = argument; return 0;
    case 'p': options->platform = argument; return 0;
    case 't': options->threads = argument; return 0;
    case OPTION_CONTEXT:
        options->context = option_number(argument, 0, 1ul << 30, "--context", state);
        options->context_given = true;
        return 0;
    case OPTION_CACHE:
        if (!layer_cache_named(argument, &options->cache))
            argp_error(state, "--cache takes bf16, q8_0 or q4_0, not '%s'", argument);
        options->cache_given = true;
        return 0;
    case OPTION_BESIDE: options->beside = argument; return 0;
    case OPTION_TOKENS_PER_SECOND: options->tokens_per_s = parse_rate(argument, state); return 0;
    case OPTION_PEERS: options->peers = true; return 0;
    case OPTION_DECODE: options->decode = true; return 0;
    case OPTION_PREFILL:
        lengths_parse("--prefill", argument, PREFILL_TOKENS_MOST, options->prefill, &options->prefills, state);
        return 0;
    case OPTION_SAMPLES: options->samples = option_number(argument, 1, 10000, "--samples", state); return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG:
        if (options->path)
            argp_error(state, "one model at a time; '%s' is a second (for a model in shards, name one of them)",
                       argument);
        options->path = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which model? name a GGUF file, or a model of `kneepoint list shapes` and its --type");
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct table *const tables[] = {&model_type_table, &model_part_table, &beside_table, &beside_parts_table,
                                             NULL};

static const struct argp_child children[] = {
    {&plugins_argp, 0, NULL, 0}, {&saving_argp, 0, NULL, 0}, {&table_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .children = children,
    .args_doc = "FILE.gguf\n--type=TYPE MODEL\n--make=FILE.gguf --type=TYPE MODEL",
    .doc =
        "Shows what a model in a GGUF file needs for a token: the types of its tensors and which kernels take them as "
        "they are, the time of each group of tensors on this machine and what limits it, and the resulting tokens per "
        "second. If the model is in shards, name any one of them. With --type no file is needed, and --make writes one. With "
        "--beside: what an engine attains of that, and where its time goes.\vWithout --decode, --prefill and --beside nothing is "
        "measured: times are predicted from B, gamma, omega and beta of a characterization.",
};

/* ---- the machine ---- */

/** The platform of a run. @return 0 or a negative errno with why */
static int load_run(struct model_view *view, const char *run)
{
    snprintf(view->platform_from, sizeof view->platform_from, "%s/platform.json", run);
    if (access(view->platform_from, F_OK) != 0)
        return refuse(
            -ENOENT, view->why, sizeof view->why,
            "%s has no platform.json, which `kneepoint characterize` writes beside what it measures on a machine that is not emulated",
            run);
    return described_load(view->platform_from, &view->platform, view->why, sizeof view->why);
}

/** The newest run of this machine that describes it. Without one there is a reason, and no error. */
static void load_newest(struct model_view *view, const struct options *options, const char *machine)
{
    const char *results = options->saved.results ? options->saved.results : "results";
    char folder[4096], newest[4096];
    if (run_folder(results, machine, folder, sizeof folder) ||
        run_find_newest_with(folder, "platform.json", newest, sizeof newest)) {
        snprintf(view->why, sizeof view->why,
                 "no characterization of this machine, %s, below %s; run `kneepoint characterize`, or name one with "
                 "--run or --platform",
                 machine, results);
        return;
    }
    view->has_platform =
        load_run(view, newest) == 0 && prediction_possible(&view->platform, view->why, sizeof view->why) == 0;
}

static int load_platform(struct model_view *view, const struct options *options)
{
    struct machine *machine = calloc(1, sizeof *machine);
    char name[128];
    if (!machine)
        return complain(EXIT_USAGE, command_name, "no memory");
    int error = machine_open(machine, view->why, sizeof view->why);
    if (!error) {
        view->features = machine->features;
        snprintf(view->cpu, sizeof view->cpu, "%s", machine_cpu_name(machine));
        snprintf(view->cpu_of_system, sizeof view->cpu_of_system, "%s", machine->host.cpu_model);
        provenance_machine_name(machine, name, sizeof name);
        machine_close(machine);
    }
    free(machine);
    if (!error && options->platform) {
        snprintf(view->platform_from, sizeof view->platform_from, "%s", options->platform);
        error = described_open(options->platform, &view->platform, view->why, sizeof view->why);
    } else if (!error && options->run) {
        error = load_run(view, options->run);
    } else if (!error) {
        load_newest(view, options, name);
        return EXIT_DONE;
    }
    if (!error)
        error = prediction_possible(&view->platform, view->why, sizeof view->why);
    view->has_platform = !error;
    return error ? complain(EXIT_USAGE, command_name, "%s", view->why) : EXIT_DONE;
}

/* ---- the model ---- */

static int predict(struct model_view *view, const struct options *options)
{
    if (view->has_platform &&
        prediction_plan_team(options->threads, &view->platform, &view->team, view->why, sizeof view->why))
        return complain(EXIT_USAGE, command_name, "%s", view->why);
    const double value_bytes = layer_cache_value_bytes(view->cache);
    view->kv_bytes = model_kv_bytes(&view->facts, view->positions, value_bytes, value_bytes);
    if (census_take(&view->file, &view->facts, &view->census) ||
        token_predict(&view->census, view->kv_bytes, view->has_platform ? &view->platform : NULL, &view->team,
                      &view->token))
        return complain(EXIT_USAGE, command_name, "no memory");
    return EXIT_DONE;
}

/** A model, and how it is shown. */
struct shown {
    struct model_view *view;
    const struct options *options;
};

static int show(const void *context)
{
    const struct shown *shown = context;
    int code = predict(shown->view, shown->options);
    if (code == EXIT_DONE && shown->options->json)
        code = model_print_json(shown->view);
    else if (code == EXIT_DONE)
        code = model_print(shown->view, &shown->options->view);
    return code;
}

/** --threads is of the described machine, by kind if need be; a pass has this many of this one. */
static int threads_to_run(const struct options *options, unsigned *threads)
{
    char *end = NULL;
    *threads = 0;
    if (!options->threads)
        return EXIT_DONE;
    errno = 0;
    unsigned long number = strtoul(options->threads, &end, 10);
    if (errno || *end || end == options->threads || number < 1 || number > 4096)
        return complain(EXIT_USAGE, command_name, "%s takes --threads=N, not '%s'",
                        options->decode     ? "--decode"
                        : options->prefills ? "--prefill"
                        : options->beside   ? "--beside"
                                            : "--tokens-per-second",
                        options->threads);
    *threads = (unsigned)number;
    return EXIT_DONE;
}

/** What is predicted, then what is measured; what cannot be measured is said before either. */
static int show_and_decode(struct model_view *view, const struct options *options)
{
    const struct shown shown = {view, options};
    struct model_decode decode = {.predict = show,
                                  .context = &shown,
                                  .decodes = options->decode,
                                  .prefills = options->prefills,
                                  .json = options->json,
                                  .run = &options->saved,
                                  .samples = (unsigned)options->samples};
    bool measures = decode.decodes || decode.prefills;
    memcpy(decode.prefill, options->prefill, sizeof decode.prefill);
    int code = measures ? threads_to_run(options, &decode.threads) : EXIT_DONE;
    if (code == EXIT_DONE && measures)
        code = model_decode_open(view, &decode);
    if (code == EXIT_DONE)
        code = measures ? model_decode_run(&decode) : show(&shown);
    model_decode_close(&decode);
    return code;
}

/* ---- an engine ---- */

/** A token attends to what --context says, itself among it. */
static void set_context(struct engine_result *result, const struct options *options)
{
    result->depth = options->context ? options->context - 1 : 0;
}

/** Keys and values of a result are kept in what --cache says. */
static void set_cache(struct engine_result *result, const struct options *options)
{
    for (const struct engine_parameter *at = engine_parameters; options->cache_given && at->option; at++) {
        if (strcmp(at->option, "-ctk") == 0 || strcmp(at->option, "-ctv") == 0)
            engine_result_set(result, at, layer_cache_name(options->cache));
    }
}

/** What results do not say, the options do; neither says what the other does. */
static int complete_results(const struct options *options, struct engine_results *results)
{
    unsigned threads;
    bool lacks_threads = false, lacks_context = false, lacks_cache = false;
    for (size_t i = 0; i < results->count; i++) {
        lacks_threads = lacks_threads || !results->result[i].threads;
        lacks_context = lacks_context || results->result[i].no_context;
        lacks_cache = lacks_cache || !results->result[i].type_k[0];
    }
    if (lacks_threads && !options->threads)
        return complain(EXIT_USAGE, command_name, "--beside: %s does not say how many threads there were: --threads=N",
                        options->beside);
    if (lacks_context && !options->context_given)
        return complain(EXIT_USAGE, command_name,
                        "--beside: %s does not say how many positions a token attends to: --context=N",
                        options->beside);
    const char *said = options->threads && !lacks_threads         ? "--threads"
                       : options->context_given && !lacks_context ? "--context"
                       : options->cache_given && !lacks_cache     ? "--cache"
                                                                  : NULL;
    if (said)
        return complain(EXIT_USAGE, command_name, "--beside: %s says it itself: leave %s out", options->beside, said);
    int code = threads_to_run(options, &threads);
    for (size_t i = 0; code == EXIT_DONE && i < results->count; i++) {
        struct engine_result *result = &results->result[i];
        result->threads = result->threads ? result->threads : threads;
        if (result->no_context)
            set_context(result, options);
        if (!result->type_k[0])
            set_cache(result, options);
    }
    return code;
}

/** One result, as the user says it. */
static int result_by_hand(const struct options *options, struct engine_results *results)
{
    struct engine_result *result = engine_results_add(results);
    unsigned threads = 0;
    int code = result ? threads_to_run(options, &threads) : complain(EXIT_USAGE, command_name, "no memory");
    if (code != EXIT_DONE)
        return code;
    snprintf(result->test, sizeof result->test, "by hand");
    result->generated = 1;
    set_context(result, options);
    set_cache(result, options);
    result->threads = threads; /* 0: every core */
    result->tokens_per_s = options->tokens_per_s;
    return EXIT_DONE;
}

static int show_beside(struct model_view *view, struct options *options)
{
    char why[SESSION_WHY];
    struct beside beside = {.view = view,
                            .path = options->beside,
                            .samples = (unsigned)options->samples,
                            .json = options->json,
                            .run = &options->saved,
                            .table = &options->view};
    int code = options->peers ? peers_find(command_name, &options->plugins, &options->found) : EXIT_DONE;
    beside.plugins = options->plugins;
    if (code == EXIT_DONE && beside.path && engine_results_read(beside.path, &beside.results, why, sizeof why))
        code = complain(EXIT_USAGE, command_name, "--beside: %s", why);
    if (code == EXIT_DONE)
        code = beside.path ? complete_results(options, &beside.results) : result_by_hand(options, &beside.results);
    if (code == EXIT_DONE)
        code = predict(view, options);
    if (code == EXIT_DONE)
        code = beside_match(&beside);
    if (code == EXIT_DONE)
        code = beside_run(&beside);
    free(beside.rows);
    engine_results_release(&beside.results);
    plugins_found_release(&options->found);
    return code;
}

/** What --make contradicts. */
static int settle_make(const struct options *options)
{
    const bool others = options->decode || options->prefills || options->json || options->run || options->platform ||
                        options->threads || options->context_given || options->cache_given || options->saved.results ||
                        options->saved.into || options->plugins.count || options->peers || options->beside ||
                        options->tokens_per_s > 0;
    if (options->make && !options->type)
        return complain(EXIT_USAGE, command_name, "--make needs the types of the file, as in --type=q4_k_m");
    if (options->make && others)
        return complain(EXIT_USAGE, command_name,
                        "--make only writes the file: give all other options to `kneepoint model %s`", options->make);
    if (options->layers && !options->make)
        return complain(EXIT_USAGE, command_name, "--layers needs --make");
    return EXIT_DONE;
}

/** What contradicts itself. */
static int settle(const struct options *options)
{
    const bool beside = options->beside || options->tokens_per_s > 0, measures = options->decode || options->prefills;
    if (settle_make(options) != EXIT_DONE)
        return EXIT_USAGE;
    if (options->beside && options->tokens_per_s > 0)
        return complain(EXIT_USAGE, command_name,
                        "--beside and --tokens-per-second both say what an engine attains; choose one");
    if (beside && measures)
        return complain(EXIT_USAGE, command_name,
                        "--beside measures the passes that the results need: it takes no --decode and no --prefill");
    if ((options->peers || options->plugins.count) && !beside)
        return complain(EXIT_USAGE, command_name, "%s needs --beside: it has an engine's kernels",
                        options->peers ? "--peers" : "--plugin");
    if (options->samples && !measures && !beside)
        return complain(EXIT_USAGE, command_name, "--samples needs --decode or --prefill, which measure");
    if (options->saved.into && !measures && !beside)
        return complain(EXIT_USAGE, command_name, "--into needs --decode or --prefill, which measure");
    if (options->run && options->platform)
        return complain(EXIT_USAGE, command_name,
                        "--run names the machine of a run, --platform a described one; choose one");
    return EXIT_DONE;
}

static int open_file(struct model_view *view)
{
    char why[1024], unused[256];
    struct model model;
    if (model_file_open(view->path, &view->file, why, sizeof why)) {
        bool listed = model_find(view->path, &model, unused, sizeof unused) != -ENOENT;
        return complain(EXIT_USAGE, command_name, "%s%s", why,
                        listed ? "; a model of that name needs no file: say which types it has, as with --type=q4_k_m"
                               : "");
    }
    model_facts_read(&view->file.shards[0].gguf, &view->facts);
    return EXIT_DONE;
}

/** A model of `kneepoint list shapes`, or its first layers. */
static int open_listed(struct model_view *view, unsigned long layers)
{
    char why[256];
    struct model model;
    const struct file_mix *mix;
    int code = model_names_type(command_name, view->type, &mix);
    if (code == EXIT_DONE)
        code = model_names_find(command_name, view->path, &model);
    if (code != EXIT_DONE)
        return code;
    if (layers > model.layers)
        return complain(EXIT_USAGE, command_name, "--layers=%lu: %s has %zu", layers, model.name, model.layers);
    model.layers = layers ? layers : model.layers;
    if (listed_file_open(&model, mix, &view->listed, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "--type=%s: %s", mix->name, why);
    view->file = view->listed.file;
    view->facts = view->listed.facts;
    return EXIT_DONE;
}

static int show_with(struct model_view *view, struct options *options)
{
    int code = load_platform(view, options);
    if (code != EXIT_DONE)
        return code;
    return options->beside || options->tokens_per_s > 0 ? show_beside(view, options) : show_and_decode(view, options);
}

static int run_model(int argc, char **argv)
{
    struct options options = {.context = CONTEXT, .view.tables = tables};
    int code = parse_options(&argp, argc, argv, &options);
    if (code != 0)
        return code;
    code = settle(&options);
    if (code != EXIT_DONE)
        return code;
    struct model_view *view = calloc(1, sizeof *view);
    if (!view)
        return complain(EXIT_USAGE, command_name, "no memory");
    view->path = options.path;
    view->positions = options.context;
    view->cache = options.cache;
    view->type = options.type;
    code = view->type ? open_listed(view, options.layers) : open_file(view);
    if (code == EXIT_DONE)
        code = options.make ? model_make(&view->listed, options.make) : show_with(view, &options);
    token_free(&view->token);
    census_free(&view->census);
    described_free(&view->platform);
    if (view->type)
        listed_file_close(&view->listed);
    else
        model_file_close(&view->file);
    free(view);
    return code;
}

const struct command command_model = {
    .name = command_name,
    .summary = "a model in a GGUF file: its tensors, what limits each here, tokens per second",
    .run = run_model,
    .tables = tables,
};
