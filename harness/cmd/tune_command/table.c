/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See table.h.
 */
#include "harness/cmd/tune_command/table.h"

#include <math.h>
#include <stdio.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/quantities.h"
#include "harness/exit_code.h"
#include "results/tuning_match.h"

enum { NAME_SHOWN = 34 };

static void print_heading(void)
{
    printf("%s%-*s %11s %6s %3s %-4s %-12s %8s %-6s %10s %10s %6s %5s%s\n", console_bold(), NAME_SHOWN, "kernel",
           "shape", "tokens", "thr", "from", "variant", "prefetch", "share", "time us", "own us", "gain", "match",
           console_plain());
}

static void print_ratio(double ratio, int width)
{
    if (isfinite(ratio))
        printf(" %*.3f", width, ratio);
    else
        printf(" %*s", width, "-");
}

static void print_row(const struct tuning_cell *cell)
{
    char shape[48];
    const struct tuning_problem *problem = &cell->problem;
    snprintf(shape, sizeof shape, "%zux%zu", problem->m, problem->k);
    printf("%-*s %11s %6zu %3u %-4s %-12s %8zu %-6s", NAME_SHOWN, cell->kernel, shape, problem->n, problem->threads,
           problem->cold ? "cold" : "warm", cell->variant[0] ? cell->variant : "-", cell->prefetch_bytes,
           !cell->gemm           ? "gemv"
           : cell->shares_tokens ? "tokens"
                                 : "rows");
    print_column(1e6 * cell->time_s, 10, 2);
    print_column(1e6 * cell->default_time_s, 10, 2);
    print_ratio(cell->default_time_s / cell->time_s, 6);
    print_ratio(cell->best ? cell->time_s / cell->left_out_time_s : (double)NAN, 5);
    if (!isfinite(cell->time_s))
        printf("  %zu samples kept, 6 needed", cell->kept);
    printf("%s%s\n", cell->best ? "  best" : "", cell->seen < cell->candidates ? ", not all seen" : "");
}

int table_print(const char *command, const struct tuning_table *table, bool json)
{
    if (!json)
        print_heading();
    for (size_t i = 0; i < table->count; i++) {
        json_t *record = json ? tuning_cell_json(&table->cell[i]) : NULL;
        if (!json)
            print_row(&table->cell[i]);
        else if (print_record(command, record))
            return EXIT_USAGE;
    }
    return EXIT_DONE;
}

int table_print_end(const char *command, const struct tuning_table *table, const char *path, bool json)
{
    const struct tuning_loss loss = tuning_loss(table);
    if (json)
        return print_record(command, json_pack("{s:s, s:s, s:s, s:o}", "type", "tuning", "name", command, "path", path,
                                               "leave_one_out", tuning_loss_json(table)));
    puts(
        "\nvariant: register block and cut of K, of a kernel that has some; -: its own. time: with these settings, own: with the "
        "kernel's\nown, both of samples taken after the choice; gain: own over time. match: time over what the settings of the nearest "
        "other problem\ntake here, as if this one had not been tuned. best: of all kernels that can take each other's place.");
    if (loss.problems)
        printf(
            "\nLeft out one by one, %zu problem%s: with the nearest other's settings %.3f of the best in the geometric mean, "
            "%.3f at worst.\n",
            loss.problems, loss.problems == 1 ? "" : "s", loss.geometric_mean, loss.worst);
    else
        puts("\nLeft out one by one: no problem has another of its kind near it; give several --shape or --tokens.");
    printf("saved: %s\n", path);
    return EXIT_DONE;
}
