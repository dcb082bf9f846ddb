/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <errno.h>

/** Exit codes of every subcommand. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_CHECK_FAILED = 1, /* a wrong kernel, a regression */
    EXIT_USAGE = 2,        /* usage or environment error, with one line saying what to do */
    EXIT_INCONCLUSIVE = 3,
    EXIT_INCOMPARABLE = 4,
    EXIT_INTERRUPTED = 130,
};

/** That of an error of measuring: -EILSEQ a result is wrong, -ENODATA no sample was kept of what it is measured beside. */
static inline enum exit_code exit_code_of(int error)
{
    return error == -EILSEQ ? EXIT_CHECK_FAILED : error == -ENODATA ? EXIT_INCONCLUSIVE : EXIT_USAGE;
}
