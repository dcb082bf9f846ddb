/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/check/call/checked_call.h"

/** Make the call. @return what it did wrong, CALL_CLEAN if nothing */
static inline enum call_fault checked_call(const struct checked_call *call)
{
    struct checked_call_report report;
    checked_call_report(call, &report);
    return report.fault;
}
