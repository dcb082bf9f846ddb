/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/likwid_marker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "platforms/counters/library.h"
#include "platforms/counters/system.h"

struct likwid_marker {
    void (*init)(void);
    void (*thread_init)(void);
    int (*start)(const char *region);
    int (*stop)(const char *region);
    void (*close)(void);
};

static const struct library_symbol marker_symbols[] = {
    {"likwid_markerInit", offsetof(struct likwid_marker, init)},
    {"likwid_markerThreadInit", offsetof(struct likwid_marker, thread_init)},
    {"likwid_markerStartRegion", offsetof(struct likwid_marker, start)},
    {"likwid_markerStopRegion", offsetof(struct likwid_marker, stop)},
    {"likwid_markerClose", offsetof(struct likwid_marker, close)},
};

const char *const likwid_libraries[] = {"liblikwid.so.5.5", "liblikwid.so.5.4", "liblikwid.so.5.3", "liblikwid.so.5.2",
                                        "liblikwid.so.5",   "liblikwid.so",     NULL};

/* likwid-perfctr -m tells the process where to leave its results; without -m, and without likwid, it does not. */
bool likwid_marker_is_wanted(void)
{
    const char *path = getenv("LIKWID_FILEPATH"), *mode = getenv("LIKWID_MODE");
    return path && *path && mode && *mode;
}

int likwid_marker_open(const struct counters_system *system, struct likwid_marker **out, char *why, size_t size)
{
    *out = NULL;
    snprintf(why, size, "%s", "");
    if (!likwid_marker_is_wanted())
        return -ENODEV;
    struct likwid_marker *marker = calloc(1, sizeof *marker);
    if (!marker) {
        snprintf(why, size, "no memory for likwid's marker interface");
        return -ENOMEM;
    }
    /* No probe in a child: likwid-perfctr has just used the same library on the same CPU. */
    int status = library_open(system, likwid_libraries, marker_symbols,
                              sizeof marker_symbols / sizeof marker_symbols[0], marker, why, size);
    if (status) {
        free(marker);
        return status;
    }
    marker->init();
    *out = marker;
    return 0;
}

void likwid_marker_thread(const struct likwid_marker *marker)
{
    if (marker)
        marker->thread_init();
}

int likwid_marker_begin(const struct likwid_marker *marker, const char *region)
{
    return marker && marker->start(region) != 0 ? -EIO : 0;
}

int likwid_marker_end(const struct likwid_marker *marker, const char *region)
{
    return marker && marker->stop(region) != 0 ? -EIO : 0;
}

void likwid_marker_close(struct likwid_marker *marker)
{
    if (!marker)
        return;
    marker->close();
    free(marker);
}
