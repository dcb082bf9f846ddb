/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bitnet.cpp's TL1 as a plug-in: the look-ups that its generator made for the matrices of its large model, of 0.7B, compiled out of a checkout.
 *
 *     needs: bitnet_b1_58-large/bitnet-lut-kernels-tl1.h
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

#include <bitnet_b1_58-large/bitnet-lut-kernels-tl1.h>

#include "plugins/bitnet_tl1.hpp"

#if !defined(BM1536_4096) || !defined(BM1536_1536) || !defined(BM4096_1536)
#error "this plug-in is written for the preset of bitnet.cpp's large model"
#endif

namespace
{

format tl1_128x64x64, tl1_256x128x32;
kernel k1536x4096, k1536x1536, k4096x1536;
const kernel *const kernels[] = {&k1536x4096, &k1536x1536, &k4096x1536, nullptr};

int init(char *, std::size_t)
{
    tl1_128x64x64.name = "tl1_128x64x64";
    tl1_256x128x32.name = "tl1_256x128x32";
    static_assert(BM1536_4096 == 256 && BBK1536_4096 == 128 && BM1536_1536 == 128 && BBK1536_1536 == 64 &&
                  BM4096_1536 == 256 && BBK4096_1536 == 128);
    k1536x4096 = made<1536, 4096, 256, 128, 32>("tl1_256x128x32.bitnet_cpp_1536x4096.reference", "bitnet_cpp_1536x4096",
                                                &tl1_256x128x32);
    k1536x1536 = made<1536, 1536, 128, 64, 64>("tl1_128x64x64.bitnet_cpp_1536x1536.reference", "bitnet_cpp_1536x1536",
                                               &tl1_128x64x64);
    k4096x1536 = made<4096, 1536, 256, 128, 32>("tl1_256x128x32.bitnet_cpp_4096x1536.reference", "bitnet_cpp_4096x1536",
                                                &tl1_256x128x32);
    return 0;
}

} // namespace

KNEEPOINT_PLUGIN = {KNEEPOINT_PLUGIN_BUILT, .unused = 0,        .name = "bitnet_tl1_large", .version = PEER_VERSION,
                    .formats = nullptr,     .kernels = kernels, .sequences = nullptr,       .init = init};
