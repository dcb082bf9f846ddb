/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/layers/model.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "embedded.h"

static int parse_layers(const char *line, struct model *model, char *why, size_t size)
{
    static const char rotary[] = ", rotary base ";
    char activation[16];
    int read = 0;
    if (sscanf(line, "%15[a-z0-9]%n", activation, &read) == 1) {
        for (int a = 0; a < LAYER_ACTIVATIONS; a++) {
            if (strcmp(activation, layer_activation_name((enum layer_activation)a)) != 0)
                continue;
            model->activation = (enum layer_activation)a;
            line += read;
            if (strncmp(line, rotary, sizeof rotary - 1) != 0 ||
                sscanf(line + sizeof rotary - 1, "%lf%n", &model->rope_base, &read) != 1)
                break;
            line += sizeof rotary - 1 + (size_t)read;
            model->rope_values = model->head_size;
            read = 0; /* stays so where "values" is missing */
            int said = sscanf(line, " of %zu values%n", &model->rope_values, &read);
            if (said == 1 && !read)
                break;
            line += read;
            model->sub_norms = strncmp(line, ", sub-norms", strlen(", sub-norms")) == 0;
            return 0;
        }
    }
    snprintf(why, size, "its layers are not of the kind that decode computes (%.*s)", (int)strcspn(line, "\n"), line);
    return -ENOTSUP;
}

/** "llama tied": a file of shapes may be without the line. */
static void parse_file(const char *text, struct model *model)
{
    static const char file[] = "\n# File: ";
    const char *line = strstr(text, file);
    int length = 0;
    char words[64];
    if (!line || sscanf(line + sizeof file - 1, "%63[^\n]", words) != 1)
        return;
    sscanf(words, "%15s%n", model->architecture, &length);
    model->tied = strstr(words + length, " tied") != NULL;
    model->biases = strstr(words + length, " biases") != NULL;
}

/** Counts and sizes that a matrix has, 1..2^31 - 1: what they come to does not wrap. */
static bool has_sizes(const struct model *model)
{
    const size_t sizes[] = {model->layers,   model->hidden,    model->ffn,       model->heads,
                            model->kv_heads, model->head_size, model->vocabulary};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i] < 1 || sizes[i] > INT32_MAX)
            return false;
    }
    return true;
}

int model_parse(const char *text, struct model *model, char *why, size_t size)
{
    static const char layers[] = "\n# Layers: ";
    struct model parsed = {0};
    const char *at = strstr(text, ": "), *line = strstr(text, layers);
    if (sscanf(text, "# GEMV shapes (M x K) of %31[^ ,]", parsed.name) != 1 || !at ||
        sscanf(at, ": %zu layers, hidden %zu, ffn %zu, %zu heads, %zu key-value heads of %zu, vocabulary %zu",
               &parsed.layers, &parsed.hidden, &parsed.ffn, &parsed.heads, &parsed.kv_heads, &parsed.head_size,
               &parsed.vocabulary) != 7 ||
        !has_sizes(&parsed)) {
        snprintf(why, size, "its first line states no configuration");
        return -EINVAL;
    }
    if (!line) {
        snprintf(why, size, "there is no line '# Layers:' on what lies between its matrices");
        return -ENOTSUP;
    }
    int error = parse_layers(line + sizeof layers - 1, &parsed, why, size);
    parse_file(text, &parsed);
    if (!error)
        *model = parsed;
    return error;
}

int model_find(const char *name, struct model *model, char *why, size_t size)
{
    char path[128], reason[256];
    snprintf(path, sizeof path, "micro/shapes/%s.tsv", name);
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strcasecmp(file->path, path) != 0)
            continue;
        int error = model_parse(file->bytes, model, reason, sizeof reason);
        if (error)
            snprintf(why, size, "%s: %s", name, reason);
        return error;
    }
    snprintf(why, size, "no model '%s'; `kneepoint list shapes` shows them", name);
    return -ENOENT;
}

size_t model_head_padded(const struct model *model)
{
    return (model->head_size + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD;
}
