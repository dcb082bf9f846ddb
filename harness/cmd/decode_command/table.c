/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/decode_command/table.h"

#include <stdio.h>

#include "harness/cells/cell/summary.h"
#include "harness/cells/join.h"
#include "harness/cells/sync.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/quantities.h"

void decode_table_print(const struct decode_table *table, const struct session *session, const struct cells *cells,
                        const struct decode_job *job)
{
    size_t few = 0;
    table->header(job);
    for (int parts = 0; parts < 2; parts++) {
        if (parts)
            table->parts_header();
        for (size_t i = 0; i < cells->count; i++) {
            const struct cell *cell = &cells->cell[i];
            json_t *record = cell->kind == table->kind ? summary_record(session, cells, cell) : NULL;
            if (record && !parts)
                few += !table->row(record);
            if (record && parts)
                table->parts(record);
            json_decref(record);
        }
    }
    print_few_remedy(few);
}

/** Of the first cell of a kind that was measured. */
static long long joins_of(const struct decode_table *table, const struct session *session, const struct cells *cells,
                          unsigned *threads)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = cell->kind == table->kind ? summary_record(session, cells, cell) : NULL;
        if (!record)
            continue;
        long long joins = (long long)json_integer_value(json_object_get(record, "joins"));
        *threads = cell->threads;
        json_decref(record);
        return joins;
    }
    *threads = 0;
    return 0;
}

void decode_table_print_joins(const struct decode_table *table, const struct session *session,
                              const struct cells *cells)
{
    unsigned threads;
    long long joins = joins_of(table, session, cells, &threads);
    if (threads < 2)
        return;
    printf("\nsync: %lld joins of %u threads a pass; a join at the spinning barrier", joins, threads);
    print_number(1e6 * sync_time(cells, threads), 0, 3, " us");
    for (int way = 0; way < JOIN_WAYS; way++) {
        const char *why = join_why(cells, (enum join_way)way, threads);
        printf(", %s", way == JOIN_FUTEX ? "of futexes" : "of OpenMP");
        print_number(1e6 * join_time(cells, (enum join_way)way, threads), 0, 3, " us");
        if (why)
            printf(" (%s)", why);
    }
    putchar('\n');
}

void decode_table_print_model(const struct model *model)
{
    printf("%s%s%s: %zu layers, hidden %zu, ffn %zu, %zu heads, %zu key-value heads of %zu, vocabulary %zu, %s\n",
           console_bold(), model->name, console_plain(), model->layers, model->hidden, model->ffn, model->heads,
           model->kv_heads, model->head_size, model->vocabulary, layer_activation_name(model->activation));
}
