/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

/**
 * What only drawing again can tell. Every draw comes from a seed: the same seed gives the same numbers.
 *
 * Values are logarithms of times; effects and bounds are logarithms of ratios.
 */
struct resample_random {
    uint64_t state;
};

/** Next number (splitmix64), and one in [0, below), 0 < below < 2^32. */
uint64_t resample_next(struct resample_random *random);
size_t resample_below(struct resample_random *random, size_t below);

/**
 * What this noise alone would pass for an effect: the 95th percentile of the absolute estimate when nothing changed.
 * The differences, moved to zero by their own estimate, are drawn n at a time with random signs, and each draw is
 * estimated as the data were. NaN for n < 2 or without memory.
 */
double resample_paired_floor(const double *difference, size_t n, uint64_t seed);

/** The same of two independent samples, one of them moved onto the other. NaN for a sample of less than 2. */
double resample_unpaired_floor(const double *base, size_t m, const double *head, size_t n, uint64_t seed);

/** One cell of a geometric mean: logarithms by block. Paired: head only, the logarithms of the ratios. */
struct resample_cell {
    double effect; /* estimate of the cell */
    const double *base, *head;
    const unsigned *base_block, *head_block; /* in [0, blocks) */
    size_t base_count, head_count;           /* paired: base_count 0 */
};

struct resample_mean {
    double effect;  /* mean of the cells' effects: logarithm of the geometric mean of their ratios */
    double ci95[2]; /* percentile interval of the bootstrap */
};

/**
 * Geometric mean over cells with a bootstrap over blocks: a block is drawn with all its cells, since they share the
 * process and its luck. Each draw moves a cell's effect by the median of what the drawn blocks deviate from it.
 * @param blocks  more than any block number
 * @return 0; -EINVAL without cells or blocks; -ENOMEM
 */
int resample_geometric_mean(const struct resample_cell *cells, size_t count, size_t blocks, uint64_t seed,
                            struct resample_mean *mean);
