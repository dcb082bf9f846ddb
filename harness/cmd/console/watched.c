/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/watched.h"

static void visited(void *context, const struct cell *cell, size_t first, size_t roof_first)
{
    struct watched *watched = context;
    if (watched->writer)
        run_writer_visited(watched->writer, cell, first, roof_first);
}

static int added(void *context, struct cells *cells, size_t first, size_t end)
{
    struct watched *watched = context;
    return watched->writer ? run_writer_added(watched->writer, cells, first, end) : 0;
}

static void show(void *context, double fraction, const char *now)
{
    struct watched *watched = context;
    progress_part_show(&watched->part, fraction, now);
}

struct execution watched_begin(struct watched *watched, const char *command, struct run_writer *writer)
{
    *watched = (struct watched){.writer = writer, .part.end_fraction = 1};
    progress_begin(&watched->part.progress, command);
    return (struct execution){.visited = visited, .added = added, .progress = show, .context = watched};
}

void watched_end(struct watched *watched)
{
    progress_end(&watched->part.progress);
}
