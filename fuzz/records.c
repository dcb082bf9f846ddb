/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The records of a run: read, reduced to blocks as a comparison does, and those written and read as a baseline is.
 *
 * json: one object a line
 */
#include "fuzz/frame/target.h"
#include "results/blocks/blocks.h"
#include "results/records/record.h"
#include "results/records/run.h"
#include "results/records/samples.h"

static void read_samples(const struct run_records *records)
{
    struct recorded_samples samples = {0};
    size_t i;
    const json_t *record;
    json_array_foreach(records->records, i, record)
    {
        hold(record_is_valid(record));
        if (samples_read(record, &samples) == 0 && samples.count)
            json_decref(samples_record(&samples, 2e9));
    }
    samples_release(&samples);
}

static void reduce(int (*reduced)(const struct run_records *records, struct blocks *blocks),
                   const struct run_records *records)
{
    struct blocks blocks, again;
    char why[256] = "";
    if (reduced(records, &blocks))
        return;
    json_t *object = blocks_to_json(&blocks);
    hold(object);
    if (blocks_from_json(object, &again, why, sizeof why) == 0) {
        hold(again.cells == blocks.cells);
        blocks_release(&again);
    } else {
        hold_refusal(why);
    }
    json_decref(object);
    blocks_release(&blocks);
}

FUZZ_TARGET(bytes, length)
{
    struct run_records records;
    char why[512] = "";
    if (run_read(fuzz_file(bytes, length), &records, why, sizeof why)) {
        hold_refusal(why);
        return;
    }
    read_samples(&records);
    reduce(blocks_of_run, &records);
    reduce(blocks_of_live_run, &records);
    run_records_free(&records);
}
