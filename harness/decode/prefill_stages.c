/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which stages a layer has, by the kernels of its matrices.
 */
#include "harness/decode/prefill_state.h"

static const struct step {
    enum decode_part part;
    enum decode_group group; /* that it makes or reads */
} steps[PREFILL_STEPS] = {
    [PREFILL_NORM_ATTENTION] = {DECODE_PART_NORM, DECODE_GROUP_ATTENTION},
    [PREFILL_QUANTIZE_ATTENTION] = {DECODE_PART_QUANTIZE, DECODE_GROUP_ATTENTION},
    [PREFILL_OPERAND_ATTENTION] = {DECODE_PART_OPERAND, DECODE_GROUP_ATTENTION},
    [PREFILL_QKV] = {DECODE_PART_QKV, DECODE_GROUP_ATTENTION},
    [PREFILL_ROPE] = {DECODE_PART_ROPE, DECODE_GROUP_ATTENTION},
    [PREFILL_ATTENTION] = {DECODE_PART_ATTENTION, DECODE_GROUP_O},
    [PREFILL_NORM_O] = {DECODE_PART_NORM, DECODE_GROUP_O},
    [PREFILL_QUANTIZE_O] = {DECODE_PART_QUANTIZE, DECODE_GROUP_O},
    [PREFILL_OPERAND_O] = {DECODE_PART_OPERAND, DECODE_GROUP_O},
    [PREFILL_O] = {DECODE_PART_O, DECODE_GROUP_O},
    [PREFILL_NORM_FFN] = {DECODE_PART_NORM, DECODE_GROUP_FFN},
    [PREFILL_QUANTIZE_FFN] = {DECODE_PART_QUANTIZE, DECODE_GROUP_FFN},
    [PREFILL_OPERAND_FFN] = {DECODE_PART_OPERAND, DECODE_GROUP_FFN},
    [PREFILL_GATE_UP] = {DECODE_PART_GATE_UP, DECODE_GROUP_FFN},
    [PREFILL_GATE] = {DECODE_PART_GATE, DECODE_GROUP_DOWN},
    [PREFILL_NORM_DOWN] = {DECODE_PART_NORM, DECODE_GROUP_DOWN},
    [PREFILL_QUANTIZE_DOWN] = {DECODE_PART_QUANTIZE, DECODE_GROUP_DOWN},
    [PREFILL_OPERAND_DOWN] = {DECODE_PART_OPERAND, DECODE_GROUP_DOWN},
    [PREFILL_DOWN] = {DECODE_PART_DOWN, DECODE_GROUP_DOWN},
    [PREFILL_NORM_HEAD] = {DECODE_PART_HEAD, DECODE_GROUP_HEAD},
    [PREFILL_HEAD] = {DECODE_PART_HEAD, DECODE_GROUP_HEAD},
};

enum decode_part prefill_step_part(enum prefill_step step)
{
    return steps[step].part;
}

enum decode_group prefill_step_group(enum prefill_step step)
{
    return steps[step].group;
}

bool prefill_makes_operand(const struct kernel *kernel)
{
    return kernel->gemm.prepare_many || kernel->format->order_columns;
}

bool prefill_shares_operand(const struct kernel *one, const struct kernel *other, size_t k)
{
    size_t columns = format_columns(one->format, k);
    if (one == other)
        return true;
    if (one->format->order_columns || other->format->order_columns || one->takes != other->takes ||
        columns != format_columns(other->format, k) ||
        one->format->activation_offset != other->format->activation_offset ||
        one->gemm.prepare_many != other->gemm.prepare_many)
        return false;
    return !one->gemm.prepare_many || (one->gemm.tokens_per_group == other->gemm.tokens_per_group &&
                                       one->gemm.prepared_bytes(columns) == other->gemm.prepared_bytes(columns));
}

