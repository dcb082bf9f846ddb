/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bitnet.cpp's TL2 as a plug-in: the look-ups that its generator made for the matrices of its 3B model, compiled out of a checkout.
 *
 *     needs: bitnet_b1_58-3B/bitnet-lut-kernels-tl2.h
 *     machine: x86_64
 *     compiler: clang++
 *     variable: BITNET
 *     checkout: bitnet.cpp (BitNet), which need not be built
 *     headers: include preset_kernels src
 *     flags: -O3 -march=native -w -isystem plugins/bitnet_ggml
 *
 * It takes floats for integers in places, as clang alone lets it; that takes a minute or two, since it is made for batches of up to 512.
 * What a kernel of it is: bitnet_tl2.hpp.
 */
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <immintrin.h>

#define GGML_BITNET_X86_TL2
#include <ggml-bitnet.h>

#include <bitnet_b1_58-3B/bitnet-lut-kernels-tl2.h>

#include "plugins/bitnet_tl2.hpp"

#if !defined(__AVX2__) || !defined(BM3200_8640) || !defined(BM3200_3200) || !defined(BM8640_3200)
#error "this plug-in is written for the preset of bitnet.cpp's 3B model, on AVX2"
#endif

namespace
{

format tl2_160x96, tl2_320x96;
kernel k3200x8640, k3200x3200, k8640x3200;
const kernel *const kernels[] = {&k3200x8640, &k3200x3200, &k8640x3200, nullptr};

int init(char *, std::size_t)
{
    tl2_160x96.name = "tl2_160x96";
    tl2_320x96.name = "tl2_320x96";
    static_assert(BM3200_8640 == 160 && BBK3200_8640 == 96 && BM3200_3200 == 320 && BBK3200_3200 == 96 &&
                  BM8640_3200 == 320 && BBK8640_3200 == 96);
    k3200x8640 =
        made<3200, 8640, 160, 96>("tl2_160x96.bitnet_cpp_3200x8640.reference", "bitnet_cpp_3200x8640", &tl2_160x96);
    k3200x3200 =
        made<3200, 3200, 320, 96>("tl2_320x96.bitnet_cpp_3200x3200.reference", "bitnet_cpp_3200x3200", &tl2_320x96);
    k8640x3200 =
        made<8640, 3200, 320, 96>("tl2_320x96.bitnet_cpp_8640x3200.reference", "bitnet_cpp_8640x3200", &tl2_320x96);
    return 0;
}

} // namespace

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .unused = 0,        .name = "bitnet_tl2", .version = PEER_VERSION,
                    .formats = nullptr,     .kernels = kernels, .sequences = nullptr, .init = init};
