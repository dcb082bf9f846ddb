/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_CORE_KIND_H
#define PLATFORMS_CORE_KIND_H

/** The kinds of cores that a hybrid machine has; a homogeneous one has performance cores alone. */
enum core_kind { CORE_KIND_PERFORMANCE, CORE_KIND_EFFICIENCY, CORE_KIND_LOW_POWER, CORE_KINDS };

/** "P", "E", "LP"; "?" if out of range. */
const char *core_kind_name(enum core_kind kind);

#endif
