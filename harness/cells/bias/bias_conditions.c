/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/bias/bias_conditions.h"

#include <alloca.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/session_pool.h"
#include "results/text/refuse.h"

/** Values of BIAS_DATA by level; weights and activations. */
enum { DATA_ZEROS, DATA_RANDOM, DATA_MOST, DATA_LEAST, DATA_BELOW };
static const struct {
    uint8_t weights;
    int8_t activations;
} data_of[] = {
    [DATA_ZEROS] = {0, 0}, [DATA_MOST] = {0xff, 127}, [DATA_LEAST] = {0xff, -127}, [DATA_BELOW] = {0xff, -128}};

const struct code_offsets *bias_code_offsets(const struct sequence *sequence)
{
    for (const struct code_offsets *const *at = code_offsets_all(); *at; at++) {
        if (strcmp((*at)->sequence, sequence->name) == 0)
            return *at;
    }
    return NULL;
}

static int no_memory(struct cell *cell)
{
    return session_no_memory(cell->name, cell->why, sizeof cell->why);
}

/** Code and constants of this level elsewhere. */
static int move(struct cell *cell, unsigned level, const void *function, struct moved_code *moved)
{
    int error = moved_code_make(function, (size_t)BIAS_ADDRESS_STEP * level, moved);
    return error
               ? refuse(error, cell->why, sizeof cell->why, "no copy of the code can be executed: %s", strerror(-error))
               : 0;
}

/* ---- a sequence ---- */

struct operands {
    _Alignas(64) uint8_t weights[SEQUENCE_WEIGHT_BYTES_MAX], activations[SEQUENCE_ACTIVATION_BYTES_MAX];
    _Alignas(64) uint8_t accumulators[SEQUENCE_ACCUMULATORS_MAX * SEQUENCE_VECTOR_BYTES_MAX];
};

static const struct sequence_variant *variant_of(const struct sequence *sequence)
{
    return &sequence->variant[sequence->variants - 1];
}

static int make_sequence(struct bias_conditions *all, struct cell *cell, unsigned level, uint64_t seed)
{
    struct bias_condition *condition = &all->level[level];
    const struct sequence *sequence = cell->sequence;
    const struct sequence_variant *variant = variant_of(sequence);
    struct operands *operands = aligned_alloc(64, sizeof *operands);
    if (!operands)
        return no_memory(cell);
    condition->operands = (struct sequence_operands){operands->weights, operands->activations, operands->accumulators};
    condition->run = variant->run_u;
    sequence_draw(sequence, seed, 1, operands->weights, operands->activations);
    if (all->own->factor == BIAS_DATA && level != DATA_RANDOM) {
        memset(operands->weights, data_of[level].weights, sizeof operands->weights);
        memset(operands->activations, data_of[level].activations, sizeof operands->activations);
    }
    if (all->own->factor == BIAS_CODE)
        condition->run = bias_code_offsets(sequence)->run[level];
    if (all->own->factor == BIAS_ADDRESSES) {
        int error = move(cell, level, (const void *)(uintptr_t)variant->run_u, &condition->moved);
        if (error)
            return error;
        condition->run = (sequence_run *)moved_code_at(&condition->moved, (uintptr_t)variant->run_u);
    }
    condition->run(&condition->operands, 1);
    bool outside = all->own->factor == BIAS_DATA && level == DATA_BELOW;
    return !outside && sequence_compare(sequence, variant, 0, 1, &condition->operands, NULL)
               ? refuse(-EILSEQ, cell->why, sizeof cell->why, "%s is wrong elsewhere in memory", sequence->name)
               : 0;
}

/* ---- a GEMV ---- */

/** Bytes of the weights of one level, with room to shift them. */
static size_t span_of(const struct bias_conditions *all)
{
    return all->matrix_bytes + (size_t)BIAS_BUFFER_STEP * BIAS_LEVELS_MOST;
}

/** Weights of a level's own: where data or pages differ, and of the first level, which the others share. */
static int reserve(struct bias_conditions *all, struct cell *cell, unsigned level, uint64_t seed)
{
    struct bias_condition *condition = &all->level[level];
    bool cold = all->own->subject == BIAS_COLD, base = all->own->factor == BIAS_PAGES && level == 1;
    bool own = cold ? base : level == 0 || all->own->factor == BIAS_DATA || base;
    size_t bytes = cold ? session_cold_bytes(all->session, 1) : span_of(all);
    if (!own)
        return 0;
    bytes = bytes > span_of(all) ? bytes : span_of(all);
    int error = base ? memory_reserve_base(bytes, &condition->block) : memory_reserve(bytes, &condition->block);
    if (error || memory_fill_random(&condition->block, seed))
        return no_memory(cell);
    if (all->own->factor == BIAS_DATA && level != DATA_RANDOM)
        memset(condition->block.bytes, data_of[level].weights, condition->block.length);
    return 0;
}

/** Give the activations the value of a level, and prepare them anew. */
static void put_activations(struct gemv *gemv, int8_t value)
{
    size_t columns = gemv->columns;
    memset(gemv->activations, 0, columns);
    memset(gemv->activations, value, gemv->k);
    gemv->activation_sum = (int32_t)gemv->k * value;
    if (gemv->kernel->prepare)
        gemv->kernel->prepare(gemv->activations, columns, gemv->prepared);
}

