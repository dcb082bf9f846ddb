/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* For tests only: a shell script in the place of this program, in a scratch folder. Include cmocka.h before it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit_test.h"

struct fake_program {
    char folder[64], path[80], log[80];
    char said[4096];
};

static inline struct fake_program *fake_program_make(void)
{
    struct fake_program *fake = calloc(1, sizeof *fake);
    assert_non_null(fake);
    strcpy(fake->folder, "/tmp/kneepoint-fake-XXXXXX");
    assert_non_null(mkdtemp(fake->folder));
    snprintf(fake->path, sizeof fake->path, "%s/program", fake->folder);
    snprintf(fake->log, sizeof fake->log, "%s/log", fake->folder);
    return fake;
}

/** What it does; its arguments are kept, a line for each time it is run. */
static inline void fake_program_does(const struct fake_program *fake, const char *script)
{
    FILE *file = fopen(fake->path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\necho \"$*\" >>%s\n%s\n", fake->log, script);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(fake->path, 0700), 0);
}

/** All the arguments it was run with so far. */
static inline const char *fake_program_log(struct fake_program *fake)
{
    FILE *file = fopen(fake->log, "r");
    size_t length = file ? fread(fake->said, 1, sizeof fake->said - 1, file) : 0;
    fake->said[length] = 0;
    if (file)
        fclose(file);
    return fake->said;
}

static inline void fake_program_remove(struct fake_program *fake)
{
    unlink(fake->path);
    unlink(fake->log);
    assert_int_equal(rmdir(fake->folder), 0);
    free(fake);
}
