/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --from: the tables of a run that was saved, from its records alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/fastest.h"
#include "harness/cmd/console/model_names.h"
#include "harness/cmd/product/product_command.h"
#include "harness/cmd/product/ranking.h"
#include "harness/command/command.h"
#include "harness/plugin/name_argument.h"
#include "reports/select/run/view.h"

/** What is asked for of a run, besides names. */
struct asked {
    const struct product_command *command;
    const struct product_options *options;
    struct shape shapes[SHAPES_MAX];
    size_t shape_count; /* 0: any */
};

static bool is_named(const struct product_options *options, const char *name)
{
    bool named = !options->count;
    for (int i = 0; !named && i < options->count; i++)
        named = name_argument_means(options->names[i], name);
    const struct kernel *kernel = kernel_find(name);
    return named &&
           (!name_filter_is_set(&options->filter) || (kernel && name_filter_has_kernel(&options->filter, kernel)));
}

static bool has_shape(const struct asked *asked, const json_t *record)
{
    bool has = !asked->shape_count;
    for (size_t i = 0; !has && i < asked->shape_count; i++)
        has = view_number(record, "m") == (double)asked->shapes[i].m &&
              view_number(record, "k") == (double)asked->shapes[i].k;
    return has;
}

/** Whether the options leave a record of a product in; of what is not given any will do. */
static bool is_asked(const struct asked *asked, const json_t *record)
{
    const struct product_options *options = asked->options;
    const bool warm = strcmp(view_text(record, "protocol"), "warm") == 0;
    bool has_tokens = !options->token_count;
    for (size_t i = 0; i < options->token_count; i++)
        has_tokens |= view_number(record, "n") == (double)options->tokens[i];
    return (options->cold == options->warm || warm == options->warm) && has_tokens && has_shape(asked, record) &&
           (!options->measuring.threads_given ||
            view_number(record, "threads") == (double)options->measuring.request.team.threads);
}

/** The products that are asked for, sorted; NULL: no memory. */
static json_t *products_of(const struct asked *asked, const struct view *view)
{
    json_t *rows = json_array();
    for (int type = 0; rows && type < VIEW_TYPES; type++) {
        for (size_t i = 0; i < view->of[type].count; i++) {
            const json_t *record = view->of[type].rows[i];
            if (strcmp(view_text(record, "type"), asked->command->name) == 0 &&
                is_named(asked->options, view_text(record, "name")) && is_asked(asked, record))
                fastest_insert(rows, json_incref((json_t *)(uintptr_t)record), product_compare_by_time);
        }
    }
    return rows;
}

/** What follows from the products of the names: of a run that was added to the last of each; NULL: no memory. */
static json_t *derived_of(const struct asked *asked, const json_t *records)
{
    static const char *const identity[] = {"name", "m", "k", "threads", "protocol"};
    json_t *rows = json_array();
    for (size_t i = 0; rows && i < json_array_size(records); i++) {
        json_t *record = json_array_get(records, i);
        if (strcmp(view_text(record, "type"), asked->command->derived->type) != 0 ||
            !is_named(asked->options, view_text(record, "name")))
            continue;
        for (size_t r = json_array_size(rows); r-- > 0;) {
            bool same = true;
            for (size_t f = 0; f < sizeof identity / sizeof *identity; f++) {
                const json_t *one = json_object_get(json_array_get(rows, r), identity[f]),
                             *other = json_object_get(record, identity[f]);
                same = same && (one == other || json_equal(one, other));
            }
            if (same)
                json_array_remove(rows, r);
        }
        json_array_append(rows, record);
    }
    return rows;
}

static int print(const struct asked *asked, const struct view *view)
{
    const struct product_command *command = asked->command;
    const struct product_options *options = asked->options;
    const bool json = options->measuring.json;
    const char *core = view_microarchitecture(view);
    json_t *rows = products_of(asked, view), *derived = derived_of(asked, view->records->records);
    int code = !rows || !derived ? complain(EXIT_USAGE, command->name, "no memory") : EXIT_DONE;
    if (!code && !json_array_size(rows))
        code = complain(EXIT_INCONCLUSIVE, command->name,
                        "%s has no %s of what is asked for; on its machine `kneepoint %s --into=%s` adds it",
                        options->from, command->product, command->name, options->from);
    if (!code && !json)
        printf("%s%s%s, run %s\n\n", view_machine_name(view), *core ? ", " : "", core, view_run_name(view));
    if (!code)
        code = product_show_rows(command, rows, json, &options->view);
    if (!code)
        code = product_show_derived(command, derived, json, &options->view);
    json_decref(rows);
    json_decref(derived);
    return code;
}

/** An option that only measuring has a use for; NULL: none is given. */
static const char *measuring_option(const struct product_options *options)
{
    return options->run.results                              ? "--results"
           : options->run.into                               ? "--into"
           : options->peers                                  ? "--peers"
           : options->best                                   ? "--best"
           : options->reads                                  ? "--reads"
           : options->tuning                                 ? "--tuning"
           : options->prefetch_given                         ? "--prefetch"
           : plan_schedules_any(&options->sharing.schedules) ? "--schedule"
                                                             : NULL;
}

/** Names that mean no kernel, as where they are measured. */
static int check_names(const struct product_command *command, const struct product_options *options,
                       const struct view *view)
{
    char why[256];
    if (name_filter_check(&options->filter, why, sizeof why))
        return complain(EXIT_USAGE, command->name, "%s", why);
    for (int i = 0; i < options->count; i++) {
        bool any = false;
        for (const struct kernel *const *kernel = kernel_all(); !any && *kernel; kernel++)
            any = name_argument_means(options->names[i], (*kernel)->name);
        for (size_t r = 0; !any && r < json_array_size(view->records->records); r++)
            any = name_argument_means(options->names[i], view_text(json_array_get(view->records->records, r), "name"));
        if (!any)
            return complain(EXIT_USAGE, command->name, "no kernel '%s'; `kneepoint list kernels` shows them%s",
                            options->names[i], name_argument_hint(options->names[i], false, why, sizeof why));
    }
    return EXIT_DONE;
}

static int print_run(const struct product_command *command, const struct product_options *options,
                     const struct run_records *records)
{
    struct asked *asked = calloc(1, sizeof *asked);
    struct view view;
    if (!asked || view_open(options->from, records, &view)) {
        free(asked);
        return complain(EXIT_USAGE, command->name, "no memory");
    }
    *asked = (struct asked){.command = command, .options = options};
    for (size_t i = 0; i < options->shape_count; i++, asked->shape_count++)
        shape_parse(options->shapes[i], &asked->shapes[i].m, &asked->shapes[i].k);
    int code = check_names(command, options, &view);
    if (!code && options->model)
        code = model_names_shapes(command->name, options->model, asked->shapes, &asked->shape_count);
    if (!code)
        code = print(asked, &view);
    view_close(&view);
    free(asked);
    return code;
}

int product_print_saved(const struct product_command *command, const struct product_options *options)
{
    struct run_records records;
    char why[1024];
    const char *measuring = measuring_option(options);
    if (measuring)
        return complain(EXIT_USAGE, command->name, "--from prints what a run has and measures nothing; leave out %s",
                        measuring);
    if (run_read(options->from, &records, why, sizeof why))
        return complain(EXIT_USAGE, command->name, "%s", why);
    const struct run_damage damage = run_damage_of(&records);
    complain_of_damage(command->name, options->from, &damage);
    int code = print_run(command, options, &records);
    run_records_free(&records);
    return code;
}
