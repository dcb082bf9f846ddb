/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether results are of the model and the machine.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/model/beside.h"
#include "harness/command/exit_code.h"
#include "results/text/refuse.h"

static const char command_name[] = "model";

/**
 * Whether two numbers are the same but for a share; what is not known is no other.
 * @param twice  of the embeddings where they are the head as well: engines that load them as two tensors count both
 */
static bool is_same(double said, double own, double twice, double within)
{
    return isnan(said) || !(own > 0) || fabs(said - own) <= within * own || fabs(said - own - twice) <= within * own;
}

/** Bytes and weights of the embeddings that are the head, too. */
static void find_tied(const struct census *census, double *bytes, double *weights)
{
    *bytes = *weights = 0;
    for (size_t i = 0; census->tied && i < census->group_count; i++) {
        const struct census_group *group = &census->groups[i];
        if (group->use == CENSUS_HEAD) {
            *bytes = group->token_bytes;
            *weights = (double)group->m * (double)group->k;
        }
    }
}

/** "llama 1B Q4_0" of the architecture llama. */
static bool is_of_architecture(const char *model_type, struct gguf_text architecture)
{
    size_t length = strcspn(model_type, " ");
    return !length || !architecture.length ||
           (length == architecture.length && memcmp(model_type, architecture.at, length) == 0);
}

/** Names of a CPU may differ in blanks. */
static bool is_same_cpu(const char *one, const char *other)
{
    for (;;) {
        one += strspn(one, " ");
        other += strspn(other, " ");
        if (*one != *other)
            return false;
        if (!*one)
            return true;
        one++, other++;
    }
}

/** @return 0, or -1 with the reason in why */
static int compare(const struct model_view *view, const struct engine_result *result, char *why, size_t size)
{
    char architecture[128];
    double tied_bytes, tied_weights;
    find_tied(&view->census, &tied_bytes, &tied_weights);
    if (!is_same(result->model_bytes, view->census.bytes, tied_bytes, result->model_within))
        return refuse(-1, why, size,
                      "it is of another model: model_size is %.0f bytes, and the file's tensors have %.0f",
                      result->model_bytes, view->census.bytes);
    if (!is_same(result->model_weights, view->census.weights, tied_weights, result->model_within))
        return refuse(-1, why, size, "it is of another model: model_n_params is %.0f, and the file has %.0f weights",
                      result->model_weights, view->census.weights);
    if (!is_of_architecture(result->model_type, view->facts.architecture))
        return refuse(-1, why, size, "it is of another model: model_type is '%s', and the file's architecture %s",
                      result->model_type, model_text(view->facts.architecture, architecture, sizeof architecture));
    if (result->cpu[0] && !is_same_cpu(result->cpu, view->cpu) && !is_same_cpu(result->cpu, view->cpu_of_system))
        return refuse(-1, why, size, "it is of another machine: cpu_info is '%s', and this is '%s'; run both on one",
                      result->cpu, view->cpu);
    if (result->gpu[0])
        return refuse(-1, why, size,
                      "it has %ld layers on a GPU (%s), and this is what the CPU attains; run llama-bench with -ngl 0, "
                      "built without it",
                      result->gpu_layers, result->gpu);
    return 0;
}

static enum layer_cache cache_like(const struct engine_result *result)
{
    enum layer_cache keys, values;
    const bool known = layer_cache_named(result->type_k, &keys) && layer_cache_named(result->type_v, &values);
    return known && keys == values && engine_result_is_token(result) ? keys : LAYER_CACHE_BF16;
}

static void fill(const struct engine_result *result, struct beside_row *row)
{
    *row = (struct beside_row){.of = result,
                               .context = engine_result_context(result),
                               .cache = cache_like(result),
                               .threads = result->threads,
                               .prompt = engine_result_is_prompt(result)};
    beside_name(row);
}

void beside_name(struct beside_row *row)
{
    const struct engine_result *of = row->of;
    snprintf(row->name, sizeof row->name, "%s/t%u%s%s", of->test, row->threads, of->options[0] ? " " : "", of->options);
}

int beside_match(struct beside *beside)
{
    char why[640], first[768] = "";
    beside->rows = calloc(beside->results.count + 1, sizeof *beside->rows);
    if (!beside->rows)
        return complain(EXIT_USAGE, command_name, "no memory");
    for (size_t i = 0; i < beside->results.count; i++) {
        const struct engine_result *result = &beside->results.result[i];
        if (compare(beside->view, result, why, sizeof why) == 0)
            fill(result, &beside->rows[beside->count++]);
        else if (!first[0])
            snprintf(first, sizeof first, "%s: %s", result->test, why);
    }
    size_t left_out = beside->results.count - beside->count;
    if (!beside->count)
        return complain(EXIT_INCOMPARABLE, command_name, "%s: nothing in it is of %s on this machine: %s", beside->path,
                        beside->view->path, first);
    if (left_out)
        complain(0, command_name, "%s: left out %zu of %zu results: %s", beside->path, left_out, beside->results.count,
                 first);
    return EXIT_DONE;
}
