/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/core_kind.h"

const char *core_kind_name(enum core_kind kind)
{
    static const char *const names[] = {"P", "E", "LP"};
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}
