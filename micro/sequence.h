/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_SEQUENCE_H
#define MICRO_SEQUENCE_H

#include <stddef.h>
#include <stdint.h>

/**
 * Up-convert-and-multiply sequences for gamma: operands in registers, loads of weights excluded, nothing but the
 * sequence.
 *
 * One .S file a sequence (micro/sequences/<arch>/<format>.<sequence>.<isa>.S), expanded by sequence_frame.h for every
 * number of accumulators and for U and 2U dot products an iteration; timing the two and subtracting removes the loop.
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

struct sequence_operands {
    const uint8_t *weights;    /* one register of packed bytes, 64 bytes readable, 64-byte aligned */
    const int8_t *activations; /* one register, 64 bytes readable, 64-byte aligned; values -127 … 127 */
    int32_t *accumulators;     /* [accumulators][lanes] out, 64-byte aligned */
};

typedef void sequence_run(const struct sequence_operands *operands, uint64_t iterations);

struct sequence_variant {
    uint64_t accumulators; /* independent accumulators */
    sequence_run *run_u;   /* SEQUENCE_DOTS dot products an iteration */
    sequence_run *run_2u;  /* twice as many */
};

enum { SEQUENCE_DOTS = 48 }; /* a multiple of every group and of every accumulator count */

struct sequence {
    const char *name; /* "<format>.<sequence>.<isa>" */
    const char *isa;
    const char *format;              /* "int2_vnni4" */
    const char *sequence;            /* "paper", "mask", "prefix", "dot" */
    const char *origin;              /* "envelope" or "kneepoint" */
    double claimed_gamma;            /* cycles the source states for a performance core; 0 if none */
    double bytes_per_vector;         /* B: packed bytes of one output vector of 32 weights */
    uint32_t lanes;                  /* 32-bit lanes of a register: 8 or 16 */
    uint32_t group_dots;             /* dot products of one group: the sequence repeats after it */
    uint32_t group_uops;             /* uops of one group, loads of constants fused */
    uint32_t group_vectors;          /* output vectors of 32 weights that one group makes */
    uint32_t least_accumulators;     /* fewest that a real kernel can work with; below it is a probe of latency */
    const struct sequence_dot *dots; /* [group_dots] */
    uint64_t variants;
    const struct sequence_variant *variant;
};

/** Output vectors of 32 weights that one dot product of this sequence makes. */
double sequence_vectors_per_dot(const struct sequence *sequence);

/** All sequences of this architecture, NULL-terminated, in name order. */
const struct sequence *const *sequence_all(void);
const struct sequence *sequence_find(const char *name);

/**
 * Run one iteration of a variant on the operands' values and compare every lane of every accumulator with the scalar
 * result. operands->accumulators is scratch for accumulators * lanes values.
 * @return number of wrong lanes (0: exact)
 */
size_t sequence_check(const struct sequence *sequence, const struct sequence_variant *variant,
                      const struct sequence_operands *operands);

#endif
