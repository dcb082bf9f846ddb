/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/none_kept.h"

#include "harness/cmd/console/console.h"
#include "harness/measure/sampler.h"

bool tell_if_none_kept(const char *command, const struct cell *cell)
{
    unsigned long judged[SAMPLE_CAUSES] = {0};
    char text[240];
    for (size_t i = 0; i < cell->samples.count; i++)
        judged[cell->samples.sample[i].cause]++;
    if (judged[SAMPLE_KEPT] || !cell->samples.count)
        return false;
    sampler_say_causes(judged, text, sizeof text);
    complain(0, command, "%s: no sample was kept: %s", cell->name, text);
    return true;
}
