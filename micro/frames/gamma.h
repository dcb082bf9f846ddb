/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The gamma of a kernel in C: its step again and again, on weights that stay where they are. The kernel's own .c includes this at its end, after
 * its step and SELF, so that what is timed is the function that its gemv() calls. It makes the sequence of the kernel's name (micro/sequence.h). The
 * step is
 *
 *   STEP_SUM                     type of an accumulator
 *   STEP_ACTIVATIONS             type of what a step of weights meets: what prepare() writes for it
 *   STEP_WEIGHTS(register_of)    the registers that step_load() fills, `register_of(number, type, name)` for each: vectors from 0 to 7, `general` of an
 *                                integer; undefined: the weights of a step are more than registers hold, and add_block(sum, const uint8_t *weights, activations),
 *                                or a step_add that is defined and calls it, reads them where they lie, in L1; with STEP_SUMS_IN_MEMORY, as sums of many rows are,
 *                                void add_into(STEP_SUM *sum, const uint8_t *weights, activations) in place of it, and step_finish() takes a pointer
 *   STEP_SUM step_zero(void)
 *   struct step_weights step_load(const uint8_t *weights)
 *   STEP_SUM step_add(STEP_SUM sum, struct step_weights weights, const STEP_ACTIVATIONS *activations)
 *   void step_finish(STEP_ROW *rows, STEP_SUM sum)   the rows of a panel: floats, or integers of 32 bits that wrap
 *   STEP_LARGEST                 of rows that are integers: the largest activation that prepare() makes an integer with a scale of 1; or of a kernel that
 *                                takes int8 127: these lie after what prepare() writes in STEP_ACTIVATIONS, and rows are without correction
 *   STEP_OF_ROWS                 defined by a kernel that takes a step of all rows side by side at once: it has, in place of step_add() or add_block(),
 *                                step_add_rows(STEP_SUM *sum, const uint8_t *const *weights, activations, int count), with weights in L1
 *   STEP_ACCUMULATORS            as many as the kernel has rows side by side, 1, 2 or 4
 *   STEP_ROWS, STEP_COLUMNS, STEP_BYTES      of the format
 *   STEPS_TOGETHER               steps of the format that are one here; undefined: one
 *   PANELS_TOGETHER              the same of panels, whose steps then lie one after the other
 *
 * A step is one of the format, or STEPS_TOGETHER of them, from which, and from the kernel's row(), follow the facts of the sequence and its scalar reference (micro/step.h).
 *
 * Nothing is hoisted out of the loop: weights are in registers that an empty asm says to have changed, and activations lie at a place that one says to
 * have moved, once for all accumulators: rows side by side meet the same. On x86-64 gcc is given the registers, since it would otherwise copy weights from one to another.
 */
#ifndef MICRO_FRAMES_GAMMA_H
#define MICRO_FRAMES_GAMMA_H

#include <stdbool.h>
#include <stdint.h>

#include "micro/frames/rows.h"
#include "micro/sequence.h"
#include "micro/step.h"

extern const struct format SELF_FORMAT;
extern const struct kernel SELF;

/* apart from the kernel's own code, so that neither changes where the other lies, and each is disassembled alone */
#define GAMMA_CODE static __attribute__((noinline, flatten, section(".text.gamma")))

#ifdef STEP_LARGEST
#define STEP_ROW       int32_t
#define STEP_LANE      SEQUENCE_INT32
#define STEP_TOLERANCE 0
#else
#define STEP_ROW       float
#define STEP_LANE      SEQUENCE_FLOAT32
#define STEP_TOLERANCE 3.1e-5
#define STEP_LARGEST   1
#endif

#ifndef STEPS_TOGETHER
#define STEPS_TOGETHER 1
#endif
#ifndef PANELS_TOGETHER
#define PANELS_TOGETHER 1
#endif
#define GAMMA_COLUMNS (STEPS_TOGETHER * STEP_COLUMNS)
#define GAMMA_ROWS    (PANELS_TOGETHER * STEP_ROWS)
#define GAMMA_BYTES   (PANELS_TOGETHER * STEPS_TOGETHER * STEP_BYTES)

