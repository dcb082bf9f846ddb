/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bitnet.cpp's TL2 as a plug-in: the look-ups that its generator made for the matrices of Llama3-8B-1.58, compiled out of a checkout.
 *
 *     needs: Llama3-8B-1.58-100B-tokens/bitnet-lut-kernels-tl2.h
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

#include <Llama3-8B-1.58-100B-tokens/bitnet-lut-kernels-tl2.h>

#include "plugins/bitnet_tl2.hpp"

#if !defined(__AVX2__) || !defined(BM14336_4096) || !defined(BM4096_14336) || !defined(BM1024_4096) ||                 \
    !defined(BM4096_4096)
#error "this plug-in is written for the preset of bitnet.cpp's Llama3-8B-1.58, on AVX2"
#endif

namespace
{

format tl2_128x96, tl2_256x96;
kernel k14336x4096, k4096x14336, k1024x4096, k4096x4096;
const kernel *const kernels[] = {&k14336x4096, &k4096x14336, &k1024x4096, &k4096x4096, nullptr};

int init(char *, std::size_t)
{
    tl2_128x96.name = "tl2_128x96";
    tl2_256x96.name = "tl2_256x96";
    static_assert(BM14336_4096 == 256 && BBK14336_4096 == 96 && BM4096_14336 == 128 && BBK4096_14336 == 96 &&
                  BM1024_4096 == 256 && BBK1024_4096 == 96 && BM4096_4096 == 128 && BBK4096_4096 == 96);
    k14336x4096 =
        made<14336, 4096, 256, 96>("tl2_256x96.bitnet_cpp_14336x4096.reference", "bitnet_cpp_14336x4096", &tl2_256x96);
    k4096x14336 =
        made<4096, 14336, 128, 96>("tl2_128x96.bitnet_cpp_4096x14336.reference", "bitnet_cpp_4096x14336", &tl2_128x96);
    k1024x4096 =
        made<1024, 4096, 256, 96>("tl2_256x96.bitnet_cpp_1024x4096.reference", "bitnet_cpp_1024x4096", &tl2_256x96);
    k4096x4096 =
        made<4096, 4096, 128, 96>("tl2_128x96.bitnet_cpp_4096x4096.reference", "bitnet_cpp_4096x4096", &tl2_128x96);
    return 0;
}

} // namespace

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .unused = 0,        .name = "bitnet_tl2_llama3", .version = PEER_VERSION,
                    .formats = nullptr,     .kernels = kernels, .sequences = nullptr,        .init = init};
