/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The meta.json of a run, and what is said of the run from it.
 *
 * json: one object
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "reports/select/run/view.h"
#include "results/comparison/comparable.h"

static const char records_text[] =
    "{\"type\":\"samples\",\"name\":\"gemv/w2.dot.avx2/512x512/warm/t1/static\",\"visit\":1,\"block\":1,\"tsc_hz\":2000000000,"
    "\"grade\":\"chain\",\"ticks\":[70412,70384,70210,70198],\"core_khz\":[2598106,2598107,2598106,2598104]}\n";

static void use(const struct run_records *run)
{
    struct view view;
    struct blocks blocks;
    struct comparable comparable;
    if (view_open("given", run, &view) == 0) {
        hold(view_machine_name(&view) && view_microarchitecture(&view) && view_run_name(&view));
        view_close(&view);
    }
    if (blocks_of_run(run, &blocks) == 0) {
        comparable_make(&blocks, &blocks, NULL, NULL, &comparable);
        hold(!comparable.differs[COMPARABLE_CELLS]);
        blocks_release(&blocks);
    }
}

FUZZ_TARGET(bytes, length)
{
    struct run_records run;
    char why[512] = "";
    fuzz_write("meta.json", bytes, length);
    fuzz_write("records.jsonl", records_text, sizeof records_text - 1);
    if (run_read(fuzz_folder(), &run, why, sizeof why)) {
        hold_refusal(why);
        return;
    }
    use(&run);
    run_records_free(&run);
}
