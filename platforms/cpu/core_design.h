/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platforms/cpu/isa.h"

/**
 * Core designs (microarchitectures.def), and which of them a core is: by the family and model that it states, and by what it can do.
 *
 * A hypervisor may state the model of another CPU and hide features. It cannot add instructions. So
 * - a feature that the stated design cannot have contradicts it;
 * - a feature that is missing does not: it may be hidden, or switched off;
 * - caches do not either: some hypervisors make them up.
 * What contradicts leaves the designs of the same vendor that have at least every feature of theirs here, cannot have none of those that are here, and
 * have these first-level and second-level caches. One or two of them are the name; of more, or none, the core stays unnamed. Pure.
 */
struct core_design {
    const char *name; /* "Golden Cove (server)" */
    const char *llvm; /* "sapphirerapids"; "" where LLVM has no model of it */
    isa_features least, most;
    uint32_t l1i_kib, l1d_kib, l2_kib; /* 0: tells nothing */
};

/** What a core is by what it states: the design, and the chip's name ("Rocket Lake"); NULL where the model is not listed. */
struct core_stated {
    const struct core_design *design;
    const char *chip;
};

/** Of the first-level and second-level caches, KiB; 0 unknown. */
struct core_caches {
    uint32_t l1i_kib, l1d_kib, l2_kib;
};

struct core_stated core_design_stated(const char *vendor, uint32_t family, uint32_t model, bool efficiency);

/**
 * Designs that a core of these features and caches can be.
 * @param efficiency  of a hybrid CPU's efficiency cores
 * @return how many there are, also if more than capacity
 */
size_t core_design_infer(const char *vendor, bool efficiency, isa_features features, const struct core_caches *caches,
                         const struct core_design **found, size_t capacity);

/** The design that LLVM's core stands for, also where LLVM schedules it as another; NULL: it is not known here. */
const struct core_design *core_design_of_llvm(const char *llvm);
