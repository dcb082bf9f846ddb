/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/select/papers/systems.h"

/** What the figures of the kernels for Arm CPUs share: the rows and columns of Tables 1 to 3, and what is said of all. */

/** The paper's name among the papers; see papers_open. */
#define ARM_PAPER "arm-kernels-codebooks"

#define ARM_TABLE_COLUMN(model, values)                                                                                \
    {                                                                                                                  \
        {model, values, 1, 0}, {model, values, 4, 1}, {model, values, 8, 2}, {model, values, 16, 3},                   \
            {model, values, 32, 4},                                                                                    \
        {                                                                                                              \
            model, values, 0, 0                                                                                        \
        }                                                                                                              \
    }

/** Members of a struct rate_grid: two models; 1 to 32 users, each with a token, and the prompt of one. */
#define ARM_TABLE_GROUPS                                                                                               \
    .column_title = {"llama3-8b", "llama3.2-3b"}, .columns = 2,                                                        \
    .group_title = {"N = 1", "4", "8", "16", "32", "prompt"}, .groups = 6,                                             \
    .group = {ARM_TABLE_COLUMN("llama3-8b", "m8b"), ARM_TABLE_COLUMN("llama3.2-3b", "m3b")}

/** And: Q4_0 in rows and interleaved, what others published and ours; ratios of the published orders to llama.cpp's rows and to ours. */
#define ARM_Q4_0_SIDES                                                                                                 \
    .sides = {{"llama.cpp's rows", {"q4_0", BATCH_ROWS, "llama.cpp"}, SYSTEM_LLAMA_CPP, "q4"},                         \
              {"rows, ours", {"q4_0", BATCH_ROWS, "kneepoint"}, 0xe69f00, NULL},                                       \
              {"interleaved, as published", {"q4_0", BATCH_ORDERS, BATCH_PUBLISHED}, 0xcc79a7, "q4_0_8_8"},            \
              {"interleaved, ours", {"q4_0", BATCH_ORDERS, "kneepoint"}, 0x0072b2, NULL}},                             \
    .side_count = 4, .over = 2, .under = 0, .also = 3

/** What a bar is, here. */
#define ARM_CAPTION_HERE                                                                                               \
    "A bar here is the tokens per second that the matrices of the model allow, each measured cold with N tokens at "   \
    "once: N over the sum of count x time, and nothing else counted (no attention, no norms); a prompt without the "   \
    "output head. A dark mark is a pass through the whole model, where one was measured: by `kneepoint decode`, of "   \
    "several users with --users, each over keys and values of its own, and of a prompt with --prefill. Ratios are of " \
    "bars, with 95% intervals. A cross stands where too few samples were kept for a number; a model of which nothing was measured is left out, and what else is missing was not measured."

/** And in the paper. */
#define ARM_CAPTION                                                                                                    \
    ARM_CAPTION_HERE " The paper's numbers are of a whole model with all threads of other machines, and its prompt "   \
                     "that of one user: ratios compare, tokens per second do not."

/** The command whose records these figures need. */
#define ARM_COMMAND(model, tokens, formats)                                                                            \
    "kneepoint gemm --cold --best --samples=16 --model=" model " --tokens=" tokens " " formats ""
