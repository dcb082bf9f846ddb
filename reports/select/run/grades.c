/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/run/grades.h"

#include <string.h>

struct grades grades_of_cycles(const struct view *view)
{
    static const struct {
        enum view_type type;
        const char *field;
    } in_cycles[] = {{VIEW_CLOCK, "core_hz"},
                     {VIEW_BETA, "bytes_per_cycle_per_core"},
                     {VIEW_GAMMA, "gamma"},
                     {VIEW_GEMV, "ops_per_cycle"},
                     {VIEW_GEMM, "ops_per_cycle"}};
    struct grades grades = {0};
    for (size_t f = 0; f < sizeof in_cycles / sizeof *in_cycles; f++) {
        const struct view_rows *rows = &view->of[in_cycles[f].type];
        for (size_t i = 0; i < rows->count; i++) {
            const char *grade = view_text(json_object_get(rows->rows[i], in_cycles[f].field), "grade");
            grades.pmu += strcmp(grade, "pmu") == 0;
            grades.chain += strcmp(grade, "chain") == 0;
            grades.wall += strcmp(grade, "wall") == 0;
        }
    }
    return grades;
}
