/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `ollama run --verbose` and KTransformers' local chat say after an answer:
 *
 *     prompt eval count:    21 token(s)
 *     prompt eval duration: 1.346030951s
 *     prompt eval rate:     15.60 tokens/s
 *     eval count:           160 token(s)
 *     eval duration:        16.774703785s
 *     eval rate:            9.54 tokens/s
 *
 * A prompt, and tokens after it, each measured once. Neither says how many threads there were.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/engines/engine_format.h"

struct answer {
    size_t prompt, generated; /* tokens */
    struct engine_results *results;
};

/** What follows a name and a colon at the beginning of a line. NULL: it does not begin so. */
static const char *value_of(const char *line, const char *name)
{
    size_t length = strlen(name);
    return strncmp(line, name, length) == 0 && line[length] == ':' ? line + length + 1 : NULL;
}

/** @return 0 or -ENOMEM */
static int take_rate(const struct answer *answer, const char *text, bool prompt)
{
    struct engine_result *result = engine_results_add(answer->results);
    if (!result)
        return -ENOMEM;
    *(prompt ? &result->prompt : &result->generated) = prompt ? answer->prompt : answer->generated;
    result->depth = prompt ? 0 : answer->prompt;
    result->tokens_per_s = strtod(text, NULL);
    result->repetitions = 1;
    engine_result_name(result);
    if (!engine_result_is_whole(result))
        answer->results->count--;
    return 0;
}

static int take_line(void *context, char *line)
{
    struct answer *answer = context;
    const char *prompts = value_of(line, "prompt eval count"), *tokens = value_of(line, "eval count"),
               *prompt = value_of(line, "prompt eval rate"), *token = value_of(line, "eval rate");
    if (prompts)
        answer->prompt = strtoul(prompts, NULL, 10);
    if (tokens)
        answer->generated = strtoul(tokens, NULL, 10);
    return prompt || token ? take_rate(answer, prompt ? prompt : token, prompt != NULL) : 0;
}

static int read_answers(FILE *file, const json_t *document, struct engine_results *results, char *why, size_t size)
{
    struct answer answer = {.results = results};
    return document ? 0 : engine_lines(file, take_line, &answer, why, size);
}

const struct engine_format engine_format_eval_rate = {"ollama --verbose", read_answers};
