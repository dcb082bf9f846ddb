/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/blocks/blocks_collect.h"
#include "results/records/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void take_pages(const json_t *record, struct blocks *blocks, double *least)
{
    double fraction = record_number(record, "huge_page_fraction");
    if (blocks->pages[0] && fraction >= *least)
        return;
    *least = fraction;
    snprintf(blocks->pages, sizeof blocks->pages, "%.32s %.2f", record_text(record, "pages"), fraction);
}

/** Pairs that a live comparison discarded since a roof moved are no blocks of what it kept, either. */
static void leave_moved_out(const json_t *moved, struct blocks *blocks)
{
    for (int class = 0; class < COMPARE_CLASSES; class ++) {
        const json_t *list = json_object_get(moved, compare_class_name((enum compare_class) class));
        for (size_t i = 0; i < json_array_size(list); i++) {
            unsigned block = (unsigned)json_integer_value(json_array_get(list, i));
            blocks_drop(blocks, (enum compare_class) class, &block, 1);
        }
    }
}

/** Jiffies are hundredths of a second on every Linux that is measured on. */
static void take_end(const json_t *record, const json_t *meta, struct blocks *blocks)
{
    const json_t *steal = json_object_get(json_object_get(record, "disturbance"), "steal_ticks");
    double cores = record_number(json_object_get(meta, "topology"), "online_cpus"),
           seconds = record_number(record, "seconds");
    if (json_is_number(steal) && cores > 0 && seconds > 0)
        blocks->noise.steal_share = 0.01 * json_number_value(steal) / (cores * seconds);
    if (blocks->processes)
        leave_moved_out(json_object_get(record, "pairs_moved"), blocks);
}

/** What code, stack or buffers at other addresses do, net of the noise beside it; each block says it anew, of all so far. */
static void take_bias(const json_t *record, json_t *bias)
{
    char key[256];
    snprintf(key, sizeof key, "%.100s/%.40s/%.40s", record_text(record, "name"), record_text(record, "subject"),
             record_text(record, "factor"));
    if (json_is_true(json_object_get(record, "layout")))
        json_object_set(bias, key, (json_t *)record);
}

/** The largest of each class. */
static void settle_bias(json_t *bias, struct blocks *blocks)
{
    const char *key;
    json_t *record;
    json_object_foreach(bias, key, record)
    {
        const json_t *net = json_object_get(record, "net");
        bool core = strcmp(record_text(record, "class"), compare_class_name(COMPARE_CORE)) == 0;
        double *layout = &blocks->layout[core ? COMPARE_CORE : COMPARE_MEMORY];
        if (json_is_number(net) && json_number_value(net) >= 0)
            *layout = fmax(*layout, json_number_value(net)); /* of NaN and a number the number */
    }
}

void blocks_take_facts(const struct run_records *records, struct blocks *blocks)
{
    json_t *bias = json_object();
    double least = INFINITY;
    size_t i;
    json_t *record;
    json_array_foreach(records->records, i, record)
    {
        const char *type = record_text(record, "type");
        if (strcmp(type, "memory") == 0)
            take_pages(record, blocks, &least);
        else if (strcmp(type, "end") == 0)
            take_end(record, records->meta, blocks);
        else if (strcmp(type, "bias") == 0)
            take_bias(record, bias);
    }
    settle_bias(bias, blocks);
    json_decref(bias);
}
