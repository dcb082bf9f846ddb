/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/decode/decode_read.h"
#include "harness/team/gemv.h"
#include "harness/team/schedule.h"
#include "micro/kernel.h"
#include "micro/layers/layer.h"
#include "micro/layers/model.h"
#include "micro/quantizer.h"

/**
 * A model as a decode pass reads it: for each layer and role a packed matrix, wherever it lies. decode_weights.h makes one
 * of random weights; a caller that has the weights of a file fills these structs with them, and decode_pass.h runs either.
 *
 * A matrix is dealt to the members of a team as every GEMV is (harness/team/partition.h): gemv_stretches_of
 * (harness/team/gemv.h) says which bytes of the packed matrix a member reads. They may lie together in one piece of memory,
 * or each where its member touched it first.
 */
enum decode_role { DECODE_Q, DECODE_K, DECODE_V, DECODE_O, DECODE_GATE, DECODE_UP, DECODE_DOWN, DECODE_ROLES };
/* where a role is an int, it may be that of the head as well, DECODE_ROLES */
const char *decode_role_name(int role); /* "q", … as in the files of shapes, "lm_head" */

/** What matrices of a layer read together; that of the head comes last. */
enum decode_group {
    DECODE_GROUP_ATTENTION,
    DECODE_GROUP_O,
    DECODE_GROUP_FFN,
    DECODE_GROUP_DOWN,
    DECODE_GROUP_HEAD,
    DECODE_GROUPS
};
enum decode_group decode_group_of(int role);

/** Distance of the software prefetch of a GEMV, where it is not the kernel's own. */
struct decode_prefetch {
    bool given;
    size_t bytes;
};

struct decode_matrix {
    const struct kernel *kernel;
    size_t m, k;
    struct decode_prefetch prefetch;
    float scale;              /* of the tensor: W = scale times what the format holds; 1 without one */
    struct schedule schedule; /* how it is dealt; zero: equal shares */
    size_t tokens;            /* of a GEMM, dealt as gemm_share_of says, without a schedule; 0: of a GEMV */
    const uint8_t *const
        *stretch; /* [threads]: the bytes that decode_stretches names of each member, one after the other,
                      64-byte aligned or to what divides a panel (a step) */
};

/** RMS norms: before q, k, v; before gate and up; and with sub_norms before o and before down. */
enum decode_norm { DECODE_NORM_ATTENTION, DECODE_NORM_FFN, DECODE_NORM_O, DECODE_NORM_DOWN, DECODE_NORMS };

struct decode_layer {
    struct decode_matrix matrix[DECODE_ROLES];
    const float *gain[DECODE_NORMS]; /* padded with zeros to LAYER_PAD; NULL where there is none */
};

struct decode_model {
    struct model facts;
    float epsilon;                    /* of the norms */
    size_t distinct;                  /* layers that are there, at most facts.layers: layer i is i modulo this one */
    const struct decode_layer *layer; /* [distinct] */
    const double *speeds;             /* [threads] of each member in its GEMVs, emulated; NULL: their own */
    struct decode_reader reader;      /* of matrices that are only read; zero where there are none */
    struct decode_matrix head;
    const float *last_gain; /* of the norm before the head */
    const float *embedding; /* [hidden], of the token that is decoded; padded as the gains */
};

/** Of the matrices of a model, layer by layer and the head last: their number, and one with its role. */
static inline size_t decode_matrices(const struct decode_model *model)
{
    return model->distinct * DECODE_ROLES + 1;
}

static inline int decode_role_at(const struct decode_model *model, size_t i)
{
    return i == model->distinct * DECODE_ROLES ? DECODE_ROLES : (int)(i % DECODE_ROLES);
}

static inline const struct decode_matrix *decode_matrix_at(const struct decode_model *model, size_t i)
{
    return i == model->distinct * DECODE_ROLES ? &model->head
                                               : &model->layer[i / DECODE_ROLES].matrix[i % DECODE_ROLES];
}

/** The code between the matrices. */
struct decode_code {
    const struct layer_kernel *part[LAYER_PARTS];
    const struct quantizer *quantizer;
};

/** M x K of a role. */
void decode_shape(const struct model *model, int role, size_t *m, size_t *k);

/** A model that no pass can be made of: heads, or a shape that a kernel's format does not hold. @return 0 or -EINVAL */
enum { DECODE_HEAD_SIZE_MOST = 1024 };
int decode_refuse(const struct decode_model *model, char *why, size_t size);

/** Cosine and sine of the angles by which the rotary embedding turns a position: rope_values / 2 of each. */
void decode_rope_angles(const struct model *model, size_t position, float *cosine, float *sine);

/** What of a matrix lies in a member's memory, by its schedule or as that of a GEMM. */
struct gemv_stretches decode_stretches(const struct decode_matrix *matrix, unsigned member, unsigned threads);
