/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/measure/session.h"
#include "micro/shape.h"

/**
 * Run a plug-in's kernel once on a matrix that is to be measured, with the team that is to measure it, in a child
 * process: what the check between guard pages, which is of small matrices and one thread, did not meet. A kernel that
 * crashes, hangs or is wrong there is withheld (plugins_withhold). Kernels of our own are passed over. Dissolves the
 * team.
 * @param tokens  of a GEMM; 0: a GEMV. What the kernel does not have is passed over
 * @param call_s  receives roughly how long it took; NAN: it did not run
 * @return 0 it may be measured; -EILSEQ it was withheld; -ENOMEM, or the errno of a process that could not be started or report, with why
 */
int plugin_try(struct session *session, const struct kernel *kernel, const struct shape *shape, size_t tokens,
               unsigned threads, double *call_s, char *why, size_t size);

/** What kernels are tried with: one shape with each of the teams. */
struct plugin_trials {
    const struct shape *shape;
    const unsigned *sizes;
    size_t teams;
    const size_t *tokens; /* of GEMMs, 0: a GEMV; NULL: a GEMV, and a GEMM of few tokens and of many */
    size_t token_count;
    void (*tried)(void *given, const struct kernel *kernel, size_t tokens, unsigned threads,
                  double call_s); /* NULL: nobody asks how long one took */
    void *given;
};

/**
 * Every kernel of the plug-ins that is wanted on the shape.
 * @return 0, whatever was withheld; -ENOMEM, or the errno of a process that could not be started or report, with why
 */
int plugin_try_all(struct session *session, const struct plugin_trials *trials,
                   bool (*wanted)(const void *context, const struct kernel *kernel, const struct shape *shape),
                   const void *context, char *why, size_t size);
