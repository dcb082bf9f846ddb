/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/call/emulator.h"

#include "harness/check/dots/dot_instruction.h"

isa_features emulator_features(const char *isa)
{
    if (!isa)
        return 0; /* the stand-ins of tests */
    return (tile_emulator_stands_in(isa) ? isa_tile_features() : 0) |
           (dot_emulator_stands_in(isa) ? (isa_features)1 << ISA_FEATURE_AVX_VNNI_INT8 : 0);
}

bool emulator_stands_in(const char *isa)
{
    return emulator_features(isa) != 0;
}

enum tile_emulated emulator_execute(ucontext_t *context, const char **why)
{
    return dot_emulate(context) ? TILE_EMULATED : tile_emulate(context, why);
}
