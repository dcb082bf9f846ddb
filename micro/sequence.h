/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_SEQUENCE_H
#define MICRO_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Up-convert-and-multiply sequences for gamma: operands in registers, loads of weights excluded, nothing but the
 * sequence. A step in C of more weights than registers hold reads them from L1.
 *
 * One .S file a sequence (micro/formats/<format>/<format>.<sequence>.<isa>.S) or a row of sequences.def, or the step of a kernel in C (micro/frames/gamma.h), expanded for
 * every number of accumulators and for U and 2U dot products an iteration; timing the two and subtracting removes the loop.
 * The same text with the loads of its weights is a stream through memory: the smallest kernel there is, to compare with
 * the roof.
 */

/** How a packed byte becomes the multiplicand of one dot product: what the scalar check recomputes. */
struct sequence_dot {
    uint32_t kind; /* enum sequence_dot_kind */
    uint32_t mask; /* SEQUENCE_FIELD: (byte & mask) >> shift, then + bias */
    uint32_t shift;
    int32_t bias; /* SEQUENCE_BITS: value of a clear bit */
    int32_t set;  /* SEQUENCE_BITS: value of a set bit */
};
/** mask of a dot that takes the byte as signed. */
#define SEQUENCE_SIGNED_BYTE 0x1ffu

enum sequence_dot_kind {
    SEQUENCE_FIELD,  /* multiplicand i from byte i of the register */
    SEQUENCE_BITS,   /* multiplicand i from bit i of the register, counted from its lowest bit */
    SEQUENCE_LOOKUP, /* byte i of the activations' register is a table of 4 x 16 entries: entry (byte & mask) >> shift
                        of its part i % 4, unsigned if set is 0, signed if it is 1; multiplied by one */
};

/** What an accumulator register holds. */
enum sequence_lane { SEQUENCE_INT32, SEQUENCE_INT16, SEQUENCE_FLOAT32 };

/** Values that weights or activations may take. */
enum sequence_values {
    SEQUENCE_BYTES, /* any bit pattern */
    SEQUENCE_INT8,  /* -127 … 127 */
    SEQUENCE_F32,   /* floats: either sign, magnitude in [1/16, 16) */
    SEQUENCE_F16,
    SEQUENCE_BF16,
    SEQUENCE_OWN, /* what the sequence's own fill makes */
};

enum {
    SEQUENCE_ACCUMULATORS_MAX = 12,
    SEQUENCE_WEIGHT_BYTES_MAX = 16384,
    SEQUENCE_ACTIVATION_BYTES_MAX = 8192,
    SEQUENCE_VECTOR_BYTES_MAX = 1280, /* sums of 320 rows; a tile has 1024, a vector register 64 at most */
};

/** Bytes that are read are these and no others. */
struct sequence_operands {
    const uint8_t *weights; /* weight_bytes; of a stream, groups * weight_bytes; at any address */
    const uint8_t *
        activations; /* activation_bytes: activations, or tables made of them; at a multiple of the largest power of two that divides
                                   activation_bytes, up to 64 */
    void *accumulators; /* out: [accumulators][vector_bytes], 64-byte aligned */
};

/** The weights of one group, and the activations. */
struct sequence_data {
    const uint8_t *weights, *activations;
};

/**
 * @param iterations of the loop, > 0; in each, accumulator n of A takes dots n, n + A, n + 2A, … of dots (or 2 dots)
 */
typedef void sequence_run(const struct sequence_operands *operands, uint64_t iterations);

/**
 * The same from memory: the weights of each group are loaded before it. Accumulator n of A takes dots n, n + A, … of
 * all groups.
 * @param groups          > 0, a multiple of the variant's stream_groups
 * @param prefetch_bytes  distance that `stream_prefetch` asks ahead for each cache line; `stream` ignores it
 */
typedef void sequence_stream(const struct sequence_operands *operands, uint64_t groups, uint64_t prefetch_bytes);

/**
 * Add to the lanes of `sum` (vector_bytes) what dot product `dot` of a group, 0 … group_dots - 1, adds to its
 * accumulator.
 * @param magnitude  float lanes: [lanes] sums of |terms|, to be added to; else NULL
 */
typedef void sequence_refer(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude);

/** The next 64 bits of a random stream (splitmix64), for fills. */
static inline uint64_t sequence_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/** Fill weight_bytes and activation_bytes, which lie as in struct sequence_operands. Weights of one seed go with activations of any other. */
typedef void sequence_filler(uint8_t *weights, uint8_t *activations, uint64_t seed);

