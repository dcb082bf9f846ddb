/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/decode/decode.h"
#include "harness/team/team.h"
#include "platforms/memory/memory.h"
#include "platforms/process/worker.h"

/**
 * A model of random weights: every matrix of every layer has memory of its own, on huge pages where there are any, each
 * member's stretch first touched by it. Writing gigabytes takes longer than reading them, so a megabyte of valid random
 * weights is drawn for each format and K and copied over all the matrices: no page is shared, contents repeat. Tensor
 * scales are such that outputs are of the magnitude of the activations.
 *
 * Matrices that are given are copied into such memory instead, as they are; norms and the embedding stay random. Given may be their
 * kernels alone.
 */
struct decode_weights {
    struct decode_model model;
    unsigned threads;
    struct memory_block *block; /* [threads] */
    void *owned;                /* all else that the model points to */
};

/** Packed matrices of a model that is there: those of layer l and role r at l * DECODE_ROLES + r, the head after all layers. */
struct decode_given {
    const uint8_t *const
        *packed;        /* [facts->layers * DECODE_ROLES + 1] whole matrices, of any alignment; NULL: random ones */
    const float *scale; /* of each, as in struct decode_matrix; NULL where packed is */
    const struct kernel *const *kernel; /* of each; NULL: those of the request */
};

/** Prefetch distances that were found on this machine, of each kernel once. */
enum { DECODE_FOUND_MOST = 32 };
struct decode_found {
    struct {
        const struct kernel *kernel;
        size_t bytes;
    } of[DECODE_FOUND_MOST];
    size_t count;
};

/** Of a kernel; not given where it was not found. */
struct decode_prefetch decode_found_of(const struct decode_found *found, const struct kernel *kernel);

struct decode_weights_request {
    const struct model *facts;
    size_t distinct;                           /* layers to make, 1 … facts->layers */
    const struct kernel *kernel[DECODE_ROLES]; /* of each role */
    const struct kernel *head;
    struct decode_prefetch prefetch[DECODE_ROLES + 1]; /* of each role, and the head */
    const struct decode_found *found;                  /* for the others; NULL: nothing */
    struct schedule schedule,
        head_schedule;    /* how matrices are dealt; zero: in equal shares. Weights outlive the model */
    size_t tokens;        /* 0: matrices are dealt as GEMVs; else as GEMMs of this many tokens, the head of one */
    bool users;           /* they are of as many users, and so the head is of all of them */
    const double *speeds; /* [threads] that are emulated in GEMVs; NULL: none; outlive the model */
    struct decode_reader reader;      /* of given matrices that are only read */
    const struct decode_given *given; /* NULL: random weights */
    uint64_t seed;
    struct worker_beat
        *heart; /* of the worker that makes them, which may take longer than one may be silent; else NULL */
};

/** Kernels of a request: of each role those that its layers have, each once, in their order; and the head's. */
enum { DECODE_KERNELS_MOST = 16 };
struct decode_kernels {
    const struct kernel *of[DECODE_ROLES + 1][DECODE_KERNELS_MOST];
    size_t count[DECODE_ROLES + 1];
};

/** @return 0; -EINVAL a role has too many */
int decode_kernels_of(const struct decode_weights_request *request, struct decode_kernels *kernels);

/** One more of a role, if it is another. @return 0 or -EINVAL */
int decode_kernels_add(struct decode_kernels *kernels, int role, const struct kernel *kernel);

/** The kernel of a layer and role, or of the head, DECODE_ROLES. */
const struct kernel *decode_weights_kernel(const struct decode_weights_request *request, size_t layer, int role);

/** Bytes that decode_weights_open allocates for this many layers. */
uint64_t decode_weights_bytes(const struct decode_weights_request *request);

/** Whether every matrix can be held, with the reason. @return 0 or -EINVAL */
int decode_weights_accepted(const struct decode_weights_request *request, char *why, size_t size);

/** @return 0 or -ENOMEM */
int decode_weights_open(struct decode_weights *weights, const struct decode_weights_request *request,
                        struct team *team);
void decode_weights_release(struct decode_weights *weights);

/** Fraction of the weights on huge pages; NaN if unknown. */
double decode_weights_huge(const struct decode_weights *weights);