/* rows in registers of 128 bits and more */
#define STEP_LANES (GAMMA_ROWS <= 4 ? 4 : GAMMA_ROWS <= 8 ? 8 : (GAMMA_ROWS + 15) / 16 * 16)

#if defined STEP_WEIGHTS
/*
 * gcc for x86-64 alone is told the places of vectors. For aarch64 it would copy weights from such a place, and does too where it moves a use after the
 * change of the next step, which is volatile there.
 */
#if defined __clang__ || defined __aarch64__
#define GAMMA_PLACE(name)
#else
#define GAMMA_PLACE(name) __asm__(name)
#endif
#if defined __aarch64__
#define GAMMA_ASM    __asm__ volatile
#define GAMMA_VECTOR "+w"
#else
#define GAMMA_ASM    __asm__
#define GAMMA_VECTOR "+v"
#endif
#define GAMMA_PLACE_0 GAMMA_PLACE("xmm15")
#define GAMMA_PLACE_1 GAMMA_PLACE("xmm14")
#define GAMMA_PLACE_2 GAMMA_PLACE("xmm13")
#define GAMMA_PLACE_3 GAMMA_PLACE("xmm12")
#define GAMMA_PLACE_4 GAMMA_PLACE("xmm11")
#define GAMMA_PLACE_5 GAMMA_PLACE("xmm10")
#define GAMMA_PLACE_6 GAMMA_PLACE("xmm9")
#define GAMMA_PLACE_7 GAMMA_PLACE("xmm8")
#define GAMMA_PLACE_general
#define GAMMA_CLASS_0                    GAMMA_VECTOR
#define GAMMA_CLASS_1                    GAMMA_VECTOR
#define GAMMA_CLASS_2                    GAMMA_VECTOR
#define GAMMA_CLASS_3                    GAMMA_VECTOR
#define GAMMA_CLASS_4                    GAMMA_VECTOR
#define GAMMA_CLASS_5                    GAMMA_VECTOR
#define GAMMA_CLASS_6                    GAMMA_VECTOR
#define GAMMA_CLASS_7                    GAMMA_VECTOR
#define GAMMA_CLASS_general              "+r"
#define GAMMA_HOLD(number, type, name)   register type held_##name GAMMA_PLACE_##number = held.name;
#define GAMMA_CHANGE(number, type, name) GAMMA_ASM("" : GAMMA_CLASS_##number(held_##name));
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
#elif defined STEP_OF_ROWS
#define GAMMA_LOAD(weights) const uint8_t *held[] = {(weights), (weights), (weights), (weights)}
#define GAMMA_CHANGED                                                                                                  \
    _Pragma("GCC unroll 4") for (size_t r = 0; r < sizeof held / sizeof *held; r++) ROWS_READ_AGAIN(held[r]);
#else
#ifndef step_add
#define step_add add_block
#endif
#define GAMMA_LOAD(weights) const uint8_t *held = (weights)
#define GAMMA_CHANGED       ROWS_READ_AGAIN(held);
#define GAMMA_WEIGHTS       held
#define GAMMA_OF(weights)   (weights)
#endif

#ifdef STEP_SUMS_IN_MEMORY
#define GAMMA_ADD(sum, weights, activations) add_into(&(sum), weights, activations)
#define GAMMA_FINISH(rows, sum)              step_finish(rows, &(sum))
#else
#define GAMMA_FINISH                         step_finish
#define GAMMA_ADD(sum, weights, activations) (sum) = step_add(sum, weights, activations)
#endif

/* a step onto one sum, or onto all of them at once */
#if defined STEP_OF_ROWS
#define GAMMA_SUMS(many)     (many)
#define GAMMA_ADD_HELD(many) step_add_rows(sum, held, activations, many)
#define GAMMA_ADD_NEXT(many)                                                                                           \
    const uint8_t *held[many];                                                                                         \
    _Pragma("GCC unroll 4") for (int r = 0; r < many; r++) held[r] = weights + (i + r) * GAMMA_BYTES;                  \
    GAMMA_ADD_HELD(many)
