/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The gamma of a kernel in C: its step again and again, on weights that stay where they are. The kernel's own .c includes this at its end, behind
 * its step and SELF, so that what is timed is the function that its gemv() calls. It makes the sequence of the kernel's name (micro/sequence.h). The
 * step is
 *
 *   STEP_SUM                     type of an accumulator
 *   STEP_ACTIVATIONS             type of what a step of weights meets: what prepare() writes for it
 *   STEP_WEIGHTS(register_of)    the registers that step_load() fills, `register_of(number, type, name)` for each: vectors from 0 to 3, `general` of an
 *                                integer; undefined: the weights of a step are more than registers hold, and add_block(sum, const uint8_t *weights, activations)
 *                                reads them where they lie, in L1
 *   STEP_SUM step_zero(void)
 *   struct step_weights step_load(const uint8_t *weights)
 *   STEP_SUM step_add(STEP_SUM sum, struct step_weights weights, const STEP_ACTIVATIONS *activations)
 *   void step_finish(float *rows, STEP_SUM sum)      the rows of a panel
 *   STEP_ACCUMULATORS            as many as the kernel has rows side by side, 1, 2 or 4; fewer are probes of latency
 *   STEP_ROWS, STEP_COLUMNS, STEP_BYTES      of the format
 *
 * A step is one of the format, from which, and from the kernel's row(), follow the facts of the sequence and its scalar reference (micro/step.h).
 *
 * Nothing is hoisted out of the loop: weights are in registers that an empty asm says to have changed, and activations lie at a place that one says to
 * have moved, once for all accumulators: rows side by side meet the same. gcc is told which registers, since it would copy weights from one to another else.
 */
#ifndef MICRO_FRAMES_GAMMA_H
#define MICRO_FRAMES_GAMMA_H

#include <stdint.h>

#include "micro/frames/rows.h"
#include "micro/sequence.h"
#include "micro/step.h"

extern const struct format SELF_FORMAT;
extern const struct kernel SELF;

/* apart from the kernel's own code, so that neither changes where the other lies, and each is disassembled alone */
#define GAMMA_CODE static __attribute__((noinline, section(".text.gamma")))

/* rows in registers of 128 bits and more */
#define STEP_LANES (STEP_ROWS <= 4 ? 4 : STEP_ROWS <= 8 ? 8 : 16)

#if defined STEP_WEIGHTS
/* gcc alone is told the places of vectors */
#if defined __clang__
#define GAMMA_PLACE(name)
#else
#define GAMMA_PLACE(name) __asm__(name)
#endif
#if defined __aarch64__
#define GAMMA_PLACE_0 GAMMA_PLACE("v31")
#define GAMMA_PLACE_1 GAMMA_PLACE("v30")
#define GAMMA_PLACE_2 GAMMA_PLACE("v29")
#define GAMMA_PLACE_3 GAMMA_PLACE("v28")
#define GAMMA_VECTOR  "+w"
#else
#define GAMMA_PLACE_0 GAMMA_PLACE("xmm15")
#define GAMMA_PLACE_1 GAMMA_PLACE("xmm14")
#define GAMMA_PLACE_2 GAMMA_PLACE("xmm13")
#define GAMMA_PLACE_3 GAMMA_PLACE("xmm12")
#define GAMMA_VECTOR  "+v"
#endif
#define GAMMA_PLACE_general
#define GAMMA_CLASS_0                    GAMMA_VECTOR
#define GAMMA_CLASS_1                    GAMMA_VECTOR
#define GAMMA_CLASS_2                    GAMMA_VECTOR
#define GAMMA_CLASS_3                    GAMMA_VECTOR
#define GAMMA_CLASS_general              "+r"
#define GAMMA_HOLD(number, type, name)   register type held_##name GAMMA_PLACE_##number = held.name;
#define GAMMA_CHANGE(number, type, name) __asm__("" : GAMMA_CLASS_##number(held_##name));
#define GAMMA_NAME(number, type, name)   held_##name,
#define GAMMA_LOAD(weights)                                                                                            \
    struct step_weights held = step_load(weights);                                                                     \
    STEP_WEIGHTS(GAMMA_HOLD)
