/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/papers/mixed.h"

#include <math.h>
#include <string.h>

const struct mixed_column mixed_columns[MIXED_KINDS] = {
    [MIXED_F16] = {"f16", {"f16", NULL}, 0x7f7f7f},
    [MIXED_Q4] = {"Q4_0, groups of 32", {"q4_0", NULL}, 0xe69f00},
    [MIXED_DENSE] = {"2 and 4 bits", {"mixed24", "lanes"}, 0x56b4e9},
    [MIXED_OUTLIERS] = {"2 and 4 bits, 0.2% outliers", {"mixed24_o02", "outliers_fused"}, 0x0072b2},
};

const char *const mixed_models[MIXED_MODELS] = {"llama2-7b", "llama2-13b", "llama2-70b", "llama3-8b", "chatglm3-6b"};

static bool is_of(const void *kernel, const json_t *row)
{
    return token_kernel_is(kernel, row);
}

const json_t *mixed_gemv(const struct view *view, const struct token_kernel *kernel, double m, double k,
                         unsigned threads)
{
    const struct gemm_query query = {.m = m, .k = k, .n = 1, .threads = threads, .cold = true};
    return best_among(view, VIEW_GEMV, is_of, kernel, &query).row;
}

size_t mixed_teams(const struct view *view, unsigned teams[2])
{
    double widest = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (strncmp(view_text(row, "format"), "mixed24", 7) == 0)
            widest = fmax(widest, view_number(row, "threads"));
    }
    teams[0] = widest > 0 ? (unsigned)widest : 0;
    teams[1] = 1;
    return teams[0] > 1 ? 2 : teams[0];
}