/** The first and the last role of those that read a group. */
static const struct range_of_roles {
    int first, last;
} readers[DECODE_GROUPS] = {[DECODE_GROUP_ATTENTION] = {DECODE_Q, DECODE_V},
                            [DECODE_GROUP_O] = {DECODE_O, DECODE_O},
                            [DECODE_GROUP_FFN] = {DECODE_GATE, DECODE_UP},
                            [DECODE_GROUP_DOWN] = {DECODE_DOWN, DECODE_DOWN},
                            [DECODE_GROUP_HEAD] = {DECODE_ROLES, DECODE_ROLES}};

const struct prefill_stage prefill_norm_head = {PREFILL_NORM_HEAD, DECODE_ROLES, DECODE_ROLES};
const struct prefill_stage prefill_head = {PREFILL_HEAD, DECODE_ROLES, DECODE_ROLES};

/** Whether a step is carried out for a role that no stage before it has: of products those next to each other have one. */
static bool begins_stage(const struct model *facts, const struct kernel *const kernel[DECODE_ROLES],
                         enum prefill_step step, int role)
{
    const struct range_of_roles *of = &readers[steps[step].group];
    bool shared = false;
    size_t m, k;
    if (steps[step].part != DECODE_PART_OPERAND)
        return role == of->first || kernel[role] != kernel[role - 1];
    decode_shape(facts, role, &m, &k);
    for (int before = of->first; before < role; before++)
        shared = shared || prefill_shares_operand(kernel[before], kernel[role], k);
    return prefill_makes_operand(kernel[role]) && !shared;
}

static bool quantizes(const struct kernel *const kernel[DECODE_ROLES], enum decode_group group)
{
    bool int8 = false;
    for (int role = readers[group].first; role <= readers[group].last; role++)
        int8 = int8 || kernel[role]->takes == KERNEL_TAKES_INT8;
    return int8;
}

/** A step that is carried out once, or not at all. */
static bool has_step(const struct model *facts, const struct kernel *const kernel[DECODE_ROLES], enum prefill_step step)
{
    switch (steps[step].part) {
    case DECODE_PART_NORM: return facts->sub_norms || (step != PREFILL_NORM_O && step != PREFILL_NORM_DOWN);
    case DECODE_PART_QUANTIZE: return quantizes(kernel, steps[step].group);
    default: return true;
    }
}

static bool is_by_roles(enum prefill_step step)
{
    return steps[step].part == DECODE_PART_OPERAND || decode_part_is_gemv(steps[step].part);
}

size_t prefill_layer_stages(const struct model *facts, const struct kernel *const kernel[DECODE_ROLES],
                            struct prefill_stage stage[PREFILL_LAYER_STAGES])
{
    size_t count = 0;
    for (int i = 0; i < PREFILL_LAYER_STEPS; i++) {
        enum prefill_step step = (enum prefill_step)i;
        const struct range_of_roles *of = &readers[steps[step].group];
        if (!is_by_roles(step)) {
            if (has_step(facts, kernel, step))
                stage[count++] = (struct prefill_stage){.step = step};
            continue;
        }
        for (int role = of->first; role <= of->last; role++) {
            if (begins_stage(facts, kernel, step, role))
                stage[count++] = (struct prefill_stage){step, role, role};
            else if (steps[step].part != DECODE_PART_OPERAND)
                stage[count - 1].last = role;
        }
    }
    return count;
}

size_t prefill_pass_joins(const struct decode_weights_request *request)
{
    const struct kernel *head = decode_weights_kernel(request, 0, DECODE_ROLES);
    size_t joins = 2u + (head->takes == KERNEL_TAKES_INT8) + prefill_makes_operand(head);
    for (size_t layer = 0; layer < request->facts->layers; layer++) {
        const struct kernel *kernel[DECODE_ROLES];
        struct prefill_stage stage[PREFILL_LAYER_STAGES];
        for (int role = 0; role < DECODE_ROLES; role++)
            kernel[role] = decode_weights_kernel(request, layer, role);
        joins += prefill_layer_stages(request->facts, kernel, stage);
    }
    return joins;
}
