/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See tuning_use.h.
 */
#include "harness/plan/tuning_use.h"

#include <errno.h>

#include "harness/cells/decode/decode.h"
#include "harness/cells/product/product_cell.h"
#include "harness/plan/tune_candidates.h"
#include "harness/record/provenance.h"
#include "results/records/cpu_key.h"
#include "results/text/refuse.h"
#include "results/tuned/tuning_match.h"

int tuning_use_path(const struct session *session, const char *results, char *path, size_t size)
{
    char platform[128];
    provenance_machine_name(&session->machine, platform, sizeof platform);
    return tuning_path(results, platform, path, size);
}

json_t *tuning_use_made_by(const struct session *session, const struct tuning_table *table)
{
    static const char *const fields[] = {"kneepoint", "isa", "compiler", "flags"};
    json_t *meta = provenance_meta(session, 0, NULL), *made_by = json_object(), *code = json_object();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        json_object_set(made_by, fields[i], json_object_get(meta, fields[i]));
    cpu_key_take_over(made_by, meta);
    for (size_t i = 0; i < table->count; i++) {
        const char *kernel = table->cell[i].kernel;
        json_t *hash = json_object_get(json_object_get(meta, "code"), kernel);
        if (hash)
            json_object_set(code, kernel, hash);
    }
    json_object_set_new(made_by, "code", code);
    json_decref(meta);
    return made_by;
}

int tuning_use_read(const struct session *session, const char *path, struct tuning_table *table, char *why, size_t size)
{
    char difference[256];
    int error = tuning_read(path, table, why, size);
    if (error)
        return error;
    json_t *now = provenance_meta(session, 0, NULL);
    if (!now)
        error = refuse(-ENOMEM, why, size, "no memory left to read %s", path);
    else if (provenance_differs(table->made_by, now, difference, sizeof difference))
        error = refuse(provenance_same_cpu(table->made_by, now) ? -ESTALE : -EXDEV, why, size,
                       "%s was made on or with %s", path, difference);
    json_decref(now);
    if (error)
        tuning_release(table);
    return error;
}

const struct tuning_cell *tuning_use_match(const struct tuning_table *table, const struct kernel *kernel, bool gemm,
                                           size_t m, size_t k, size_t n, unsigned threads, bool cold)
{
    const struct tuning_problem problem = tune_problem(kernel, m, k, n, threads, cold);
    return tuning_match(table, &(const struct tuning_query){.problem = &problem, .kernel = kernel->name, .gemm = gemm});
}

void tuning_use_apply(const struct tuning_table *table, struct cell *cell)
{
    struct product_cell *own = product_cell(cell);
    struct product_settings settings;
    if (!own || own->schedule || own->beside || own->settings.prefetch_given)
        return;
    const size_t n = own->tokens ? own->tokens : 1;
    const bool gemm = own->tokens;
    const struct tuning_problem problem = tune_problem(cell->kernel, own->m, own->k, n, cell->threads, cell->cold);
    const struct tuning_cell *match =
        tuning_use_match(table, cell->kernel, gemm, own->m, own->k, n, cell->threads, cell->cold);
    if (!match || !tune_settings_of(cell->kernel, match, &settings))
        return;
    settings.shares_tokens = settings.shares_tokens && tune_can_share_tokens(cell->kernel, &problem);
    settings.tuned.from_table = true;
    settings.tuned.m = match->problem.m;
    settings.tuned.k = match->problem.k;
    settings.tuned.n = match->problem.n;
    settings.tuned.distance = tuning_distance(&problem, &match->problem);
    own->settings = settings;
    product_settings_name(&settings, cell);
}

static bool has_tuned(const struct cell *cell)
{
    const struct product_cell *product = product_cell(cell);
    const struct decode_cell *decode = decode_cell(cell);
    for (int role = 0; decode && role <= DECODE_ROLES; role++) {
        if (decode->work.prefetch[role].given)
            return true;
    }
    return product && product->settings.tuned.from_table;
}

static bool has_found(const struct cell *cell)
{
    const struct product_cell *product = product_cell(cell);
    const struct decode_cell *decode = decode_cell(cell);
    return (product && product->settings.self_tuned) || (decode && decode->work.found.count);
}

static bool any(const struct cells *cells, bool (*has)(const struct cell *cell))
{
    for (size_t i = 0; i < cells->count; i++) {
        if (has(&cells->cell[i]))
            return true;
    }
    return false;
}

bool tuning_use_any(const struct cells *cells)
{
    return any(cells, has_tuned);
}

bool tuning_use_any_found(const struct cells *cells)
{
    return any(cells, has_found);
}