#define GAMMA_CHANGED STEP_WEIGHTS(GAMMA_CHANGE)
#define GAMMA_WEIGHTS                                                                                                  \
    (struct step_weights)                                                                                              \
    {                                                                                                                  \
        STEP_WEIGHTS(GAMMA_NAME)                                                                                       \
    }
#define GAMMA_OF(weights) step_load(weights)
#else
#define step_add            add_block
#define GAMMA_LOAD(weights) const uint8_t *held = (weights)
#define GAMMA_CHANGED       ROWS_READ_AGAIN(held);
#define GAMMA_WEIGHTS       held
#define GAMMA_OF(weights)   (weights)
#endif

enum { GAMMA_STREAM_BYTES = 256 };
/* of a loop: whole rotations through any number of accumulators, of long steps one for each */
#define GAMMA_STEPS_OF(many) (STEP_ROWS * STEP_COLUMNS <= 32 ? 12 : (many))
#define GAMMA_STREAM_STEPS(accumulators)                                                                               \
    ((GAMMA_STREAM_BYTES + (accumulators)*STEP_BYTES - 1) / ((accumulators)*STEP_BYTES) * (accumulators))

ROWS_INLINE void gamma_store(void *to, const STEP_SUM *sum, size_t accumulators)
{
#pragma GCC unroll 4
    for (size_t i = 0; i < accumulators; i++) {
        float *rows = (float *)to + i * STEP_LANES;
        for (size_t row = STEP_ROWS; row < STEP_LANES; row++)
            rows[row] = 0;
        step_finish(rows, sum[i]);
    }
}

/* for gamma: the same weights in registers, `times` as many steps */
#define GAMMA_RUN(many, times)                                                                                         \
    GAMMA_CODE void gamma_run_##many##_##times(const struct sequence_operands *operands, uint64_t iterations)          \
    {                                                                                                                  \
        const STEP_ACTIVATIONS *activations = (const void *)operands->activations;                                     \
        STEP_SUM sum[many];                                                                                            \
        GAMMA_LOAD(operands->weights);                                                                                 \
        _Pragma("GCC unroll 4") for (int i = 0; i < many; i++) sum[i] = step_zero();                                   \
        do {                                                                                                           \
            _Pragma("GCC unroll 32") for (int i = 0; i < times * GAMMA_STEPS_OF(many); i++)                            \
            {                                                                                                          \
                GAMMA_CHANGED                                                                                          \
                if (i % many == 0)                                                                                     \
                    ROWS_READ_AGAIN(activations);                                                                      \
                sum[i % many] = step_add(sum[i % many], GAMMA_WEIGHTS, activations);                                   \
            }                                                                                                          \
        } while (--iterations);                                                                                        \
        gamma_store(operands->accumulators, sum, many);                                                                \
    }

/* for the knee: other weights from memory for each step */
#define GAMMA_STREAM(many, name, ahead)                                                                                \
    GAMMA_CODE void name##_##many(const struct sequence_operands *operands, uint64_t groups, uint64_t distance)        \
    {                                                                                                                  \
        const STEP_ACTIVATIONS *activations = (const void *)operands->activations;                                     \
        const uint8_t *weights = operands->weights;                                                                    \
        enum { STEPS = GAMMA_STREAM_STEPS(many) };                                                                     \
        STEP_SUM sum[many];                                                                                            \
        (void)distance;                                                                                                \
        _Pragma("GCC unroll 4") for (int i = 0; i < many; i++) sum[i] = step_zero();                                   \
        do {                                                                                                           \
            if (ahead)                                                                                                 \
                rows_prefetch(weights, (size_t)STEPS *STEP_BYTES, distance);                                           \
            _Pragma("GCC unroll 32") for (int i = 0; i < STEPS; i++)                                                   \
            {                                                                                                          \
                if (i % many == 0)                                                                                     \
                    ROWS_READ_AGAIN(activations);                                                                      \
                sum[i % many] = step_add(sum[i % many], GAMMA_OF(weights + i * STEP_BYTES), activations);              \
            }                                                                                                          \
            weights += STEPS * STEP_BYTES;                                                                             \
            groups -= STEPS;                                                                                           \
        } while (groups);                                                                                              \
        gamma_store(operands->accumulators, sum, many);                                                                \
    }

