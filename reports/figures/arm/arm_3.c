/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/rate_grid.h"
#include "reports/select/papers/arm.h"

static const struct rate_grid grid = {
    .name = "arm_3",
    .sides =
        {
            {"llama.cpp's rows", {"iq4_nl", BATCH_ROWS, "llama.cpp"}, SYSTEM_LLAMA_CPP, "iq4"},
            {"IQ4_NL interleaved", {"iq4_nl", BATCH_ORDERS, NULL}, 0xcc79a7, "iq4_opt"},
            {"Q4_0 interleaved", {"q4_0", BATCH_ORDERS, NULL}, 0x0072b2, "q4_0_8_8"},
        },
    .side_count = 3,
    .over = 1,
    .under = 0,
    .also = 2,
    ARM_TABLE_GROUPS,
    .paper_title = "in the paper, on Graviton3",
};

const struct figure figure_arm_3 = {
    .name = "arm_3",
    .title = "IQ4_NL, a codebook of 16 values, with 1 to 32 users and a prompt [arm-kernels-codebooks, Table 3]",
    .caption =
        "IQ4_NL in rows, a dot product for each row and token, as llama.cpp multiplied it then, and interleaved with the fastest of all kernels, beside interleaved Q4_0, which the paper calls comparable. " ARM_CAPTION,
    .units = "tokens per second, logarithmic; ratios of them, no unit",
    .rank = 82,
    .section = FIGURE_PAPERS,
    .lacking = "cold products of iq4_nl and its interleaved orders on all shapes of llama3-8b or llama3.2-3b",
    .measured_by = ARM_COMMAND("llama3.2-3b", "1,4,8,16,32,128", "iq4_nl iq4_nl_8x8 iq4_nl_m16 q4_0_m16"),
    .paper = ARM_PAPER,
    .frame = &rate_frame,
    .of = &grid,
};
