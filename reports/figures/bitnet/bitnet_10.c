/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/token_scaling.h"

static const enum bitnet_system shown[] = {BITNET_TL2_0, BITNET_I2_S};

const struct figure figure_bitnet_10 = {
    .name = "bitnet_10",
    .title = "Thread scaling and its bandwidth, bitnet_b1_58-large [bitnet-cpp, Fig. 10]",
    .caption =
        "Left, the tokens per second that the cold GEMVs of the 700M model allow with this many threads; right, the "
        "bytes of weights that they read per second, below the dotted read roof, measured beside them. Full lines and dots are the paper's "
        "renderings, dashed lines and circles the fastest of ours in the same format. In the paper, measured end to "
        "end on an i5-13400F, both stop growing at 4 threads, where memory is saturated. Here it is saturated where a "
        "line meets the dotted one. Only teams with which every shape was measured are shown. Diamonds are passes "
        "through the whole model (`kneepoint decode --model=bitnet-700m --head=f16`), where the run has them.",
    .units = "threads; tokens per second; GB/s (1e9 bytes per second) of packed weights",
    .rank = 73,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMV),
    .lacking = "cold GEMVs of bitnet-700m on all its shapes",
    .measured_by = BITNET_COMMAND("bitnet-700m"),
    .frame = &token_frame,
    .of = &(const struct token_scaling){"bitnet-700m", shown, sizeof shown / sizeof *shown}, /* bitnet_b1_58-large */
};
