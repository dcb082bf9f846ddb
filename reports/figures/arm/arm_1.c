/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/rate_grid.h"
#include "reports/select/papers/arm.h"

static const struct rate_grid grid = {
    .name = "arm_1",
    ARM_Q4_0_SIDES,
    ARM_TABLE_GROUPS,
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
    .measured_by = ARM_COMMAND("llama3.2-3b", "1,4,8,16,32,128", "q4_0 q4_0_8x8 q4_0_m16"),
    .paper = ARM_PAPER,
    .frame = &rate_frame,
    .of = &grid,
};
