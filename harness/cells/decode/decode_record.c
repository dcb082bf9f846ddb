/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of decode passes.
 */
#include "harness/cells/decode/decode_model.h"

#include <math.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/roof_paired.h"
#include "harness/cells/decode/pass_record.h"
#include "harness/cells/product/product_schedule_record.h"

static json_t *part_record(const struct cell *cell, enum decode_part part)
{
    json_t *record = json_pack("{s:s, s:b}", "part", decode_part_name(part), "gemv", decode_part_is_gemv(part));
    field_set_quantity(record, "time_s", decode_part_time(cell, part), "s");
    field_set_quantity(record, "share", decode_part_share(cell, part), "1");
    return record;
}

/** Null, and why, where no sample has them: of a run of a former version. */
static void set_parts(json_t *record, const struct cell *cell)
{
    field_set(record, "parts", json_null());
    field_set(record, "alpha", json_null());
    if (!decode_cell(cell)->timed) {
        field_set(record, "parts_reason", json_string("the run that took its samples did not keep their parts"));
        field_set(record, "alpha_reason", json_string("the run that took its samples did not keep their parts"));
        return;
    }
    json_t *parts = json_array();
    for (int part = 0; part < DECODE_PARTS; part++)
        json_array_append_new(parts, part_record(cell, (enum decode_part)part));
    field_set(record, "parts", parts);
    field_set_quantity(record, "alpha", decode_alpha(cell), "1");
}

static void set_code(json_t *record, const struct decode_code *code)
{
    if (code->part[LAYER_NORM])
        pass_record_code(record, code, LAYER_PARTS);
    else
        field_set(record, "layer_kernels", json_null());
}

/** Held out: no constant of the model is from a pass. */
static void set_model(json_t *record, const struct session *session, const struct cells *cells, const struct cell *cell)
{
    struct decode_prediction model = decode_predict(session, cells, cell);
    double time_s = summary_stated(summary_time(cell));
    json_t *parts = json_object();
    field_set_number(parts, "gemv", model.gemv_s);
    field_set_number(parts, "head", model.head_s);
    field_set_number(parts, "attention", model.attention_s);
    field_set_number(parts, "operand", model.operand_s);
    field_set_number(parts, "norm", model.norm_s);
    field_set_number(parts, "rope", model.rope_s);
    field_set_number(parts, "gate", model.gate_s);
    field_set_number(parts, "sync", model.sync_s);
    field_set(record, "predicted_parts_s", parts);
    if (decode_cell(cell)->work.users) {
        json_t *terms = json_object();
        field_set_number(terms, "read", model.read_s);
        field_set_number(terms, "computing", model.computing_s);
        field_set_number(terms, "sync", model.sync_s);
        field_set(record, "predicted_terms_s", terms);
    }
    field_set_number(record, "predicted_s", model.total_s);
    field_set_number(record, "residual", (time_s - model.total_s) / model.total_s);
    if (model.why)
        field_set(record, "predicted_s_reason", json_string(model.why));
}

/** Null where it is not known. */
static void set_count(json_t *record, const char *field, size_t count)
{
    field_set(record, field, count ? json_integer((json_int_t)count) : json_null());
}

/** Of each role and the head, and where they are from. */
static void set_prefetch(json_t *record, const struct decode_work *work)
{
    json_t *distances = json_object();
    for (int role = 0; role <= DECODE_ROLES; role++) {
        const struct kernel *kernel = decode_kernel_at(work, 0, role);
        const struct decode_prefetch found = decode_found_of(&work->found, kernel);
        size_t bytes = work->prefetch[role].given ? work->prefetch[role].bytes
                       : found.given              ? found.bytes
                                                  : kernel->prefetch_bytes;
        json_object_set_new(distances, role < DECODE_ROLES ? decode_role_name(role) : "head",
                            json_integer((json_int_t)bytes));
    }
    field_set(record, "prefetch_bytes", distances);
    const char *settings = work->found.count ? "self-tuned" : decode_is_tuned(work) ? "tuned" : "default";
    field_set(record, "settings", json_string(settings));
}

/** How many at once, over how many positions where these differ, and what each of them gets of the tokens a second. */
static void set_users(json_t *record, const struct cell *cell)
{
    const struct decode_work *work = &decode_cell(cell)->work;
    json_t *lengths = work->context.count > 1 ? json_array() : NULL;
    field_set(record, "users", json_integer((json_int_t)work->users));
    for (size_t i = 0; lengths && i < work->context.count; i++)
        json_array_append_new(lengths, json_integer((json_int_t)work->context.of[i]));
    if (lengths)
        field_set(record, "contexts", lengths);
    field_set_quantity(record, "tokens_per_s_of_user", summary_per_second(cell, 1), "token/s");
}

json_t *decode_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct decode_cell *own = decode_cell(cell);
    json_t *record = pass_record_named("decode", &own->work, decode_lengths_most(&own->work.context));
    field_set(record, "cache", json_string(layer_cache_name(own->work.cache)));
    if (own->work.users)
        set_users(record, cell);
    field_set(record, "layers", json_integer((json_int_t)own->work.model.layers));
    set_count(record, "distinct_layers", own->distinct);
    pass_record_uses(record, &own->work);
    field_set_quantity(record, "tokens_per_s", decode_tokens(cell), "token/s");
    field_set_quantity(record, "time_s", summary_time(cell), "s");
    field_set_quantity(record, "roof_fraction", decode_roof_fraction(cell), "1");
    field_set_quantity(record, "roof_bytes_per_s", decode_roof(cell), "B/s");
    field_set(record, "roof_stream", field_roof_stream(session, "memory", cell->threads, roof_paired_stream(cell)));
    set_parts(record, cell);
    field_set(record, "layer_bytes", json_integer((json_int_t)own->layer_bytes));
    field_set(record, "head_bytes", json_integer((json_int_t)own->head_bytes));
    field_set(record, "cache_bytes", json_integer((json_int_t)own->cache_bytes));
    field_set(record, "over_caches",
              session->llc_bytes ? json_real((double)own->layer_bytes / (double)session->llc_bytes) : json_null());
    field_set_number(record, "huge_fraction", own->huge_fraction);
    set_count(record, "joins", own->joins);
    pass_record_joined(record, cells, cell->threads, own->joins ? (double)own->joins : (double)NAN);
    set_count(record, "stamps", own->stamps);
    field_set_number(record, "stamp_s", own->stamp_s > 0 ? own->stamp_s : NAN);
    field_set(record, "shared_operand", own->joins ? json_boolean(own->shares_operand) : json_null());
    field_set_number(record, "distance", own->distance);
    field_set_switched(record, &cell->samples.sample[own->first_timed], own->timed);
    set_model(record, session, cells, cell);
    set_code(record, &own->code);
    if (own->schedule)
        product_schedule_fields(record, cell, own->schedule);
    if (own->head_schedule && own->head_schedule->kind != SCHEDULE_STATIC)
        field_set(record, "head_weights", product_schedule_weights(own->head_schedule));
    if (!own->work.users)
        set_prefetch(record, &own->work);
    field_set_counters(record, cell);
    energy_set(record, session, cell);
    energy_set_token(record, session, cell, (double)decode_work_given(&own->work));
    return record;
}
