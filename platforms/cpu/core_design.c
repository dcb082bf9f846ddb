/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/cpu/core_design.h"

#include <string.h>

enum design_id {
    NONE,
#define DESIGN(id, name, llvm, least, besides, l1i, l1d, l2) id,
#define CORES(vendor, family, first, last, core, efficiency, chip)
#define LLVM_CORE(llvm, design)
#include "platforms/cpu/microarchitectures.def"
#undef DESIGN
#undef CORES
#undef LLVM_CORE
    DESIGN_COUNT
};

static const struct core_design designs[DESIGN_COUNT] = {
#define F(name) ((isa_features)1 << ISA_FEATURE_##name)
#define DESIGN(id, name, llvm, least, besides, l1i, l1d, l2)                                                           \
    [id] = {name, llvm, least, (least) | (besides), l1i, l1d, l2},
#define CORES(vendor, family, first, last, core, efficiency, chip)
#define LLVM_CORE(llvm, design)
#include "platforms/cpu/microarchitectures.def"
#undef F
#undef DESIGN
#undef CORES
#undef LLVM_CORE
};

static const struct cores {
    const char *vendor;
    uint32_t family, first_model, last_model;
    enum design_id core, efficiency_core;
    const char *chip;
} known_cores[] = {
#define DESIGN(id, name, llvm, least, besides, l1i, l1d, l2)
#define CORES(vendor, family, first, last, core, efficiency, chip)                                                     \
    {vendor, family, first, last, core, efficiency, chip},
#define LLVM_CORE(llvm, design)
#include "platforms/cpu/microarchitectures.def"
#undef DESIGN
#undef CORES
#undef LLVM_CORE
};
enum { CORES_COUNT = sizeof known_cores / sizeof *known_cores };

static const struct {
    const char *llvm;
    enum design_id design;
} llvm_cores[] = {
#define DESIGN(id, name, llvm, least, besides, l1i, l1d, l2)
#define CORES(vendor, family, first, last, core, efficiency, chip)
#define LLVM_CORE(llvm, design) {llvm, design},
#include "platforms/cpu/microarchitectures.def"
#undef DESIGN
#undef CORES
#undef LLVM_CORE
};

static enum design_id design_of(const struct cores *cores, bool efficiency)
{
    return efficiency && cores->efficiency_core ? cores->efficiency_core : cores->core;
}

struct core_stated core_design_stated(const char *vendor, uint32_t family, uint32_t model, bool efficiency)
{
    for (size_t i = 0; i < CORES_COUNT; i++) {
        const struct cores *cores = &known_cores[i];
        if (strcmp(cores->vendor, vendor) == 0 && cores->family == family && model >= cores->first_model &&
            model <= cores->last_model)
            return (struct core_stated){&designs[design_of(cores, efficiency)], cores->chip};
    }
    return (struct core_stated){0};
}

/** Whether a vendor makes it, for this place of a hybrid CPU. */
static bool makes(const char *vendor, bool efficiency, enum design_id design)
{
    for (size_t i = 0; i < CORES_COUNT; i++) {
        const struct cores *cores = &known_cores[i];
        if (strcmp(cores->vendor, vendor) == 0 && design == (efficiency ? cores->efficiency_core : cores->core))
            return true;
    }
    return false;
}

static bool agrees(const struct core_design *design, isa_features features, const struct core_caches *caches)
{
    return !(design->least & ~features) && !(features & ~design->most) &&
           (!design->l1i_kib || design->l1i_kib == caches->l1i_kib) &&
           (!design->l1d_kib || design->l1d_kib == caches->l1d_kib) &&
           (!design->l2_kib || design->l2_kib == caches->l2_kib);
}

size_t core_design_infer(const char *vendor, bool efficiency, isa_features features, const struct core_caches *caches,
                         const struct core_design **found, size_t capacity)
{
    size_t count = 0;
    for (enum design_id id = NONE + 1; id < DESIGN_COUNT; id++) {
        if (!agrees(&designs[id], features, caches) || !makes(vendor, efficiency, id))
            continue;
        if (count < capacity)
            found[count] = &designs[id];
        count++;
    }
    return count;
}

const struct core_design *core_design_of_llvm(const char *llvm)
{
    for (size_t i = 0; i < sizeof llvm_cores / sizeof *llvm_cores; i++) {
        if (strcmp(llvm_cores[i].llvm, llvm) == 0)
            return &designs[llvm_cores[i].design];
    }
    for (enum design_id id = NONE + 1; id < DESIGN_COUNT; id++) {
        if (llvm[0] && strcmp(designs[id].llvm, llvm) == 0)
            return &designs[id];
    }
    return NULL;
}
