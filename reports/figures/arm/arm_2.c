/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/rate_grid.h"
#include "reports/select/papers/arm.h"

static const struct rate_grid grid = {
    .name = "arm_2",
    .sides =
        {
            {"4 rows, 8 bytes", {"q4_0_4x8", BATCH_ROWS, NULL}, 0x0072b2, "q4_0_4_8"},
            {"4 rows, 4 bytes", {"q4_0_4x4", BATCH_ROWS, NULL}, 0x56b4e9, "q4_0_4_4"},
            {"8 rows, 8 bytes", {"q4_0_8x8", BATCH_ROWS, NULL}, 0x009e73, NULL},
            {"16 rows, 4 bytes", {"q4_0_m16", BATCH_ROWS, NULL}, 0xe69f00, NULL},
        },
    .side_count = 4,
    .over = 0,
    .under = 1,
    .also = 3,
    ARM_TABLE_GROUPS,
    .paper_title = "in the paper, on Graviton4 and Graviton2",
};

const struct figure figure_arm_2 = {
    .name = "arm_2",
    .title = "Orders of interleaved Q4_0 [arm-kernels-codebooks, Table 2]",
    .caption =
        "The orders that blocks of Q4_0 are interleaved in, each with the fastest of its kernels. The paper measured "
        "two of them, each on a different machine, so its ratio also compares machines. " ARM_CAPTION,
    .units = "tokens per second, logarithmic; ratios of them, no unit",
    .rank = 81,
    .section = FIGURE_PAPERS,
    .lacking = "cold products of q4_0_4x8 or q4_0_4x4 on all shapes of llama3-8b or llama3.2-3b",
    .measured_by = ARM_COMMAND("llama3.2-3b", "1,4,8,16,32,128", "q4_0_4x8 q4_0_4x4 q4_0_8x8 q4_0_m16"),
    .paper = ARM_PAPER,
    .frame = &rate_frame,
    .of = &grid,
};
