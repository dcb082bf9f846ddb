/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --from: the tables of a run that was saved, from its records alone.
 */
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/fastest.h"
#include "harness/cmd/product/product_command.h"
#include "harness/cmd/product/ranking.h"
#include "harness/command/command.h"
#include "harness/plugin/name_argument.h"
#include "results/records/run.h"

static bool is_named(const struct product_options *options, const char *name)
{
    bool named = !options->count;
    for (int i = 0; !named && i < options->count; i++)
        named = name_argument_means(options->names[i], name);
    const struct kernel *kernel = kernel_find(name);
    return named &&
           (!name_filter_is_set(&options->filter) || (kernel && name_filter_has_kernel(&options->filter, kernel)));
}

static size_t integer(const json_t *record, const char *field)
{
    return (size_t)json_integer_value(json_object_get(record, field));
}

static bool has_shape(const struct product_options *options, const json_t *record)
{
    struct shape all[SHAPES_MAX];
    bool has = !options->shape_count && !options->model;
    for (size_t i = 0, m, k; !has && i < options->shape_count; i++)
        has = shape_parse(options->shapes[i], &m, &k) == 0 && m == integer(record, "m") && k == integer(record, "k");
    size_t count = has || !options->model ? 0 : shapes_all(all, SHAPES_MAX);
    for (size_t i = 0; !has && i < count; i++)
        has = (strcmp(options->model, "all") == 0 || strcasecmp(options->model, all[i].model) == 0) &&
              all[i].m == integer(record, "m") && all[i].k == integer(record, "k");
    return has;
}

/** Whether the options leave a record of a product in; of what is not given any will do. */
static bool is_asked(const struct product_options *options, const json_t *record)
{
    const char *protocol = json_string_value(json_object_get(record, "protocol"));
    const unsigned threads = options->measuring.request.team.threads;
    bool warm = protocol && strcmp(protocol, "warm") == 0, has_tokens = !options->token_count;
    for (size_t i = 0; i < options->token_count; i++)
        has_tokens |= options->tokens[i] == integer(record, "n");
    return (options->cold == options->warm || warm == options->warm) && has_tokens && has_shape(options, record) &&
           (!options->measuring.threads_given || threads == integer(record, "threads"));
}

/** Records of a type that are asked for; NULL: no memory. */
static json_t *rows_of(const struct product_options *options, const json_t *records, const char *type, bool sorted)
{
    json_t *rows = json_array();
    for (size_t i = 0; rows && i < json_array_size(records); i++) {
        json_t *record = json_array_get(records, i);
        const char *name = json_string_value(json_object_get(record, "name")),
                   *of = json_string_value(json_object_get(record, "type"));
        if (!name || !of || strcmp(of, type) != 0 || !is_named(options, name) || (sorted && !is_asked(options, record)))
            continue;
        if (sorted)
            fastest_insert(rows, json_incref(record), product_compare_by_time);
        else
            json_array_append(rows, record);
    }
    return rows;
}

static int print(const struct product_command *command, const struct product_options *options,
                 const struct run_records *run)
{
    const bool json = options->measuring.json;
    json_t *rows = rows_of(options, run->records, command->name, true),
           *derived = rows_of(options, run->records, command->derived->type, false);
    int code = !rows || !derived ? complain(EXIT_USAGE, command->name, "no memory")
               : !json_array_size(rows)
                   ? complain(EXIT_INCONCLUSIVE, command->name,
                              "%s has no %s of what is asked for; `kneepoint %s --into=%s` adds it", options->from,
                              command->product, command->name, options->from)
                   : product_show_rows(command, rows, json, &options->view);
    if (!code)
        code = product_show_derived(command, derived, json, &options->view);
    json_decref(rows);
    json_decref(derived);
    return code;
}

int product_print_saved(const struct product_command *command, const struct product_options *options)
{
    struct run_records run;
    char why[1024];
    if (options->run.results || options->run.into || options->peers)
        return complain(EXIT_USAGE, command->name, "--from prints what a run has and measures nothing; leave out %s",
                        options->peers      ? "--peers"
                        : options->run.into ? "--into"
                                            : "--results");
    int error = run_read(options->from, &run, why, sizeof why);
    if (error)
        return complain(EXIT_USAGE, command->name, "%s", why);
    const struct run_damage damage = run_damage_of(&run);
    complain_of_damage(command->name, options->from, &damage);
    int code = print(command, options, &run);
    run_records_free(&run);
    return code;
}
