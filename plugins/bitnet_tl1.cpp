/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bitnet.cpp's TL1 as a plug-in: the look-ups that its generator made for the matrices of its 3B model, compiled out of a checkout.
 *
 *     needs: bitnet_b1_58-3B/bitnet-lut-kernels-tl1.h
 *     machine: aarch64
 *     compiler: clang++
 *     variable: BITNET
 *     checkout: bitnet.cpp (BitNet), which need not be built
 *     headers: include preset_kernels src
 *     flags: -O3 -w -isystem plugins/bitnet_ggml
 *
 * It adds vectors of bytes to vectors of words, as clang alone lets it. What a kernel of it is: bitnet_tl1.hpp.
 */
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#define GGML_BITNET_ARM_TL1
#include <ggml-bitnet.h>

#include <bitnet_b1_58-3B/bitnet-lut-kernels-tl1.h>

#include "plugins/bitnet_tl1.hpp"

#if !defined(BM3200_8640) || !defined(BM3200_3200) || !defined(BM8640_3200)
#error "this plug-in is written for the preset of bitnet.cpp's 3B model"
#endif

namespace
{

format tl1_160x64x32, tl1_320x64x32, tl1_320x128x64;
kernel k3200x8640, k3200x3200, k8640x3200;
const kernel *const kernels[] = {&k3200x8640, &k3200x3200, &k8640x3200, nullptr};

int init(char *, std::size_t)
{
    tl1_160x64x32.name = "tl1_160x64x32";
    tl1_320x64x32.name = "tl1_320x64x32";
    tl1_320x128x64.name = "tl1_320x128x64";
    static_assert(BM3200_8640 == 160 && BBK3200_8640 == 64 && BM3200_3200 == 320 && BBK3200_3200 == 128 &&
                  BM8640_3200 == 320 && BBK8640_3200 == 64);
    k3200x8640 = made<3200, 8640, 160, 64, 32>("tl1_160x64x32.bitnet_cpp_3200x8640.reference", "bitnet_cpp_3200x8640",
                                               &tl1_160x64x32);
    k3200x3200 = made<3200, 3200, 320, 128, 64>("tl1_320x128x64.bitnet_cpp_3200x3200.reference", "bitnet_cpp_3200x3200",
                                                &tl1_320x128x64);
    k8640x3200 = made<8640, 3200, 320, 64, 32>("tl1_320x64x32.bitnet_cpp_8640x3200.reference", "bitnet_cpp_8640x3200",
                                               &tl1_320x64x32);
    return 0;
}

} // namespace

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .unused = 0,        .name = "bitnet_tl1", .version = PEER_VERSION,
                    .formats = nullptr,     .kernels = kernels, .sequences = nullptr, .init = init};
