/* SPDX-License-Identifier: BSD-3-Clause
 *
 * On a recorded machine (platforms/machine/machine_standin.c) no plug-in is loaded: its code would run on this one.
 */
#include "platforms/machine/machine_standin.h"

#include "harness/plugin/plugins.h"

int __real_plugins_add(struct plugins *plugins, const struct plugins_request *request, isa_features features, char *why,
                       size_t size);
int __wrap_plugins_add(struct plugins *plugins, const struct plugins_request *request, isa_features features, char *why,
                       size_t size);

int __wrap_plugins_add(struct plugins *plugins, const struct plugins_request *request, isa_features features, char *why,
                       size_t size)
{
    int error = request->count ? machine_standin_refuse(why, size) : 0;
    return error ? error : __real_plugins_add(plugins, request, features, why, size);
}
