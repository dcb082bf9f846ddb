/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options that gemv and gemm have in common.
 */
#include <string.h>

#include "harness/cells/product/product_cells.h"
#include "harness/cmd/console/options/name_options.h"
#include "harness/cmd/console/options/tuning_option.h"
#include "harness/cmd/console/watched.h"
#include "harness/cmd/product/product_command.h"
#include "micro/shape.h"

enum {
    OPTION_WARM = 0x200,
    OPTION_COLD,
    OPTION_PREFETCH,
    OPTION_TUNING,
    OPTION_BEST,
    OPTION_PEERS,
    OPTION_FROM,
};

static const struct argp_option option_table[] = {
    {"shape", 's', "MxK", 0, "Weights of M rows and K columns; may be repeated (default: 4096x4096)", 0},
    {"model", 'm', "NAME", 0, "Every weight shape of a model, or of all of them: --model=all", 0},
    {"cold", OPTION_COLD, NULL, 0, "Cold: another copy of the weights from memory each time; warm only with --warm", 0},
    {"warm", OPTION_WARM, NULL, 0,
     "Warm: the same weights again and again; cold only with --cold (default: gemv both, gemm cold)", 0},
    {"prefetch", OPTION_PREFETCH, "BYTES", 0,
     "Distance of the kernels' software prefetch (default: each kernel's own; 0: none)", 0},
    {"tuning", OPTION_TUNING, "FILE", 0, TUNING_OPTION_HELP, 0},
    {"best", OPTION_BEST, NULL, 0,
     "Of the kernels named, only the one with the best instruction set here for each format and origin", 0},
    {"peers", OPTION_PEERS, NULL, 0,
     "Compare with every plug-in that is found: for each width in bits, our best kernel and the best of each plug-in, "
     "and how many times as fast ours is as the best of theirs (KNEEPOINT_PLUGINS: folders to look in; default: what "
     "`make plugins` built, or what is installed)",
     0},
    {"from", OPTION_FROM, "RUN", 0, "Print what the saved RUN has of what is asked for, and measure nothing", 0},
    {0},
};

/** A name that is a file stands for --plugin FILE and its kernels. */
static void add_named_plugins(const struct product_options *options, struct plugins_request *request,
                              struct argp_state *state)
{
    for (int i = 0; i < options->count; i++) {
        bool given = !plugin_is_named(options->names[i]);
        for (unsigned j = 0; j < request->count; j++)
            given = given || strcmp(request->paths[j], options->names[i]) == 0;
        if (given)
            continue;
        if (request->count == PLUGINS_MOST)
            argp_error(state, "at most %d plug-ins", PLUGINS_MOST);
        request->paths[request->count++] = options->names[i];
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct product_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = &options->measuring;
        state->child_inputs[2] = &options->measuring.request.plugins;
        state->child_inputs[3] = &options->filter;
        state->child_inputs[4] = &options->run;
        state->child_inputs[5] = &options->view;
        return 0;
    case 's': {
        size_t m, k;
        if (shape_parse(argument, &m, &k))
            argp_error(state, "--shape takes MxK such as 4096x4096, not '%s'", argument);
        if (options->shape_count == PRODUCT_SHAPES_GIVEN_MAX)
            argp_error(state, "at most %d shapes", PRODUCT_SHAPES_GIVEN_MAX);
        options->shapes[options->shape_count++] = argument;
        return 0;
    }
    case 'm': options->model = argument; return 0;
    case OPTION_PREFETCH:
        options->prefetch_bytes = option_number(argument, 0, 1 << 20, "--prefetch", state);
        options->prefetch_given = true;
        return 0;
    case OPTION_TUNING: options->tuning = argument; return 0;
    case OPTION_COLD: options->cold = true; return 0;
    case OPTION_WARM: options->warm = true; return 0;
    case OPTION_BEST: options->best = true; return 0;
    case OPTION_PEERS: options->peers = true; return 0;
    case OPTION_FROM: options->from = argument; return 0;
    case ARGP_KEY_ARGS:
        options->names = state->argv + state->next;
        options->count = state->argc - state->next;
        add_named_plugins(options, &options->measuring.request.plugins, state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

void product_parse_tokens(const char *text, struct product_options *options, struct argp_state *state)
{
    char copy[512], *at = copy, *save = NULL;
    if (strlen(text) >= sizeof copy)
        argp_error(state, "--tokens takes at most %d numbers", PRODUCT_JOB_TOKENS);
    strcpy(copy, text);
    if (!*text || text[strlen(text) - 1] == ',' || strstr(text, ",,") || *text == ',')
        argp_error(state, "--tokens takes numbers separated by commas, such as 1,16,64, not '%s'", text);
    options->token_count = 0;
    for (char *one; (one = strtok_r(at, ",", &save)); at = NULL) {
        size_t tokens = option_number(one, 1, GEMM_TOKENS_MOST, "--tokens", state);
        bool given = false;
        for (size_t i = 0; i < options->token_count; i++)
            given |= options->tokens[i] == tokens;
        if (!given && options->token_count == PRODUCT_JOB_TOKENS)
            argp_error(state, "--tokens takes at most %d numbers", PRODUCT_JOB_TOKENS);
        if (!given)
            options->tokens[options->token_count++] = tokens;
    }
}

static const struct argp_child children[] = {{&measuring_argp, 0, NULL, 0},
                                             {&samples_argp, 0, NULL, 0},
                                             {&plugins_argp, 0, NULL, 0},
                                             {&names_argp, 0, NULL, 0},
                                             {&saving_argp, 0, NULL, 0},
                                             {&table_argp, 0, NULL, 0},
                                             {0}};

const struct argp product_argp = {.options = option_table, .parser = parse, .children = children};

error_t product_parse_own(int key, char *argument, struct argp_state *state)
{
    struct product_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        state->child_inputs[1] = &options->sharing;
        return 0;
    case PRODUCT_OPTION_READS: options->reads = true; return 0;
    case PRODUCT_OPTION_DEVICE: options->device = argument; return 0;
    case PRODUCT_OPTION_TOKENS: product_parse_tokens(argument, options, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp_child product_children[] = {{&product_argp, 0, NULL, 0}, {&schedule_argp, 0, NULL, 0}, {0}};
