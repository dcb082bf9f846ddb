/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/rate_grid.h"
#include "reports/select/papers/arm.h"

/** The paper's bars are in its drawing alone: no number of them is in its text. */
static const struct rate_grid grid = {
    .name = "arm_6",
    ARM_Q4_0_SIDES,
    .column_title = {"a token", "a prompt"},
    .columns = 2,
    .group_title = {"llama3.2-1b", "llama3.2-3b", "llama3-8b"},
    .groups = 3,
    .group =
        {
            {{"llama3.2-1b", NULL, 1, 0}, {"llama3.2-3b", NULL, 1, 0}, {"llama3-8b", NULL, 1, 0}},
            {{"llama3.2-1b", NULL, 0, 0}, {"llama3.2-3b", NULL, 0, 0}, {"llama3-8b", NULL, 0, 0}},
        },
};

const struct figure figure_arm_6 = {
    .name = "arm_6",
    .title = "One user's token and prompt by model size, Q4_0 [arm-kernels-codebooks, Fig. 6]",
    .caption =
        "Q4_0 in rows, a dot product for each row and token, as llama.cpp multiplied it then; in rows with the fastest of our kernels; "
        "interleaved with the kernels of the paper and of llama.cpp, which took these over; and interleaved with the fastest of ours, for the models that the paper ran on a phone. The paper's text repeats no number of its figure, so "
        "none of it is shown. " ARM_CAPTION_HERE,
    .units = "tokens per second, logarithmic; ratios of them, no unit",
    .rank = 83,
    .section = FIGURE_PAPERS,
    .lacking =
        "cold products of q4_0 and its interleaved orders on all shapes of llama3.2-1b, llama3.2-3b or llama3-8b",
    .measured_by = ARM_COMMAND("llama3.2-1b", "1,128", "q4_0 q4_0_8x8 q4_0_m16"),
    .frame = &rate_frame,
    .of = &grid,
};
