/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_EXIT_CODE_H
#define HARNESS_EXIT_CODE_H

/** Exit codes of every subcommand. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_CHECK_FAILED = 1, /* a wrong kernel, a regression */
    EXIT_USAGE = 2,        /* usage or environment error, with one line saying what to do */
    EXIT_INCONCLUSIVE = 3,
    EXIT_INCOMPARABLE = 4,
    EXIT_INTERRUPTED = 130,
};

#endif
