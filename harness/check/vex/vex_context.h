/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <ucontext.h>

#include "harness/check/vex/vex.h"

/** The general registers that a signal saved, by the numbers of encodings; rip is the caller's to fill in. x86-64 alone. */
static inline void vex_read_general(const ucontext_t *context, uint64_t general[VEX_REGISTERS])
{
    static const int order[VEX_REGISTER_RIP] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                                REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    for (unsigned i = 0; i < VEX_REGISTER_RIP; i++)
        general[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
}
