/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A dump of what a CPU says of itself, and what is decided from it.
 */
#include <string.h>

#include "fuzz/frame/target.h"
#include "platforms/cpu/isa.h"

FUZZ_TARGET(bytes, length)
{
    struct cpuid_dump dump;
    struct cpu_identity identity;
    unsigned line = 0;
    char text[160];
    size_t count;
    if (cpuid_dump_read(fuzz_file(bytes, length), &dump, &line))
        return;
    hold(dump.count <= CPUID_DUMP_LEAVES);
    cpu_identity_of(&dump, &identity);
    hold(memchr(identity.brand, 0, sizeof identity.brand) && memchr(identity.vendor, 0, sizeof identity.vendor));
    const struct isa *rows = isa_rows(&count);
    for (size_t i = 0; i < count; i++) {
        isa_missing(&rows[i], &dump, text, sizeof text);
        hold(strlen(text) < sizeof text);
        hold(!isa_runs(&rows[i], isa_features_of(&dump)) || !text[0] || strcmp(rows[i].architecture, "any") == 0 ||
             strcmp(rows[i].architecture, cpuid_dump_architecture(&dump)) != 0);
    }
}
