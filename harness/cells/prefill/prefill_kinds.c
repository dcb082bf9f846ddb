/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/prefill/prefill_kinds.h"

#include <errno.h>
#include <stdlib.h>

static bool are_alike(const struct decode_work *work, size_t one, size_t other)
{
    bool alike = true;
    for (int role = 0; role < DECODE_ROLES; role++)
        alike = alike && decode_kernel_at(work, one, role) == decode_kernel_at(work, other, role);
    return alike;
}

/** @return how many kinds there are */
static size_t find_kinds(struct prefill_cell *own)
{
    size_t kinds = 0;
    for (size_t layer = 0; layer < own->work.model.layers; layer++) {
        size_t first = 0;
        while (!are_alike(&own->work, first, layer))
            first++;
        own->kind[layer] = first;
        kinds += first == layer;
    }
    return kinds;
}

size_t prefill_layers_of_kind(const struct prefill_cell *own, size_t layer)
{
    size_t count = 0;
    for (size_t i = layer; i < own->work.model.layers; i++)
        count += own->kind[i] == layer;
    return count;
}

size_t prefill_layer_of_round(const struct prefill_cell *own, size_t kind, size_t round)
{
    size_t layer = kind;
    for (round %= prefill_layers_of_kind(own, kind); round; round--) {
        do
            layer++;
        while (own->kind[layer] != kind);
    }
    return layer;
}

int prefill_list_steps(struct prefill_cell *own)
{
    own->kind = calloc(own->work.model.layers, sizeof *own->kind);
    size_t kinds = own->kind ? find_kinds(own) : 0;
    own->step = calloc(kinds * PREFILL_LAYER_STAGES + 2, sizeof *own->step);
    if (!own->kind || !own->step)
        return -ENOMEM;
    for (size_t layer = 0; layer < own->work.model.layers; layer++) {
        const struct kernel *kernel[DECODE_ROLES];
        struct prefill_stage stage[PREFILL_LAYER_STAGES];
        for (int role = 0; role < DECODE_ROLES; role++)
            kernel[role] = decode_kernel_at(&own->work, layer, role);
        size_t count = own->kind[layer] == layer ? prefill_layer_stages(&own->work.model, kernel, stage) : 0;
        for (size_t i = 0; i < count; i++)
            own->step[own->steps++] = (struct prefill_cell_step){stage[i], layer};
    }
    own->step[own->steps++] = (struct prefill_cell_step){prefill_norm_head, 0};
    own->step[own->steps++] = (struct prefill_cell_step){prefill_head, 0};
    return 0;
}