#else
#define GAMMA_SUMS(many)     1
#define GAMMA_ADD_HELD(many) GAMMA_ADD(sum[i % many], GAMMA_WEIGHTS, activations)
#define GAMMA_ADD_NEXT(many) GAMMA_ADD(sum[i % many], GAMMA_OF(weights + i * GAMMA_BYTES), activations)
#endif

enum { GAMMA_STREAM_BYTES = 256 };
/* of a loop: whole rotations through any number of accumulators, of long steps one for each */
#define GAMMA_STEPS_OF(many) (GAMMA_ROWS * GAMMA_COLUMNS <= 32 ? 12 : (many))
#define GAMMA_STREAM_TURNS(many)                                                                                       \
    ((GAMMA_STREAM_BYTES + GAMMA_STEPS_OF(many) * GAMMA_BYTES - 1) / (GAMMA_STEPS_OF(many) * GAMMA_BYTES))
#define GAMMA_STREAM_STEPS(many) (GAMMA_STREAM_TURNS(many) * GAMMA_STEPS_OF(many))

ROWS_INLINE void gamma_store(void *to, const STEP_SUM *sum, size_t accumulators)
{
#pragma GCC unroll 4
    for (size_t i = 0; i < accumulators; i++) {
        STEP_ROW *rows = (STEP_ROW *)to + i * STEP_LANES;
        for (size_t row = GAMMA_ROWS; row < STEP_LANES; row++)
            rows[row] = 0;
        GAMMA_FINISH(rows, sum[i]);
    }
}

/*
 * Beside 32 vectors and more that lie in L1, in registers of 512 bits 64, a turn of a loop is nothing, and the compiler takes long for another copy of
 * them: one loop is that of gamma and of the knee, whose weights are `apart` from each other or, for gamma, the same, and 2U is U twice as often.
 */
#ifdef __AVX512F__
#define GAMMA_LONG_VECTORS 64
#else
#define GAMMA_LONG_VECTORS 32
#endif
#ifdef STEP_WEIGHTS
#define GAMMA_IS_LONG false
#define GAMMA_LONG(many)
#define GAMMA_RUN_LONG(many, iterations)
#define GAMMA_STREAM_LONG(many)
#else
#define GAMMA_IS_LONG (GAMMA_STEPS_OF(STEP_ACCUMULATORS) * GAMMA_ROWS * GAMMA_COLUMNS >= GAMMA_LONG_VECTORS * 32)
#ifdef STEP_OF_ROWS
#define GAMMA_ADD_EACH(many) GAMMA_ADD_HELD(many);
#else
#define GAMMA_ADD_EACH(many)                                                                                           \
    _Pragma("GCC unroll 4") for (int i = 0; i < many; i++) GAMMA_ADD(sum[i], held[i], activations);
#endif
#define GAMMA_LONG(many)                                                                                               \
    GAMMA_CODE void gamma_long_##many(const struct sequence_operands *operands, uint64_t turns, uint64_t distance,     \
                                      size_t apart, uint64_t more)                                                     \
    {                                                                                                                  \
        const STEP_ACTIVATIONS *activations = (const void *)operands->activations;                                     \
        const uint8_t *held[many];                                                                                     \
        STEP_SUM sum[many];                                                                                            \
        _Pragma("GCC unroll 4") for (size_t i = 0; i < many; i++)                                                      \
        {                                                                                                              \
            sum[i] = step_zero();                                                                                      \
            held[i] = operands->weights + i * apart;                                                                   \
        }                                                                                                              \
        uint64_t ahead = distance, left = more;                                                                        \
        do {                                                                                                           \
            /* in memory: registers are the loop's, and of vectors scripts/uops.c knows no integer */                  \
            __asm__("" : "+m"(ahead), "+m"(left));                                                                     \
            if (ahead)                                                                                                 \
                rows_prefetch(held[0], (size_t)GAMMA_STREAM_STEPS(many) * GAMMA_BYTES, ahead);                         \
            for (uint64_t turn = turns; turn; turn--) {                                                                \
                ROWS_READ_AGAIN(activations);                                                                          \
                _Pragma("GCC unroll 4") for (size_t i = 0; i < many; i++) ROWS_READ_AGAIN(held[i]);                    \
                GAMMA_ADD_EACH(many)                                                                                   \
                _Pragma("GCC unroll 4") for (size_t i = 0; i < many; i++) held[i] += many * apart;                     \
            }                                                                                                          \
        } while (left--);                                                                                              \
        gamma_store(operands->accumulators, sum, many);                                                                \
    }
