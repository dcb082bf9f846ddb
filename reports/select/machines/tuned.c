/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/machines/tuned.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Cut the last part of a path off. @return it; NULL: there is only one */
static char *cut_last(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return NULL;
    *slash = '\0';
    return slash + 1;
}

int tuned_open(const struct view *view, struct tuning_table *table)
{
    char run[PATH_MAX], path[PATH_MAX], why[512];
    *table = (struct tuning_table){0};
    if (!view->path || !realpath(view->path, run) || !cut_last(run))
        return -ENOENT;
    const char *platform = cut_last(run), *runs = cut_last(run);
    if (!platform || !runs || strcmp(runs, "runs") != 0 || tuning_path(run, platform, path, sizeof path))
        return -ENOENT;
    return tuning_read(path, table, why, sizeof why);
}
