/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/embedded_text.h"

#include <string.h>

#include "embedded.h"

const char *embedded_text(const char *path)
{
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strcmp(file->path, path) == 0)
            return file->bytes;
    }
    return "";
}

const char *embedded_text_below(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    for (const struct embedded_file *file = embedded_files; file->path; file++) {
        if (strncmp(file->path, folder, length) == 0 && file->path[length] == '/' &&
            strcmp(strrchr(file->path, '/') + 1, name) == 0)
            return file->bytes;
    }
    return "";
}