struct sequence_variant {
    uint64_t accumulators; /* independent accumulators */
    uint64_t dots;         /* dot products an iteration of run_u: a multiple of group_dots */
    sequence_run *run_u;
    sequence_run *run_2u;   /* twice as many */
    uint64_t stream_groups; /* a stream takes multiples of this many groups */
    sequence_stream *stream, *stream_prefetch;
};

/** Laid out by sequence_frame.h. */
struct sequence {
    const char *name; /* "<format>.<sequence>.<isa>" */
    const char *isa;
    const char *format;      /* "int2_vnni4" */
    const char *sequence;    /* "envelope", "mask", "prefix", "dot" */
    const char *origin;      /* the paper's short name, or "kneepoint" */
    double claimed_gamma;    /* cycles the source states for a performance core; 0 if none */
    double bytes_per_vector; /* B: packed bytes of one output vector of 32 weights */
    double tolerance;        /* float lanes: |got - wanted| <= tolerance * sum of |terms|; 0: exact */
    uint32_t vector_bytes;   /* of a register: 16, 32 or 64 */
    uint32_t group_dots;     /* dot products of one group: the sequence repeats after it */
    uint32_t group_uops;    /* of one group, fused: GROUP_UOPS in sequence_frame.h; 0 of a step in C: sequence_uops() */
    uint32_t group_vectors; /* output vectors of 32 weights that one group makes */
    uint32_t least_accumulators; /* fewest that a real kernel can work with; below it is a probe of latency */
    uint32_t weight_bytes;       /* packed bytes that one group loads */
    uint32_t activation_bytes;
    uint32_t weight_values, activation_values; /* enum sequence_values */
    uint32_t lane;                             /* enum sequence_lane */
    const struct sequence_dot *dots;           /* [group_dots]; NULL: the reference knows */
    sequence_refer *reference;                 /* NULL: the dots say it */
    sequence_filler *fill;                     /* of what is SEQUENCE_OWN; else NULL */
    uint64_t variants;                         /* of rising numbers of accumulators */
    const struct sequence_variant *variant;
};

/** Lanes of an accumulator register. */
uint32_t sequence_lanes(const struct sequence *sequence);

/** Whether it is the step of a kernel in C (micro/frames/gamma.h): one dot product a group, and uops that are counted, not stated. */
bool sequence_is_step(const struct sequence *sequence);

/** Uops of one group, of the fused domain: as it states them, or of a kernel in C as its code has them, rounded. */
uint32_t sequence_uops(const struct sequence *sequence);

/** Output vectors of 32 weights that one dot product of this sequence makes; may be a fraction. */
double sequence_vectors_per_dot(const struct sequence *sequence);

/** All sequences of this architecture and of plug-ins, NULL-terminated, in name order. */
const struct sequence *const *sequence_all(void);
const struct sequence *sequence_find(const char *name);

/**
 * Random weights of `groups` groups and activations, as the sequence needs them; the same for the same seed.
 * @param weights      groups * weight_bytes, at any address
 * @param activations  activation_bytes, at any address
 */
void sequence_draw(const struct sequence *sequence, uint64_t seed, uint64_t groups, uint8_t *weights,
                   uint8_t *activations);

/** A lane that differs from the scalar result. */
struct sequence_difference {
    uint64_t accumulator;
    uint32_t lane;
    double got, wanted;
};

/**
 * Compare every lane of every accumulator with the scalar result of this many iterations of run_u (twice: of run_2u),
 * which have just been run on these operands.
 * @param first  receives the first lane that differs, if one does; may be NULL
 * @return number of wrong lanes (0: all agree)
 */
size_t sequence_compare(const struct sequence *sequence, const struct sequence_variant *variant, int twice,
                        uint64_t iterations, const struct sequence_operands *operands,
                        struct sequence_difference *first);

/** The same of a stream over `groups` groups. */
size_t sequence_compare_stream(const struct sequence *sequence, const struct sequence_variant *variant,
                               const struct sequence_operands *operands, uint64_t groups,
                               struct sequence_difference *first);

/**
 * Run one iteration of a variant, U and 2U, on the operands' values and compare.
 * operands->accumulators is scratch for accumulators * vector_bytes.
 * @return number of wrong lanes
 */
size_t sequence_check(const struct sequence *sequence, const struct sequence_variant *variant,
                      const struct sequence_operands *operands);

/** The same of a stream over `groups` groups, without prefetch if prefetch_bytes is 0. */
size_t sequence_check_stream(const struct sequence *sequence, const struct sequence_variant *variant,
                             const struct sequence_operands *operands, uint64_t groups, uint64_t prefetch_bytes);

#ifdef __cplusplus
}
#endif

#endif