#define GAMMA_VARIANT(many)                                                                                            \
    GAMMA_RUN(many, 1)                                                                                                 \
    GAMMA_RUN(many, 2)                                                                                                 \
    GAMMA_STREAM(many, gamma_stream, 0)                                                                                \
    GAMMA_STREAM(many, gamma_prefetch, 1)
#define GAMMA_ROW(number)                                                                                              \
    {                                                                                                                  \
        .accumulators = number, .dots = GAMMA_STEPS_OF(number), .run_u = gamma_run_##number##_1,                       \
        .run_2u = gamma_run_##number##_2, .stream_groups = GAMMA_STREAM_STEPS(number),                                 \
        .stream = gamma_stream_##number, .stream_prefetch = gamma_prefetch_##number                                    \
    }

#if STEP_ACCUMULATORS == 1
GAMMA_VARIANT(1)
static const struct sequence_variant gamma_variants[] = {GAMMA_ROW(1)};
#elif STEP_ACCUMULATORS == 2
GAMMA_VARIANT(1)
GAMMA_VARIANT(2)
static const struct sequence_variant gamma_variants[] = {GAMMA_ROW(1), GAMMA_ROW(2)};
#elif STEP_ACCUMULATORS == 4
GAMMA_VARIANT(1)
GAMMA_VARIANT(2)
GAMMA_VARIANT(3)
GAMMA_VARIANT(4)
static const struct sequence_variant gamma_variants[] = {GAMMA_ROW(1), GAMMA_ROW(2), GAMMA_ROW(3), GAMMA_ROW(4)};
#else
#error "STEP_ACCUMULATORS is 1, 2 or 4"
#endif

static void gamma_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    /* for scripts/uops.c: of the loop of as many accumulators as the kernel has */
    __asm__(".set gamma_accumulators, %c0" ::"i"(STEP_ACCUMULATORS));
    __asm__(".set gamma_vectors, %c0" ::"i"(GAMMA_STEPS_OF(STEP_ACCUMULATORS) * STEP_ROWS * STEP_COLUMNS / 32));
    (void)dot;
    step_refer(&SELF, data, sum, magnitude);
}

static void gamma_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    step_fill(&SELF, weights, activations, seed);
}

const struct sequence SELF_GAMMA = {
    .name = SELF_NAME,
    .isa = SELF_ISA,
    .format = SELF_FORMAT_NAME,
    .sequence = SELF_SEQUENCE,
    .origin = KERNEL_ORIGIN,
    .bytes_per_vector = 32.0 * STEP_BYTES / (STEP_ROWS * STEP_COLUMNS),
    .tolerance = 3.1e-5,
    .vector_bytes = STEP_LANES * sizeof(float),
    .group_dots = 1,
    .group_vectors = STEP_ROWS * STEP_COLUMNS / 32,
    .least_accumulators = STEP_ACCUMULATORS,
    .weight_bytes = STEP_BYTES,
    .activation_bytes = sizeof(STEP_ACTIVATIONS),
    .weight_values = SEQUENCE_OWN,
    .activation_values = SEQUENCE_OWN,
    .lane = SEQUENCE_FLOAT32,
    .reference = gamma_reference,
    .fill = gamma_fill,
    .variants = sizeof gamma_variants / sizeof *gamma_variants,
    .variant = gamma_variants,
};

#endif
