/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cmd/model/model_command.h"
#include "harness/measure/session.h"
#include "harness/plan/given_job.h"
#include "results/engines/engine_results.h"
#include "results/engines/engine_token.h"

/** `kneepoint model --beside`: what an engine attains beside what our pass and memory alone do, and where its time goes. */

/** A result, and what was found beside it. */
struct beside_row {
    const struct engine_result *of;
    char name[192]; /* "tg32/t2 -rtr 1" */
    size_t context;
    enum layer_cache cache; /* of our pass: the engine's, where ours has both its kinds; else bf16 */
    unsigned threads;
    bool prompt;
    const struct decode_given *pass, *kernels; /* of the cells; NULL: there are none, and why */
    char pass_why[SESSION_WHY], kernels_why[SESSION_WHY];
    bool random; /* the weights that its kernels multiplied are not the file's */
};

struct beside {
    const struct model_view *view;
    const char *path; /* of the results; NULL: given by hand */
    struct engine_results results;
    struct beside_row *rows; /* of the results that are of this model and machine */
    size_t count;
    const struct plugin *plugin; /* that has the engine's kernels; NULL */
    struct plugins_request plugins;
    unsigned samples; /* 0: as many as `kneepoint decode` takes */
    bool json;
    const struct run_request *run; /* where it is saved */
    const struct table_view *table;
};

/** Leave out what is not of this model or machine, and make rows of the rest. @return EXIT_INCOMPARABLE, after complaining, if that is everything */
int beside_match(struct beside *beside);

/** A row's name, by its result and threads. */
void beside_name(struct beside_row *row);

/** Measure and print. @return exit code */
int beside_run(struct beside *beside);

/**
 * The record of a row, "engine"; records of the passes or NULL.
 * @param token  our pass of a token with as many threads, beside which the roof was read; of a token its own
 * @return NULL without memory
 */
json_t *beside_record(const struct beside *beside, const struct beside_row *row, const json_t *pass,
                      const json_t *token, const json_t *kernels);

/** Print records as text: the sentence, both tables, what would save most, and why something is missing. @return exit code */
int beside_print(const json_t *records, const struct table_view *view);

extern const struct table beside_table, beside_parts_table;
