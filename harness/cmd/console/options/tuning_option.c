/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See tuning_option.h.
 */
#include "harness/cmd/console/options/tuning_option.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/command/exit_code.h"
#include "harness/plan/tuning_use.h"

int tuning_option_read(const char *command, const char *given, const struct session *session,
                       struct tuning_table *table)
{
    char path[4096], why[SESSION_WHY];
    *table = (struct tuning_table){0};
    if (given && strcmp(given, "none") == 0)
        return EXIT_DONE;
    if (!given && tuning_use_path(session, "results", path, sizeof path))
        return EXIT_DONE;
    int error = tuning_use_read(session, given ? given : path, table, why, sizeof why);
    if (!error || (!given && error == -ENOENT))
        return EXIT_DONE;
    const char *remedy = error == -EXDEV || error == -ESTALE ? "; run `kneepoint tune` here" : "";
    if (given)
        return complain(*remedy ? EXIT_INCOMPARABLE : EXIT_USAGE, command, "%s%s", why, remedy);
    complain(0, command, "%s%s, or say --tuning=none; kernels run with their own settings", why, remedy);
    return EXIT_DONE;
}

enum session_tunes tuning_option_tunes(const char *given)
{
    return given && strcmp(given, "none") == 0 ? SESSION_TUNES_NONE : SESSION_TUNES_CELLS;
}

void tuning_option_print(const struct tuning_table *table, const struct cells *cells)
{
    const bool tabled = tuning_use_any(cells), found = tuning_use_any_found(cells);
    if (tabled)
        puts("\nSettings came from the table of `kneepoint tune` where it has an entry (field\n"
             "settings of --json); --tuning=none uses the defaults.");
    if (found)
        puts("\nThe prefetch distance of each GEMV is the fastest of those tried before it was\n"
             "measured (field prefetch_bytes of --json); --tuning=none uses the kernels' own.");
    if (tabled || found)
        return;
    puts(table && table->count
             ? "\nKernels ran with default settings; the table of `kneepoint tune` has no entry\nfor them."
             : "\nKernels ran with default settings; `kneepoint tune` searches for better ones.");
}
