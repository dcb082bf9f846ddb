/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/compare/compare_command.h"
#include "harness/cmd/console/console.h"
#include "harness/command/command.h"

void compare_say_faults(struct live *live)
{
    const char *why;
    while ((why = live_withheld_next(live_faults(live))))
        complain(0, "compare", "%s; it is left out", why);
}

int compare_measured(const struct live_comparison_request *request, struct progress *progress,
                     struct live_comparison *live)
{
    char why[SESSION_WHY];
    int error = live_comparison_make(request, live, why, sizeof why);
    progress_end(progress);
    if (!error)
        return EXIT_DONE;
    compare_say_faults(request->live); /* the cause comes first */
    if (error == -EINTR)
        return complain(EXIT_INTERRUPTED, "compare", "interrupted before there were %d pairs to judge by",
                        LIVE_BLOCKS_LEAST);
    return complain(error == -EILSEQ ? EXIT_CHECK_FAILED : EXIT_USAGE, "compare", "%s", why);
}

/* Which cells of stored runs --format, --isa, --origin and --bits leave: those of kernels and sequences that have it. */
bool compare_wants(const void *context, const char *cell)
{
    const struct name_filter *filter = context;
    char name[256] = "";
    if (!name_filter_is_set(filter))
        return true;
    sscanf(cell, "%*[^/]/%255[^/]", name);
    const struct kernel *kernel = kernel_find(name);
    const struct sequence *sequence = kernel ? NULL : sequence_find(name);
    return kernel ? name_filter_has_kernel(filter, kernel) : sequence && name_filter_has_sequence(filter, sequence);
}
