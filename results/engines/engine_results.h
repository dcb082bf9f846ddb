/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/**
 * What an inference engine attains with a model, as its own benchmark says, in one of the formats of results/engines/engine_format.h.
 *
 * Errors: 0 or negative errno with one line in why.
 */
struct engine_result {
    char test[64];   /* "tg32", "pp512 @ d4096" */
    char engine[32]; /* "ik_llama", "ggml": the plug-in of its kernels is called so; "": not known */
    char options
        [96]; /* "-rtr 1 -ctk q8_0": of the parameters those that change what is measured, as llama-bench takes them */
    char settings[384]; /* "repack=true type_k=q8_0 …": all that are not the tool's defaults */
    char cpu[128], model_type[128], commit[64], gpu[64]; /* "": not said; gpu: what computes in place of the CPU */
    char type_k[16], type_v[16];                         /* of keys and values in the cache: "q8_0"; "": not said */
    double model_bytes, model_weights;                   /* NaN: not said */
    double model_within;             /* share by which these two may be off, since a table has few digits */
    size_t prompt, generated, depth; /* tokens; positions that were there before */
    unsigned threads;                /* 0: not said */
    long gpu_layers;                 /* that gpu computes */
    bool no_context; /* neither generated nor depth is what it was: how many positions a token attends to is not said */
    bool repacked;   /* weights were brought into interleaved rows as they were loaded */
    double tokens_per_s; /* median of the repetitions, or the mean where only that is said */
    double least, most;  /* of the repetitions, or a standard deviation to either side; NaN: not known */
    size_t repetitions;  /* 0: not said */
};

struct engine_results {
    struct engine_result *result;
    size_t count;
};

/** @return -EINVAL it is no such file, is cut off or has no results; -ENOMEM; or the error of the file system */
int engine_results_read(const char *path, struct engine_results *results, char *why, size_t size);
void engine_results_release(struct engine_results *results);

/**
 * Positions that a token of the result attends to, itself among them, on average: tokens before + (generated + 1) / 2, rounded down; of a
 * prompt those that its last token attends to.
 */
size_t engine_result_context(const struct engine_result *result);

/** Whether it is of a prompt alone, or of tokens alone. */
bool engine_result_is_prompt(const struct engine_result *result);
bool engine_result_is_token(const struct engine_result *result);
