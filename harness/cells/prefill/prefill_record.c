/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of prompts.
 */
#include "harness/cells/prefill/prefill_model.h"

#include "harness/cells/cell/fields.h"
#include "harness/cells/decode/pass_record.h"
#include "harness/cells/prefill/prefill_needs.h"

static void set_parts(json_t *record, const struct cell *cell)
{
    double time_s = summary_stated(prefill_time(cell));
    json_t *parts = json_array();
    for (int i = 0; i < DECODE_PARTS; i++) {
        enum decode_part part = (enum decode_part)i;
        struct graded of = prefill_part_time(cell, part);
        json_t *one = json_pack("{s:s, s:b}", "part", decode_part_name(part), "gemv", decode_part_is_gemv(part));
        field_set_quantity(one, "time_s", of, "s");
        field_set_number(one, "share", summary_stated(of) / time_s);
        json_array_append_new(parts, one);
    }
    field_set(record, "parts", parts);
    field_set_number(record, "alpha", prefill_alpha(cell));
}

/** Held out: no constant of the model is from a pass, but its clock. */
static void set_model(json_t *record, const struct session *session, const struct cells *cells, const struct cell *cell)
{
    struct prefill_prediction model = prefill_predict(session, cells, cell);
    double time_s = summary_stated(prefill_time(cell));
    json_t *parts = json_object();
    field_set_number(parts, "gemm", model.gemm_s);
    field_set_number(parts, "head", model.head_s);
    field_set_number(parts, "attention", model.attention_s);
    field_set_number(parts, "operand", model.operand_s);
    field_set_number(parts, "between", model.between_s);
    field_set_number(parts, "sync", model.sync_s);
    field_set(record, "predicted_parts_s", parts);
    json_t *terms = json_object();
    field_set_number(terms, "read", model.read_s);
    field_set_number(terms, "computing", model.computing_s);
    field_set_number(terms, "sync", model.sync_s);
    field_set(record, "predicted_terms_s", terms);
    field_set_number_or_why(record, "predicted_s", model.total_s, model.why);
    field_set_number(record, "residual", (time_s - model.total_s) / model.total_s);
}

json_t *prefill_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct prefill_cell *own = prefill_cell(cell);
    const struct decode_work *work = &own->work;
    uint64_t layer_bytes = prefill_layer_bytes(work);
    const struct decode_weights_request request = decode_request(work, work->model.layers, 1);
    size_t joins = prefill_pass_joins(&request);
    json_t *record = pass_record_named("prefill", work, work->tokens);
    field_set(record, "tokens", json_integer((json_int_t)work->tokens));
    field_set(record, "layers", json_integer((json_int_t)work->model.layers));
    field_set(record, "distinct_layers", json_integer((json_int_t)own->distinct));
    pass_record_uses(record, work);
    field_set_quantity(record, "tokens_per_s", prefill_tokens(cell), "token/s");
    field_set_quantity(record, "time_s", prefill_time(cell), "s");
    set_parts(record, cell);
    field_set(record, "steps", json_integer((json_int_t)own->steps));
    field_set(record, "layer_bytes", json_integer((json_int_t)layer_bytes));
    field_set(record, "head_bytes", json_integer((json_int_t)prefill_head_bytes(work)));
    field_set(record, "cache_bytes", json_integer((json_int_t)prefill_cache_bytes(work)));
    field_set(record, "over_caches",
              session->llc_bytes ? json_real((double)layer_bytes / (double)session->llc_bytes) : json_null());
    field_set_number(record, "huge_fraction", own->huge_fraction);
    field_set(record, "joins", json_integer((json_int_t)joins));
    pass_record_joined(record, cells, cell->threads, (double)joins);
    field_set_number(record, "distance", own->distance);
    field_set_switched(record, cell->samples.sample, cell->samples.count);
    set_model(record, session, cells, cell);
    pass_record_code(record, &own->code, LAYER_ATTENTION);
    field_set_proof(record, cell);
    field_set(record, "joules_per_token", json_null());
    field_set(
        record, "joules_per_token_reason",
        json_string("a prefill is summed up from samples of its pieces, which are too short for energy counters"));
    return record;
}