#define GAMMA_RUN_LONG(many, iterations) gamma_long_##many(operands, iterations, 0, 0, 0)
#define GAMMA_STREAM_LONG(many)                                                                                        \
    gamma_long_##many(operands, GAMMA_STREAM_TURNS(many), distance, GAMMA_BYTES, groups / GAMMA_STREAM_STEPS(many) - 1)
#endif

#define GAMMA_TURN(many)                                                                                               \
    _Pragma("GCC unroll 32") for (int i = 0; i < GAMMA_STEPS_OF(many); i += GAMMA_SUMS(many))                          \
    {                                                                                                                  \
        GAMMA_CHANGED                                                                                                  \
        if (i % many == 0)                                                                                             \
            ROWS_READ_AGAIN(activations);                                                                              \
        GAMMA_ADD_HELD(many);                                                                                          \
    }

/* for gamma: the same weights in registers, `times` as many steps */
#define GAMMA_RUN(many, times)                                                                                         \
    GAMMA_CODE void gamma_run_##many##_##times(const struct sequence_operands *operands, uint64_t iterations)          \
    {                                                                                                                  \
        const STEP_ACTIVATIONS *activations = (const void *)operands->activations;                                     \
        STEP_SUM sum[many];                                                                                            \
        if (GAMMA_IS_LONG) {                                                                                           \
            GAMMA_RUN_LONG(many, times *iterations);                                                                   \
            return;                                                                                                    \
        }                                                                                                              \
        GAMMA_LOAD(operands->weights);                                                                                 \
        _Pragma("GCC unroll 4") for (int i = 0; i < many; i++) sum[i] = step_zero();                                   \
        do {                                                                                                           \
            _Pragma("GCC unroll 2") for (int turn = 0; turn < times; turn++)                                           \
            {                                                                                                          \
                GAMMA_TURN(many)                                                                                       \
            }                                                                                                          \
        } while (--iterations);                                                                                        \
        gamma_store(operands->accumulators, sum, many);                                                                \
    }

/* for the knee: other weights from memory for each step; one text for both streams, which differ in what is fetched ahead */
#define GAMMA_STREAM(many)                                                                                             \
    GAMMA_CODE void gamma_prefetch_##many(const struct sequence_operands *operands, uint64_t groups,                   \
                                          uint64_t distance)                                                           \
    {                                                                                                                  \
        const STEP_ACTIVATIONS *activations = (const void *)operands->activations;                                     \
        const uint8_t *weights = operands->weights;                                                                    \
        enum { STEPS = GAMMA_STREAM_STEPS(many) };                                                                     \
        STEP_SUM sum[many];                                                                                            \
        if (GAMMA_IS_LONG) {                                                                                           \
            GAMMA_STREAM_LONG(many);                                                                                   \
            return;                                                                                                    \
        }                                                                                                              \
        _Pragma("GCC unroll 4") for (int i = 0; i < many; i++) sum[i] = step_zero();                                   \
        do {                                                                                                           \
            if (distance)                                                                                              \
                rows_prefetch(weights, (size_t)STEPS *GAMMA_BYTES, distance);                                          \
            for (int turn = GAMMA_STREAM_TURNS(many); turn; turn--) {                                                  \
                _Pragma("GCC unroll 32") for (int i = 0; i < GAMMA_STEPS_OF(many); i += GAMMA_SUMS(many))              \
                {                                                                                                      \
                    if (i % many == 0)                                                                                 \
                        ROWS_READ_AGAIN(activations);                                                                  \
                    GAMMA_ADD_NEXT(many);                                                                              \
                }                                                                                                      \
                weights += GAMMA_STEPS_OF(many) * GAMMA_BYTES;                                                         \
            }                                                                                                          \
            groups -= STEPS;                                                                                           \
        } while (groups);                                                                                              \
        gamma_store(operands->accumulators, sum, many);                                                                \
    }                                                                                                                  \
    static void gamma_stream_##many(const struct sequence_operands *operands, uint64_t groups, uint64_t distance)      \
    {                                                                                                                  \
        distance = 0;                                                                                                  \
        __asm__("" : "+r"(distance)); /* or the compiler makes a copy of the loop for it */                            \
        gamma_prefetch_##many(operands, groups, distance);                                                             \
    }

