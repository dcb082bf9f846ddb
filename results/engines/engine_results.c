/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/engines/engine_results.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "registry.h"
#include "results/blocks/foreign.h"
#include "results/engines/engine_format.h"
#include "results/files/input.h"
#include "results/text/refuse.h"
#include "results/text/text_escape.h"
#include "results/text/words.h"

#define DECLARE(name) extern const struct engine_format name;
REGISTRY_ENGINE_FORMATS(DECLARE)

#define ENTRY(name) &name,
static const struct engine_format *const formats[] = {REGISTRY_ENGINE_FORMATS(ENTRY) NULL};

void engine_results_release(struct engine_results *results)
{
    free(results->result);
    *results = (struct engine_results){NULL, 0};
}

bool engine_result_is_prompt(const struct engine_result *result)
{
    return result->prompt && !result->generated;
}

bool engine_result_is_token(const struct engine_result *result)
{
    return result->generated && !result->prompt;
}

size_t engine_result_context(const struct engine_result *result)
{
    return result->depth + (engine_result_is_prompt(result) ? result->prompt : (result->generated + 1) / 2);
}

/** Texts that can be printed and saved, whatever the file has. */
static void settle(struct engine_result *result)
{
    const struct {
        char *text;
        size_t size;
    } texts[] = {{result->test, sizeof result->test},
                 {result->options, sizeof result->options},
                 {result->settings, sizeof result->settings},
                 {result->cpu, sizeof result->cpu},
                 {result->model_type, sizeof result->model_type},
                 {result->commit, sizeof result->commit},
                 {result->gpu, sizeof result->gpu},
                 {result->type_k, sizeof result->type_k},
                 {result->type_v, sizeof result->type_v}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char escaped[sizeof result->settings];
        text_utf8(text_escape(texts[i].text, escaped, texts[i].size));
        memcpy(texts[i].text, escaped, texts[i].size);
    }
    result->model_bytes = result->model_bytes > 0 ? result->model_bytes : NAN;
    result->model_weights = result->model_weights > 0 ? result->model_weights : NAN;
}

/** The first format that finds results. */
static int read_with(FILE *file, const json_t *document, struct engine_results *results, char *why, size_t size)
{
    int error = 0;
    for (size_t i = 0; !error && !results->count && formats[i]; i++)
        error = formats[i]->read(file, document, results, why, size);
    for (size_t i = 0; !error && i < results->count; i++)
        settle(&results->result[i]);
    return error;
}

/** "llama-bench, llama-bench -o json, …". */
static const char *list_formats(char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; formats[i]; i++)
        words_add(text, size, "%s", formats[i]->writes);
    return text;
}

int engine_results_read(const char *path, struct engine_results *results, char *why, size_t size)
{
    char reason[512] = "", all[256];
    json_t *document = NULL;
    *results = (struct engine_results){NULL, 0};
    FILE *file;
    int error = input_open_whole(path, &file);
    if (error)
        return refuse(error, why, size, "cannot read %s: %s", path, input_error(error));
    error = foreign_document(file, &document);
    if (error)
        refuse(error, reason, sizeof reason, "cannot be read: %s", input_error(error));
    else
        error = read_with(file, document, results, reason, sizeof reason);
    json_decref(document);
    fclose(file);
    if (!error && !results->count)
        error = refuse(-EINVAL, reason, sizeof reason,
                       "it is empty, cut off, or output of none of %s; make it with llama-bench -o json, to its end",
                       list_formats(all, sizeof all));
    if (error)
        engine_results_release(results);
    return error ? refuse(error, why, size, "%s: %s", path, reason) : 0;
}
