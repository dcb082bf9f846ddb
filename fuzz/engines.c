/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What benchmarks of engines write, as results.
 *
 * json: one value, or one a line
 */
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "results/engines/engine_results.h"

/** It can be printed and saved. */
static void hold_text(const char *text, size_t size)
{
    hold(memchr(text, 0, size));
    json_t *saved = json_string(text);
    hold(saved);
    json_decref(saved);
    for (; *text; text++)
        hold(!iscntrl((unsigned char)*text));
}

static void hold_result(const struct engine_result *result)
{
    hold_text(result->test, sizeof result->test);
    hold_text(result->engine, sizeof result->engine);
    hold_text(result->options, sizeof result->options);
    hold_text(result->settings, sizeof result->settings);
    hold_text(result->cpu, sizeof result->cpu);
    hold_text(result->model_type, sizeof result->model_type);
    hold_text(result->commit, sizeof result->commit);
    hold_text(result->gpu, sizeof result->gpu);
    hold(result->test[0] && (result->prompt || result->generated));
    hold(result->tokens_per_s > 0 && isfinite(result->tokens_per_s));
    hold(isnan(result->least) == isnan(result->most));
    hold(!(result->least < 0) && !(result->least > result->tokens_per_s) && !(result->most < result->tokens_per_s));
    hold(!(result->model_bytes <= 0) && !(result->model_weights <= 0));
    hold(engine_result_context(result) >= result->depth && engine_result_context(result) < SIZE_MAX / 4096);
    hold(!engine_result_is_prompt(result) || !engine_result_is_token(result));
}

FUZZ_TARGET(bytes, length)
{
    struct engine_results results;
    char why[512] = "";
    if (engine_results_read(fuzz_file(bytes, length), &results, why, sizeof why)) {
        hold_refusal(why);
        hold(!results.result && !results.count);
        return;
    }
    hold(results.count);
    for (size_t i = 0; i < results.count; i++)
        hold_result(&results.result[i]);
    engine_results_release(&results);
}
