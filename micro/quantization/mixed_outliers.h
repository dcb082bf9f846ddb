/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_MIXED_OUTLIERS_H
#define MICRO_QUANTIZATION_MIXED_OUTLIERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mixed_outlier_choice {
    MIXED_OUTLIERS_OF_2_BITS, /* exclusively of groups in 2 bits, as the paper has them, those with the most gain */
    MIXED_OUTLIERS_ANYWHERE,  /* of all groups, by the same gain */
    MIXED_OUTLIERS_LARGEST, /* of all groups the largest (w / [H^-1]_cc)^2, whatever their groups lose: as works before it, to compare */
    MIXED_OUTLIERS_LARGEST_OF_2_BITS, /* of groups in 2 bits the largest |w|: what the paper says of them */
};

/**
 * Which weights of 16 rows become sparse outliers. The paper keeps "large weights" of groups in 2 bits [mixed-2-4-16, 4.3] and does not say
 * more; ours are those whose absence from the fit of their group's scale takes most
 * off the group's loss, sum S_c error^2, with S_c = 1 / [H^-1]_cc, which is what an error costs once the other columns have made up for it.
 *
 * Not the weights whose own error is largest: minimum and maximum of a group are steps of its scale and have next to none, yet stretch it
 * for all others. The largest are looked for in rounds, at most one of a group (of a row) in each, since what the next
 * takes off depends on the last.
 *
 * @param w           [rows][k], at most 16 rows
 * @param kind        [k / 16], enum mixed_kind of each group
 * @param importance  [k], S_c
 * @param count       of outliers; fewer are marked if no other takes anything off
 * @param outlier     [rows][k], those that are
 * @return how many were marked, or -ENOMEM
 */
long mixed_outliers_mark(const float *w, size_t rows, size_t k, const uint8_t *kind, const double *importance,
                         enum mixed_outlier_choice choice, size_t count, bool *outlier);

#endif
