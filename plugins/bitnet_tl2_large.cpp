/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bitnet.cpp's TL2 as a plug-in: the look-ups that its generator made for the matrices of its large model, of 0.7B, compiled out of a checkout.
 *
 *     needs: bitnet_b1_58-large/bitnet-lut-kernels-tl2.h
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

#include <bitnet_b1_58-large/bitnet-lut-kernels-tl2.h>

#include "plugins/bitnet_tl2.hpp"

#if !defined(__AVX2__) || !defined(BM1536_4096) || !defined(BM1536_1536) || !defined(BM4096_1536)
#error "this plug-in is written for the preset of bitnet.cpp's large model, on AVX2"
#endif

namespace
{

format tl2_128x192, tl2_256x96;
kernel k1536x4096, k1536x1536, k4096x1536;
const kernel *const kernels[] = {&k1536x4096, &k1536x1536, &k4096x1536, nullptr};

int init(char *, std::size_t)
{
    tl2_128x192.name = "tl2_128x192";
    tl2_256x96.name = "tl2_256x96";
    static_assert(BM1536_4096 == 256 && BBK1536_4096 == 96 && BM1536_1536 == 128 && BBK1536_1536 == 192 &&
                  BM4096_1536 == 256 && BBK4096_1536 == 96);
    k1536x4096 =
        made<1536, 4096, 256, 96>("tl2_256x96.bitnet_cpp_1536x4096.reference", "bitnet_cpp_1536x4096", &tl2_256x96);
    k1536x1536 =
        made<1536, 1536, 128, 192>("tl2_128x192.bitnet_cpp_1536x1536.reference", "bitnet_cpp_1536x1536", &tl2_128x192);
    k4096x1536 =
        made<4096, 1536, 256, 96>("tl2_256x96.bitnet_cpp_4096x1536.reference", "bitnet_cpp_4096x1536", &tl2_256x96);
    return 0;
}

} // namespace

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .unused = 0,        .name = "bitnet_tl2_large", .version = PEER_VERSION,
                    .formats = nullptr,     .kernels = kernels, .sequences = nullptr,       .init = init};
