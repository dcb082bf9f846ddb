/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A kernel written in C++ as a plug-in: the template to begin with. What is to be changed is marked with 1 to 4.
 *
 *     c++ -std=c++20 -O2 -shared -fPIC $(pkg-config --cflags kneepoint) -o libtheirs.so plugin.cpp
 */
#include <cmath>
#include <cstring>

#include "micro/plugin.h"
#include "their_kernel.hpp" /* 1: your kernel's header */

namespace {

/*
 * 2: how your kernel wants a panel to lie in memory. Here a panel is four rows: their scales, padded to a line, then their
 * weights row by row. Such a panel is no row of equal steps, so its size is said by a function.
 */
constexpr std::uint32_t rows = 4, k_granule = 32;
constexpr std::size_t head_bytes = 64;

std::size_t panel_bytes(std::size_t k)
{
    return head_bytes + rows * k;
}

float scale_of(const std::uint8_t *panel, std::uint32_t row)
{
    float scale;
    std::memcpy(&scale, panel + row * sizeof scale, sizeof scale);
    return scale;
}

double weight(const std::uint8_t *panel, std::size_t k, std::uint32_t row, std::uint32_t column)
{
    auto w = static_cast<std::int8_t>(panel[head_bytes + row * k + column]);
    return static_cast<double>(scale_of(panel, row)) * w;
}

void pack(const float *w, std::size_t k, std::uint8_t *panel)
{
    std::memset(panel, 0, head_bytes);
    for (std::uint32_t row = 0; row < rows; row++) {
        float most = 0;
        for (std::size_t column = 0; column < k; column++)
            most = std::fmax(most, std::fabs(w[row * k + column]));
        float scale = most > 0 ? most / 127 : 1;
        std::memcpy(panel + row * sizeof scale, &scale, sizeof scale);
        for (std::size_t column = 0; column < k; column++)
            panel[head_bytes + row * k + column] = static_cast<std::uint8_t>(std::lrintf(w[row * k + column] / scale));
    }
}

/** Not every bit pattern is such a panel: the scales must be numbers. Benchmarks read nothing else. */
void fill(std::uint8_t *panel, std::size_t k, std::uint64_t *random)
{
    for (std::size_t i = 0; i < panel_bytes(k); i++)
        panel[i] = static_cast<std::uint8_t>((*random = *random * 6364136223846793005u + 1442695040888963407u) >> 56);
    std::memset(panel, 0, head_bytes);
    for (std::uint32_t row = 0; row < rows; row++) {
        float scale = 0.01f * static_cast<float>(row + 1);
        std::memcpy(panel + row * sizeof scale, &scale, sizeof scale);
    }
}

/** The plain function that Kneepoint calls. */
using kernel_function = void (*)(const std::int8_t *weights, const float *scales, const float *activations, float *y,
                                 std::size_t rows, std::size_t k);

/** 3: your kernel, as a pointer to a plain function; a member function or a lambda without captures does as well. */
constexpr kernel_function theirs_f32 = theirs::rows_times_vector<float>;

/** Nothing may be thrown through C: what your kernel throws would end the process, and be reported as its abort. */
void gemv(const gemv_slice *slice) noexcept
{
    for (std::size_t p = 0; p < slice->panels; p++) {
        const std::uint8_t *panel = slice->weights + p * slice->panel_bytes;
        float scales[rows];
        std::memcpy(scales, panel, sizeof scales);
        theirs_f32(reinterpret_cast<const std::int8_t *>(panel + head_bytes), scales, slice->activations_f32,
                   slice->out_f32 + p * rows, rows, slice->k);
    }
}

/* 4: names, and what it needs. "reference" runs on any CPU; code that is built with -mavx2 says "avx2". */
const format rows8 = {
    .name = "rows8",
    .bits = 8,
    .rows_per_panel = rows,
    .k_per_step = k_granule,
    .max_k = 1 << 20,
    .panel_bytes = panel_bytes,
    .pack = pack,
    .weight = weight,
    .fill = fill,
};

const kernel rows8_theirs = {
    .name = "rows8.theirs.reference",
    .sequence = "theirs",
    .isa = "reference",
    .format = &rows8,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .gemv = gemv,
};

const format *const formats[] = {&rows8, nullptr};
const kernel *const kernels[] = {&rows8_theirs, nullptr};

} // namespace

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .name = "theirs", .formats = formats, .kernels = kernels};
