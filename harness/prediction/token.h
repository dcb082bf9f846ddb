/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/gguf/census.h"
#include "harness/prediction/prediction.h"

/**
 * The model applied to a user's model: what a described machine needs for one token of it, group by group of its tensors, all
 * of them read from memory. Pure.
 *
 * A group that a kernel of ours reads as it lies in the file takes, with the fastest of those that the machine's description
 * knows,
 *
 *     calls * (packed bytes / e_bw of the team + start of a call),      e_bw as prediction_make has it, with omega if stated
 *
 * and at least calls * packed bytes / (sum over cores of min(beta, B/gamma) hz), which overlaps all and starts in no time. A
 * group without such a kernel, embeddings, vectors and the cache of keys and values are read at the roof, beta of every core:
 * no code that reads them can be faster.
 *
 * To that comes the preparation of activations (quantization, tables, blocks), which one core does before the product: of each vector
 * once for each kernel that reads it (harness/decode/shared_operand.h), k times what the description states of an activation. A
 * vector belongs to the first part that reads it. At least takes the least that is stated of the format's kernels; what is not stated is
 * not counted.
 *
 * Nothing else of a token is counted: attention's arithmetic, norms, sampling.
 */
enum token_limit {
    TOKEN_MEMORY,    /* a kernel of ours, and memory is what it waits for */
    TOKEN_UPCONVERT, /* a kernel of ours, and its arithmetic takes longer */
    TOKEN_ROOF,      /* no kernel: read at the roof */
};

/* In `why` of a group whose kernels were not measured on the machine. */
#define TOKEN_NO_GAMMA "has no gamma for a kernel of"

struct token_part {
    const struct census_group *group; /* NULL: the cache of keys and values */
    double bytes;                     /* that one token reads */
    double seconds,
        least_s;      /* predicted, and at least, preparation included; NaN where nothing is known of the machine */
    double prepare_s; /* of the predicted; NaN where it is not known, and counted as 0 */
    double vectors;   /* that are prepared for it and for no part before it */
    enum token_limit limit;
    const struct kernel *kernel;  /* NULL: read at the roof */
    struct prediction prediction; /* of one call, with a kernel */
    char why[96];                 /* without one */
};

struct token_prediction {
    struct token_part *parts; /* the groups in their order, then the cache if its size is known */
    size_t count;
    double bytes;            /* of all */
    double roof_bytes_per_s; /* of the team; NaN without a machine */
    double seconds, least_s; /* of a token: sums of the parts */
    double prepare_s;        /* of these seconds */
    size_t unprepared;       /* parts of whose kernel it is not known */
};

/**
 * Predict a token.
 * @param cache_bytes  of keys and values that it reads (model_kv_bytes); 0: not known, and no part of it
 * @param platform  outlives what is predicted, which points into it; NULL: nothing is known, and all times are NaN
 * @return 0 or -ENOMEM
 */
int token_predict(const struct census *census, double cache_bytes, const struct described_platform *platform,
                  const struct prediction_team *team, struct token_prediction *token);
void token_free(struct token_prediction *token);

/** "memory", "up-convert", "read at the roof". */
const char *token_limit_name(enum token_limit limit);
