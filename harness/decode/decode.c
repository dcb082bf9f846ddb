/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/decode/decode.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "harness/team/gemm.h"
#include "harness/team/gemv.h"

const char *decode_role_name(int role)
{
    static const char *const names[DECODE_ROLES + 1] = {"q", "k", "v", "o", "gate", "up", "down", "lm_head"};
    return names[role];
}

enum decode_group decode_group_of(int role)
{
    return role <= DECODE_V       ? DECODE_GROUP_ATTENTION
           : role == DECODE_O     ? DECODE_GROUP_O
           : role == DECODE_DOWN  ? DECODE_GROUP_DOWN
           : role == DECODE_ROLES ? DECODE_GROUP_HEAD
                                  : DECODE_GROUP_FFN;
}

void decode_shape(const struct model *model, int role, size_t *m, size_t *k)
{
    size_t queries = model->heads * model->head_size, keys = model->kv_heads * model->head_size;
    *m = role == DECODE_Q                           ? queries
         : role == DECODE_K || role == DECODE_V     ? keys
         : role == DECODE_GATE || role == DECODE_UP ? model->ffn
         : role == DECODE_ROLES                     ? model->vocabulary
                                                    : model->hidden;
    *k = role == DECODE_O ? queries : role == DECODE_DOWN ? model->ffn : model->hidden;
}

struct gemv_stretches decode_stretches(const struct decode_matrix *matrix, unsigned member, unsigned threads)
{
    const struct kernel *kernel = matrix->kernel;
    if (!matrix->tokens)
        return gemv_stretches_of(kernel, matrix->m, matrix->k, member, threads, &matrix->schedule);
    size_t panel = gemm_panel_bytes(kernel, matrix->k);
    struct gemm_share share = gemm_share_of(kernel, kernel_groups(kernel, matrix->m), matrix->tokens, member, threads);
    return (struct gemv_stretches){{share.first_panel * panel, 0}, {share.tokens ? share.panels * panel : 0, 0}};
}

int decode_refuse(const struct decode_model *model, char *why, size_t size)
{
    const struct model *facts = &model->facts;
    if (!facts->kv_heads || facts->heads % facts->kv_heads || facts->head_size > DECODE_HEAD_SIZE_MOST ||
        facts->rope_values > facts->head_size) {
        snprintf(why, size,
                 "%s: attention of %zu heads, %zu key-value heads of %zu values, %zu of them rotated, is "
                 "not supported",
                 facts->name, facts->heads, facts->kv_heads, facts->head_size, facts->rope_values);
        return -EINVAL;
    }
    for (size_t i = 0; i < decode_matrices(model); i++) {
        const struct decode_matrix *matrix = decode_matrix_at(model, i);
        if (kernel_accepts(matrix->kernel, matrix->m, matrix->k, why, size))
            return -EINVAL;
    }
    return 0;
}

void decode_rope_angles(const struct model *model, size_t position, float *cosine, float *sine)
{
    for (size_t i = 0; i < model->rope_values / 2; i++) {
        double angle = (double)position * pow(model->rope_base, -2.0 * (double)i / (double)model->rope_values);
        cosine[i] = (float)cos(angle);
        sine[i] = (float)sin(angle);
    }
}
