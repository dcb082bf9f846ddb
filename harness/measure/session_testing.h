/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/measure/session.h"
#include "unit_test.h"

/** For tests of a session: each opens one of its own. */

enum { WHY = 512, LLC_BYTES = 1 << 20 };

/** This machine with its first one or two CPUs, and a last-level cache that makes a pool small. */
static inline int open_session(void **state)
{
    struct session *session = NULL;
    char why[WHY];
    struct session_request request = {.seed = 42};
    assert_int_equal(session_open(&request, &session, why, sizeof why), 0);
    session->threads = session->threads > 2 ? 2 : session->threads;
    session->llc_bytes = LLC_BYTES;
    *state = session;
    return 0;
}

static inline int close_session(void **state)
{
    session_close(*state);
    return 0;
}

/** A test whose *state is the session. */
#define CASE(test) cmocka_unit_test_setup_teardown(test, open_session, close_session)
