/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/decode/pass_record.h"

#include "harness/cells/cell/fields.h"
#include "harness/cells/join/join.h"
#include "harness/cells/sync/sync.h"

json_t *pass_record_named(const char *type, const struct decode_work *work, size_t context)
{
    const struct model *model = &work->model;
    const struct kernel *kernel = work->kernel;
    size_t m, k;
    decode_shape(model, DECODE_UP, &m, &k);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:s, s:s, s:i, s:I}", "type", type, "name",
                     kernel->name, "model", model->name, "format", kernel->format->name, "sequence", kernel->sequence,
                     "isa", kernel->isa, "origin", kernel->origin, "bits", format_bits_per_weight(kernel->format, m, k),
                     "format_bits", kernel->format->bits, "head", work->head->name, "head_format",
                     work->head->format->name, "threads", (int)work->threads, "context", (json_int_t)context);
}

void pass_record_uses(json_t *record, const struct decode_work *work)
{
    struct decode_use uses[DECODE_USES_MOST];
    size_t count = work->given ? decode_uses(work, uses) : 0;
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        bool read = decode_is_read(uses[i].kernel);
        json_t *one = json_pack("{s:s, s:s?, s:I, s:b, s:I, s:b}", "format", uses[i].kernel->format->name, "kernel",
                                read ? NULL : uses[i].kernel->name, "matrices", (json_int_t)uses[i].matrices, "head",
                                uses[i].head, "bytes", (json_int_t)uses[i].bytes, "supported", !read);
        if (read)
            field_set(one, "kernel_reason", json_string("not supported: read at the roof"));
        json_array_append_new(all, one);
    }
    if (count)
        field_set(record, "matrices", all);
    else
        json_decref(all);
}

void pass_record_code(json_t *record, const struct decode_code *code, enum layer_part without)
{
    json_t *names = json_array();
    for (int part = 0; part < LAYER_PARTS; part++) {
        if (code->part[part] && part != (int)without)
            json_array_append_new(names, json_string(code->part[part]->name));
    }
    field_set(record, "layer_kernels", names);
    field_set(record, "quantizer", code->quantizer ? json_string(code->quantizer->name) : json_null());
}

void pass_record_joined(json_t *record, const struct cells *cells, unsigned threads, double joins)
{
    json_t *joined = json_object();
    field_set_number(record, "sync_s", joins * sync_time(cells, threads));
    field_set_number(joined, "spinning", joins * sync_time(cells, threads));
    for (int way = 0; way < JOIN_WAYS; way++)
        field_set_number(joined, join_way_name((enum join_way)way),
                         joins * join_time(cells, (enum join_way)way, threads));
    field_set(record, "joined_s", joined);
}
