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