#define GAMMA_FUNCTIONS(many)                                                                                          \
    GAMMA_LONG(many)                                                                                                   \
    GAMMA_RUN(many, 1)                                                                                                 \
    GAMMA_RUN(many, 2)                                                                                                 \
    GAMMA_STREAM(many)
#define GAMMA_VARIANT(many)                                                                                            \
    {                                                                                                                  \
        .accumulators = many, .dots = GAMMA_STEPS_OF(many), .run_u = gamma_run_##many##_1,                             \
        .run_2u = gamma_run_##many##_2, .stream_groups = GAMMA_STREAM_STEPS(many), .stream = gamma_stream_##many,      \
        .stream_prefetch = gamma_prefetch_##many                                                                       \
    }
/* STEP_ACCUMULATORS is a macro, whose value names the functions */
#define GAMMA_FUNCTIONS_OF(accumulators) GAMMA_FUNCTIONS(accumulators)
#define GAMMA_VARIANT_OF(accumulators)   GAMMA_VARIANT(accumulators)

GAMMA_FUNCTIONS_OF(STEP_ACCUMULATORS)
static const struct sequence_variant gamma_variant = GAMMA_VARIANT_OF(STEP_ACCUMULATORS);

static void gamma_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    /* for scripts/uops.c */
    __asm__(".set gamma_accumulators, %c0" ::"i"(STEP_ACCUMULATORS));
    __asm__(".set gamma_vectors, %c0" ::"i"(GAMMA_STEPS_OF(STEP_ACCUMULATORS) * GAMMA_ROWS * GAMMA_COLUMNS / 32));
    (void)dot;
    step_refer(&SELF, GAMMA_COLUMNS, PANELS_TOGETHER, data, sum, magnitude);
}

static void gamma_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    step_fill(&SELF, GAMMA_COLUMNS, PANELS_TOGETHER, STEP_LARGEST, weights, activations, seed);
}

const struct sequence SELF_GAMMA = {
    .name = SELF_NAME,
    .isa = SELF_ISA,
    .format = SELF_FORMAT_NAME,
    .sequence = SELF_SEQUENCE,
    .origin = KERNEL_ORIGIN,
    .bytes_per_vector = 32.0 * GAMMA_BYTES / (GAMMA_ROWS * GAMMA_COLUMNS),
    .tolerance = STEP_TOLERANCE,
    .vector_bytes = STEP_LANES * sizeof(STEP_ROW),
    .group_dots = 1,
    .group_vectors = GAMMA_ROWS * GAMMA_COLUMNS / 32,
    .least_accumulators = STEP_ACCUMULATORS,
    .weight_bytes = GAMMA_BYTES,
    .activation_bytes = sizeof(STEP_ACTIVATIONS),
    .weight_values = SEQUENCE_OWN,
    .activation_values = SEQUENCE_OWN,
    .lane = STEP_LANE,
    .reference = gamma_reference,
    .fill = gamma_fill,
    .variants = 1,
    .variant = &gamma_variant,
};

#endif
