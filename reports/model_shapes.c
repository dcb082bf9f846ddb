/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/model_shapes.h"

#include <stdio.h>
#include <string.h>

#include "embedded.h"

static const char folder[] = "micro/shapes/";

static bool read_line(const char *line, struct model_shape *shape)
{
    char roles[128];
    if (*line == '#' || sscanf(line, "%127s %lf %lf %lf", roles, &shape->m, &shape->k, &shape->count) != 4)
        return false;
    shape->head = strcmp(roles, "lm_head") == 0;
    return true;
}

size_t model_shapes(struct model_shape *shapes, size_t capacity)
{
    size_t count = 0;
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strncmp(file->path, folder, sizeof folder - 1) != 0)
            continue;
        const char *name = file->path + sizeof folder - 1;
        for (const char *at = file->bytes; *at && count < capacity; at += *at == '\n') {
            if (read_line(at, &shapes[count])) {
                snprintf(shapes[count].model, sizeof shapes[count].model, "%.*s", (int)strcspn(name, "."), name);
                count++;
            }
            at += strcspn(at, "\n");
        }
    }
    return count;
}
