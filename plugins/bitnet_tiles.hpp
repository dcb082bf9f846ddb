/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLUGINS_BITNET_TILES_HPP
#define PLUGINS_BITNET_TILES_HPP

/**
 * What the plug-ins of bitnet.cpp's generated look-ups share, TL1 and TL2. Such code is bound to a shape: a call computes a tile of BM rows
 * of one K. So is a kernel here: K is the shape's, and rows come in whole tiles, of which a matrix may have any number, since nothing in a
 * tile depends on how many there are.
 */
#include <cstddef>

#include "micro/plugin.h"

namespace
{

constexpr std::size_t SCALE = 64; /* bytes before the tables, of which the first four are 127 / largest activation */

/** The kernel of a shape, which has gemv(), operand_bytes(), prepare() and row(), for matrices of K columns. */
template <class SHAPE, std::size_t K> kernel tiles_kernel(const char *name, const char *sequence, const format *of)
{
    kernel k = {};
    k.name = name;
    k.sequence = sequence;
    k.isa = "reference";
    k.format = of;
    k.takes = KERNEL_TAKES_F32;
    k.gives = KERNEL_GIVES_F32;
    k.float_sums = KERNEL_FLOAT_SUMS_ALL;
    k.whole_panels = true;
    k.gemv = SHAPE::gemv;
    k.prepared_bytes = SHAPE::operand_bytes;
    k.prepare = SHAPE::prepare;
    k.row = SHAPE::row;
    k.k_least = k.k_most = K;
    k.operand.bits = 8;
    return k;
}

} // namespace

#endif