static int make_gemv(struct bias_conditions *all, struct cell *cell, unsigned level, uint64_t seed)
{
    struct bias_condition *condition = &all->level[level];
    const struct bias_cell *own = all->own;
    condition->kernel = *cell->kernel;
    if (own->factor == BIAS_ADDRESSES) {
        int error = move(cell, level, (const void *)(uintptr_t)cell->kernel->gemv, &condition->moved);
        if (error)
            return error;
        condition->kernel.gemv =
            (__typeof__(condition->kernel.gemv))moved_code_at(&condition->moved, (uintptr_t)cell->kernel->gemv);
    }
    if (gemv_prepare(&condition->gemv, &condition->kernel, own->m, own->k, 1, seed))
        return no_memory(cell);
    if (own->factor == BIAS_DATA && level != DATA_RANDOM)
        put_activations(&condition->gemv, data_of[level].activations);
    return reserve(all, cell, level, seed);
}

void bias_condition_place(struct bias_conditions *all, unsigned level)
{
    struct bias_condition *condition = &all->level[level];
    const uint8_t *weights;
    if (all->own->subject == BIAS_GAMMA)
        return;
    if (all->own->subject == BIAS_WARM) {
        weights = condition->block.bytes ? condition->block.bytes : all->level[0].block.bytes;
    } else if (condition->block.bytes) {
        size_t step = (span_of(all) + 4095) / 4096 * 4096;
        if (condition->next + span_of(all) > condition->block.length)
            condition->next = 0;
        weights = condition->block.bytes + condition->next;
        condition->next += step;
    } else {
        weights = session_cold_weights(all->session, 0, 1, span_of(all), all->granule);
    }
    condition->gemv.members[0].weights = weights + condition->buffer;
}

static int verify(struct bias_conditions *all, struct cell *cell, unsigned level)
{
    struct gemv *gemv = &all->level[level].gemv;
    struct reference_check check;
    bias_condition_place(all, level);
    gemv_run_member(gemv, 0, ++gemv->generation);
    if (gemv_verify(gemv, 1, &check))
        return no_memory(cell);
    bool outside = all->own->factor == BIAS_DATA && level == DATA_BELOW;
    return check.wrong && !outside
               ? refuse(-EILSEQ, cell->why, sizeof cell->why, "%s is wrong elsewhere in memory", cell->kernel->name)
               : 0;
}

static int ready_pool(struct bias_conditions *all, struct cell *cell)
{
    size_t cold = session_cold_bytes(all->session, 1), bytes = cold > span_of(all) ? cold : span_of(all);
    int error = session_pool(all->session, 1, bytes, cell->why, sizeof cell->why);
    if (!error)
        all->granule = session_pool_fill(all->session, 1, cell->kernel->format, all->own->k,
                                         (struct session_pool_need){.places = true});
    return error ? error : all->granule ? 0 : no_memory(cell);
}

int bias_conditions_make(struct session *session, struct cell *cell, struct bias_conditions *all)
{
    const struct bias_cell *own = bias_cell(cell);
    *all = (struct bias_conditions){.session = session, .cell = cell, .own = own};
    bool gamma = own->subject == BIAS_GAMMA;
    if (!gamma)
        all->matrix_bytes = format_packed_bytes(cell->kernel->format, own->m, own->k);
    int error = own->subject == BIAS_COLD ? ready_pool(all, cell) : 0;
    uint64_t seed = session_random(session);
    for (unsigned level = 0; !error && level < own->levels; level++) {
        all->level[level].stack = own->factor == BIAS_STACK ? (size_t)BIAS_STACK_STEP * level : 0;
        all->level[level].buffer = own->factor == BIAS_BUFFER ? (size_t)BIAS_BUFFER_STEP * level : 0;
        error = gamma ? make_sequence(all, cell, level, seed) : make_gemv(all, cell, level, seed);
        if (!error && !gamma)
            error = verify(all, cell, level);
    }
    return error;
}

void bias_conditions_release(struct bias_conditions *all)
{
    for (unsigned level = 0; level < BIAS_LEVELS_MOST; level++) {
        struct bias_condition *condition = &all->level[level];
        free((void *)(uintptr_t)condition->operands.weights); /* the first of struct operands */
        if (condition->gemv.kernel)
            gemv_release(&condition->gemv);
        memory_release(&condition->block);
        moved_code_release(&condition->moved);
    }
}

__attribute__((noinline)) static void run_here(const struct bias_conditions *all, struct bias_condition *condition)
{
    const struct cell *cell = all->cell;
    if (all->own->subject == BIAS_GAMMA) {
        condition->run(&condition->operands, cell->iterations);
        return;
    }
    for (unsigned i = 0; i < cell->repeats; i++)
        gemv_run_member(&condition->gemv, 0, ++condition->gemv.generation);
}

void bias_condition_run(struct bias_conditions *all, unsigned level)
{
    struct bias_condition *condition = &all->level[level];
    volatile char *room = alloca(condition->stack + 16);
    room[0] = 0; /* so that there is one */
    run_here(all, condition);
    room[0] = 1;
}
