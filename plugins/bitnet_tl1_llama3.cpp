/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bitnet.cpp's TL1 as a plug-in: the look-ups that its generator made for the matrices of Llama3-8B-1.58, compiled out of a checkout.
 *
 *     needs: Llama3-8B-1.58-100B-tokens/bitnet-lut-kernels-tl1.h
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

#include <Llama3-8B-1.58-100B-tokens/bitnet-lut-kernels-tl1.h>

#include "plugins/bitnet_tl1.hpp"

#if !defined(BM14336_4096) || !defined(BM4096_14336) || !defined(BM1024_4096) || !defined(BM4096_4096)
#error "this plug-in is written for the preset of bitnet.cpp's Llama3-8B-1.58"
#endif

namespace
{

format tl1_128x64x32, tl1_128x64x64, tl1_256x128x32, tl1_256x128x64;
kernel k14336x4096, k4096x14336, k1024x4096, k4096x4096;
const kernel *const kernels[] = {&k14336x4096, &k4096x14336, &k1024x4096, &k4096x4096, nullptr};

int init(char *, std::size_t)
{
    tl1_128x64x32.name = "tl1_128x64x32";
    tl1_128x64x64.name = "tl1_128x64x64";
    tl1_256x128x32.name = "tl1_256x128x32";
    tl1_256x128x64.name = "tl1_256x128x64";
    static_assert(BM14336_4096 == 256 && BBK14336_4096 == 128 && BM4096_14336 == 256 && BBK4096_14336 == 128 &&
                  BM1024_4096 == 128 && BBK1024_4096 == 64 && BM4096_4096 == 128 && BBK4096_4096 == 64);
    k14336x4096 = made<14336, 4096, 256, 128, 64>("tl1_256x128x64.bitnet_cpp_14336x4096.reference",
                                                  "bitnet_cpp_14336x4096", &tl1_256x128x64);
    k4096x14336 = made<4096, 14336, 256, 128, 32>("tl1_256x128x32.bitnet_cpp_4096x14336.reference",
                                                  "bitnet_cpp_4096x14336", &tl1_256x128x32);
    k1024x4096 = made<1024, 4096, 128, 64, 64>("tl1_128x64x64.bitnet_cpp_1024x4096.reference", "bitnet_cpp_1024x4096",
                                               &tl1_128x64x64);
    k4096x4096 = made<4096, 4096, 128, 64, 32>("tl1_128x64x32.bitnet_cpp_4096x4096.reference", "bitnet_cpp_4096x4096",
                                               &tl1_128x64x32);
    return 0;
}

} // namespace

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .unused = 0,        .name = "bitnet_tl1_llama3", .version = PEER_VERSION,
                    .formats = nullptr,     .kernels = kernels, .sequences = nullptr,        .init = init};
