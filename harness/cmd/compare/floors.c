/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>

#include "harness/cmd/compare/compare_command.h"
#include "harness/cmd/console/console.h"
#include "harness/command/command.h"
#include "harness/compare/aa.h"

static const char command_name[] = "compare";

static int print_comparison(const struct compare_options *options, const struct live_comparison *live, unsigned number)
{
    const struct comparison *comparison = &live->comparison;
    if (options->format == VERDICT_JSON)
        return print_record(command_name, comparison_verdict_record(comparison, options->given[0], options->given[1]));
    printf("A/A %u of %u: %-12s %zu pairs, moved %zu core %zu memory", number, options->noise_floor,
           compare_verdict_name(compare_overall(comparison->outcome, comparison->count)), live->result.pairs,
           live->result.moved[COMPARE_CORE], live->result.moved[COMPARE_MEMORY]);
    if (comparison->count && isfinite(comparison->outcome[0].effect))
        printf(", geometric mean %+.2f%%, worst %+.2f%% in %s", comparison_percent(comparison->mean.effect),
               comparison_percent(comparison->outcome[0].effect), comparison->outcome[0].name);
    puts(live->confirming_pairs ? "; a suspicion was measured again" : "");
    fflush(stdout);
    return EXIT_DONE;
}

static int print_floor(const struct compare_options *options, const struct aa_cell *cell)
{
    if (options->format == VERDICT_JSON)
        return print_record(command_name,
                            json_pack("{s:s, s:s, s:o, s:i, s:i}", "type", "floor", "name", cell->name, "floor",
                                      isnan(cell->floor) ? json_null() : json_real(expm1(cell->floor)), "comparisons",
                                      (int)options->noise_floor, "blocks", (int)options->blocks));
    if (isnan(cell->floor))
        printf("%-60s too few of its pairs have kept samples\n", cell->name);
    else
        printf("%-60s A/A 95%% %6.2f%%\n", cell->name, comparison_percent(cell->floor));
    return EXIT_DONE;
}

/** One A/A comparison: a line, and its effects. */
static int compare_with_itself(const struct compare_options *options, const struct live_comparison_request *request,
                               struct progress *progress, struct aa *aa)
{
    struct live_comparison live;
    int code = compare_measured(request, progress, &live);
    if (code)
        return code;
    code = aa_add(aa, &live.comparison) ? complain(EXIT_USAGE, command_name, "no memory")
                                        : print_comparison(options, &live, aa->made);
    live_comparison_release(&live);
    return code;
}

static int keep_floors(const struct compare_options *options, const struct live *live, struct aa *aa,
                       struct machine_floor *floor)
{
    char why[1024];
    int known = aa_floors(aa, live, options->blocks, floor), code = EXIT_DONE;
    if (known < 0)
        return complain(EXIT_USAGE, command_name, "no memory");
    for (size_t i = 0; !code && i < aa->cells; i++) {
        if (aa->cell[i].name)
            code = print_floor(options, &aa->cell[i]);
    }
    if (!code && !known)
        return complain(EXIT_INCONCLUSIVE, command_name,
                        "the machine is too busy: too few pairs have kept samples; no noise floor is saved");
    if (!code && machine_floor_save(floor, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    return code ? code : complain(EXIT_DONE, command_name, "kept in %s", floor->path);
}

int compare_noise_floor(const struct compare_options *options, const struct live_comparison_request *request,
                        struct progress *progress, struct machine_floor *floor)
{
    struct aa aa = {.comparisons = options->noise_floor};
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && i < options->noise_floor; i++)
        code = compare_with_itself(options, request, progress, &aa);
    if (!code && live_stopped(request->live))
        code =
            complain(EXIT_INTERRUPTED, command_name, "interrupted after %u of %u comparisons; no noise floor is saved",
                     aa.made, options->noise_floor);
    if (!code)
        code = keep_floors(options, request->live, &aa, floor);
    if (!code && aa.failed)
        code = complain(EXIT_CHECK_FAILED, command_name, "%zu of %u A/A comparisons failed although nothing changed",
                        aa.failed, options->noise_floor);
    aa_release(&aa);
    return code;
}
