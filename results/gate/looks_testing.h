/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "results/gate/looks.h"
#include "unit_test.h"

/** For tests that calibrate the gate: cells that have the pairs of all looks are judged look by look, as live ones are. */
static inline void judge_by_looks(const struct compare_rule *rule, const struct looks *looks,
                                  struct compare_cell *cells, size_t count, struct compare_outcome *outcomes)
{
    struct compare_outcome now[64];
    assert_true(count <= 64);
    for (size_t look = 0; look < looks->count; look++) {
        struct compare_rule of_look = *rule;
        of_look.alpha = looks->alpha[look];
        for (size_t c = 0; c < count; c++) {
            cells[c].decided = look && looks_have_decided(&outcomes[c]);
            if (!cells[c].decided)
                cells[c].base_count = cells[c].head_count = looks->pairs[look];
        }
        assert_int_equal(compare_cells(&of_look, cells, count, now), 0);
        looks_give_up(looks, now, count);
        for (size_t c = 0; c < count; c++)
            outcomes[c] = cells[c].decided ? outcomes[c] : now[c];
    }
}
