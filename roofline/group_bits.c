/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/group_bits.h"

const struct group_bits group_bits_mixed_low = {
    .weight = 2, .group = 16, .zero = 2, .scale = (4 + 3 + 3) / 3.0, .group2 = 16, .zero2 = 8, .scale2 = 16};
const struct group_bits group_bits_mixed_high = {.weight = 4, .group = 16, .group2 = 16, .zero2 = 8, .scale2 = 16};

double group_bits(const struct group_bits *of)
{
    double bits = of->weight + (of->scale + of->zero) / of->group;
    return of->group2 > 0 ? bits + (of->scale2 + of->zero2) / (of->group * of->group2) : bits;
}

double group_bits_mixed(const struct group_bits *low, const struct group_bits *high, double share_of_high)
{
    return (1 - share_of_high) * group_bits(low) + share_of_high * group_bits(high);
}

double group_bits_outliers(double ratio, double k)
{
    return (16 + 16) * ratio + 32 / k;
}
