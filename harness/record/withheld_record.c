/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/record/withheld_record.h"

json_t *withheld_record(const struct plugin_fault *fault)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "type", "withheld", "name", fault->name, "plugin",
                     fault->plugin->description->name, "plugin_hash", fault->plugin->file.hash, "reason", fault->why,
                     "seed", (json_int_t)fault->seed);
}
