/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/beta/streams_missing.h"

#include <stdio.h>

#include "micro/stream.h"
#include "platforms/cpu/isa.h"

bool streams_missing(const struct session *session, bool tiles, char *why, size_t size)
{
    const struct cpuid_dump *dump = &session->machine.dump;
    const char *nearest = NULL, *what = tiles ? "stream of tiles" : "read stream";
    char missing[160];
    for (const struct stream *const *at = stream_all(); *at; at++) {
        if (((*at)->tile_operations > 0) != tiles)
            continue;
        if (session_runs(session, (*at)->isa))
            return false;
        if (!nearest || isa_lacks_less((*at)->isa, nearest, dump))
            nearest = (*at)->isa;
    }
    if (!nearest) {
        snprintf(why, size, "no %s is known for this architecture", what);
        return true;
    }
    isa_missing(isa_find(nearest), dump, missing, sizeof missing);
    snprintf(why, size, "no %s runs on this CPU: %s %s", what, nearest, missing);
    return true;
}
