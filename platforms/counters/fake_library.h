/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <libgen.h>

#include "platforms/counters/fake_system.h"
#include "unit_test.h"

/** A shared object for tests, compiled from a source below platforms/ with one behaviour into the fake machine's folder. */
struct fake_library {
    char path[128];
    const char *names[2];
};

/** Skips the test where there is no compiler. */
static inline void fake_library_build(struct fake_library *library, struct fake_machine *machine, const char *source,
                                      const char *behaviour)
{
    char command[1024], folder[256];
    if (system("cc --version >/dev/null 2>&1") != 0) {
        print_message("# not on this machine: no C compiler\n");
        skip();
    }
    snprintf(folder, sizeof folder, "%s", __FILE__);
    /* A name for each: a library that is loaded once is not loaded again under the same name. */
    snprintf(library->path, sizeof library->path, "%s/lib%s.so", machine->root, behaviour);
    const char *platforms = dirname(dirname(folder));
    snprintf(command, sizeof command, "cc -shared -fPIC -O1 -w -I%s/.. -D%s -o %s %s/%s", platforms, behaviour,
             library->path, platforms, source);
    assert_int_equal(system(command), 0); /* it is compiled against the library's own header, as the back end is */
    library->names[0] = library->path;
    library->names[1] = NULL;
}

/** A file with the library's name that is no library. */
static inline void fake_library_broken(struct fake_library *library, struct fake_machine *machine)
{
    fake_file(machine, "libbroken.so", "this is not an ELF file, however long one looks at it, line after line");
    snprintf(library->path, sizeof library->path, "%s/libbroken.so", machine->root);
    library->names[0] = library->path;
    library->names[1] = NULL;
}
