/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/decode/decode.h"

#include "harness/team/gemv.h"

const char *decode_role_name(enum decode_role role)
{
    static const char *const names[DECODE_ROLES] = {"q", "k", "v", "o", "gate", "up", "down"};
    return role < DECODE_ROLES ? names[role] : "unknown";
}

void decode_shape(const struct model *model, enum decode_role role, size_t *m, size_t *k)
{
    size_t queries = model->heads * model->head_size, keys = model->kv_heads * model->head_size;
    *m = role == DECODE_Q                           ? queries
         : role == DECODE_K || role == DECODE_V     ? keys
         : role == DECODE_GATE || role == DECODE_UP ? model->ffn
                                                    : model->hidden;
    *k = role == DECODE_O ? queries : role == DECODE_DOWN ? model->ffn : model->hidden;
}

struct decode_bytes decode_stretch(const struct kernel *kernel, size_t m, size_t k, unsigned member, unsigned threads)
{
    struct partition part =
        partition_of(format_panels(kernel->format, m), gemv_units_per_panel(kernel, k), member, threads);
    size_t unit = gemv_unit_bytes(kernel, k);
    return (struct decode_bytes){part.first * unit, (part.end - part.first) * unit};
}

static uint64_t packed_bytes(const struct decode_matrix *matrix)
{
    return format_packed_bytes(matrix->kernel->format, matrix->m, matrix->k);
}

uint64_t decode_layer_bytes(const struct decode_model *model, size_t layers)
{
    uint64_t bytes = 0;
    for (size_t layer = 0; layer < layers; layer++) {
        for (int role = 0; role < DECODE_ROLES; role++)
            bytes += packed_bytes(&model->layer[layer % model->distinct].matrix[role]);
    }
    return bytes;
}

uint64_t decode_head_bytes(const struct decode_model *model)
{
    return packed_bytes(&model->head);
}
