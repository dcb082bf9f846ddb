/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/decode_command/table.h"

#include <stdio.h>

#include "harness/cells/decode.h"
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
            json_t *record = decode_cell(&cells->cell[i]) ? summary_record(session, cells, &cells->cell[i]) : NULL;
            if (record && !parts)
                few += !table->row(record);
            if (record && parts)
                table->parts(record);
            json_decref(record);
        }
    }
    print_few_remedy(few);
}

void decode_table_print_model(const struct model *model)
{
    printf("%s%s%s: %zu layers, hidden %zu, ffn %zu, %zu heads, %zu key-value heads of %zu, vocabulary %zu, %s\n",
           console_bold(), model->name, console_plain(), model->layers, model->hidden, model->ffn, model->heads,
           model->kv_heads, model->head_size, model->vocabulary, layer_activation_name(model->activation));
}
