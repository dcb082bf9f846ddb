/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/token_scaling.h"

/* what the paper's figure compares first, then the other ternary kernels */
static const enum bitnet_system shown[] = {BITNET_TL2_0, BITNET_TQ1_0, BITNET_TMAC, BITNET_I2_S, BITNET_TQ2_0};

const struct figure figure_bitnet_8 = {
    .name = "bitnet_8",
    .title = "Throughput and bandwidth over threads, 3.8B model [bitnet-cpp, Fig. 8]",
    .caption =
        "Left, the tokens per second that the cold GEMVs of bitnet-3.8b allow with this many threads (the output head "
        "in Float16, only GEMVs counted); right, the bytes of packed weights that they then read per second, under "
        "the read roof, measured beside them. Full lines are the paper's renderings, dashed ones the fastest of ours in the same "
        "format. In the paper, on an i7-13700H, TL2_0 beats TQ1_0 with every number of threads and keeps gaining up "
        "to 5 threads, where T-MAC already loses. Only teams with which every shape was measured are shown. Diamonds are passes "
        "through the whole model (`kneepoint decode --model=bitnet-3.8b --head=f16`), where the run has them.",
    .units = "threads; tokens per second; GB/s (1e9 bytes per second) of packed weights",
    .rank = 71,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_GEMV),
    .lacking = "cold GEMVs of bitnet-3.8b on all its shapes",
    .measured_by = BITNET_COMMAND("bitnet-3.8b"),
    .frame = &token_frame,
    .of = &(const struct token_scaling){"bitnet-3.8b", shown, sizeof shown / sizeof *shown},
};
