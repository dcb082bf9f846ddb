/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/likwid_marker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "platforms/counters/system.h"
#include "platforms/process/library.h"

#if __has_include(<likwid.h>) && !defined(WITHOUT_LIKWID)
#define HAS_LIKWID
#include <likwid.h>
#endif

const char *const likwid_libraries[] = {"liblikwid.so.5.5",
                                        "liblikwid.so.5.4",
                                        "liblikwid.so.5.3",
                                        "liblikwid.so.5.2",
                                        "liblikwid.so.5",
                                        "liblikwid.so",
                                        NULL};

/* likwid-perfctr -m tells the process where to leave its results; without -m, and without likwid, it does not. */
bool likwid_marker_is_wanted(void)
{
    const char *path = getenv("LIKWID_FILEPATH"), *mode = getenv("LIKWID_MODE");
    return path && *path && mode && *mode;
}

#ifdef HAS_LIKWID

// clang-format off
#define MARKER_FUNCTIONS(X) \
    X(likwid_markerInit) X(likwid_markerThreadInit) X(likwid_markerStartRegion) X(likwid_markerStopRegion) \
    X(likwid_markerClose)
// clang-format on
struct likwid_marker {
    MARKER_FUNCTIONS(LIBRARY_FUNCTION)
};
#define MARKER_SYMBOL(function) LIBRARY_SYMBOL(likwid_marker, function)
static const struct library_symbol marker_symbols[] = {MARKER_FUNCTIONS(MARKER_SYMBOL)};

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
    int status = library_open(system->libraries ? system->libraries : likwid_libraries, marker_symbols,
                              sizeof marker_symbols / sizeof marker_symbols[0], marker, why, size);
    if (status) {
        free(marker);
        return status;
    }
    marker->likwid_markerInit();
    *out = marker;
    return 0;
}

void likwid_marker_thread(const struct likwid_marker *marker)
{
    if (marker)
        marker->likwid_markerThreadInit();
}

int likwid_marker_begin(const struct likwid_marker *marker, const char *region)
{
    return marker && marker->likwid_markerStartRegion(region) != 0 ? -EIO : 0;
}

int likwid_marker_end(const struct likwid_marker *marker, const char *region)
{
    return marker && marker->likwid_markerStopRegion(region) != 0 ? -EIO : 0;
}

void likwid_marker_close(struct likwid_marker *marker)
{
    if (!marker)
        return;
    marker->likwid_markerClose();
    free(marker);
}

#else

int likwid_marker_open(const struct counters_system *system, struct likwid_marker **out, char *why, size_t size)
{
    (void)system;
    *out = NULL;
    bool wanted = likwid_marker_is_wanted();
    snprintf(why, size, "%s", wanted ? "kneepoint was built without likwid.h, which likwid-perfctr -m needs" : "");
    return wanted ? -ENOENT : -ENODEV;
}

void likwid_marker_thread(const struct likwid_marker *marker)
{
    (void)marker;
}

int likwid_marker_begin(const struct likwid_marker *marker, const char *region)
{
    (void)marker, (void)region;
    return 0;
}

int likwid_marker_end(const struct likwid_marker *marker, const char *region)
{
    (void)marker, (void)region;
    return 0;
}

void likwid_marker_close(struct likwid_marker *marker)
{
    (void)marker;
}

#endif
