/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/gguf/given_model.h"
#include "harness/plan/decode_job.h"

/**
 * The kernels of a given model for a job whose context, threads, samples and prompts are set: the job has its model and its matrices then,
 * and is checked as decode_job_check() and prefill_job_check() do. The given model outlives the job's cells.
 *
 * @return 0 or a negative errno with one line in why
 */

/** Of a token, each matrix with the kernel of its own format, or read. Layers that differ do not stand for one another. */
int given_job_token(struct decode_job *job, struct given_model *given, const struct session *session, char *why,
                    size_t size);

/** Of prompts likewise, each matrix with a GEMM of its own format. */
int given_job_prompts(struct decode_job *job, struct given_model *given, const struct session *session, char *why,
                      size_t size);

/** An engine's kernels, which are those of a plug-in. */
struct given_engine {
    const struct plugin *plugin;
    bool repacked; /* it brings weights into interleaved rows as it loads them: "iqk_q4_k_r4" in place of q4_k, where there is one */
};

/**
 * Of a token or of prompts, each matrix with the engine's kernel of its type. Where one takes interleaved rows, all weights are random ones of the same
 * types and shapes.
 * @return also -ENOTSUP: the plug-in has no kernel of a type
 */
int given_job_engine(struct decode_job *job, struct given_model *given, const struct given_engine *engine,
                     const struct session *session, char *why, size_t size);
