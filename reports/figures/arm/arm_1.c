/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/rate_grid.h"
#include "reports/select/papers/arm.h"
#include "reports/select/papers/systems.h"

#define TOKENS  "1,4,8,16,32,128"
#define FORMATS "q4_0 q4_0_8x8 q4_0_m16"

static const struct rate_grid grid = {
    .name = "arm_1",
    .sides =
        {
            {"llama.cpp's rows", {"q4_0", BATCH_ROWS, "llama.cpp"}, SYSTEM_LLAMA_CPP, "q4"},
            {"rows, ours", {"q4_0", BATCH_ROWS, "kneepoint"}, 0xe69f00, NULL},
            {"interleaved, as published", {"q4_0", BATCH_ORDERS, BATCH_PUBLISHED}, 0xcc79a7, "q4_0_8_8"},
            {"interleaved, ours", {"q4_0", BATCH_ORDERS, "kneepoint"}, 0x0072b2, NULL},
        },
    .side_count = 4,
    .over = 2,
    .under = 0,
    .also = 3,
    ARM_TABLE_GROUPS,
    .paper = ARM_PAPER,
    .paper_title = "in the paper, on Graviton3",
};

const struct figure figure_arm_1 = {
    .name = "arm_1",
    .title = "Interleaved Q4_0 with 1 to 32 users and a prompt [arm-kernels-codebooks, Table 1]",
    .caption =
        "Q4_0 in rows, a dot product for each row and token, as llama.cpp multiplied it then; in rows with the fastest of our kernels; "
        "interleaved with the kernels of the paper and of llama.cpp, which took these over; and interleaved with the fastest of ours. " ARM_CAPTION,
    .units = "tokens per second, logarithmic; ratios of them, no unit",
    .rank = 80,
    .section = FIGURE_PAPERS,
    .lacking = "cold products of q4_0 and its interleaved orders on all shapes of llama3-8b or llama3.2-3b",
    .measured_by = ARM_COMMAND("llama3.2-3b", TOKENS, FORMATS),
    .frame = &rate_frame,
    .of = &grid,
};
