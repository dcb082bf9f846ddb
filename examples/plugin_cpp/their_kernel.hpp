/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands for the C++ kernel that you have: put its header in its place, and link its object.
 */
#pragma once

#include <cstddef>
#include <cstdint>

namespace theirs {

/** Rows of int8 weights times float activations, one scale a row: y[row] = scale[row] * sum_k w[row][k] a[k]. */
template <typename Activation>
inline void rows_times_vector(const std::int8_t *weights, const float *scales, const Activation *activations, float *y,
                              std::size_t rows, std::size_t k)
{
    constexpr std::size_t parts = 8;
    for (std::size_t row = 0; row < rows; row++) {
        Activation sums[parts] = {};
        for (std::size_t column = 0; column < k; column++)
            sums[column % parts] += static_cast<Activation>(weights[row * k + column]) * activations[column];
        Activation sum = 0;
        for (Activation part : sums)
            sum += part;
        y[row] = scales[row] * sum;
    }
}

} // namespace theirs
