/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Of a cell that calls many kernels every one of others is known, however many there are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/external_code.h"
#include "harness/cells/cell/kind.h"
#include "harness/measure/session.h"
#include "unit_test.h"

enum { THEIRS = 12 };

static char names[THEIRS][16];
static struct kernel kernels[THEIRS], ours = {.name = "ours.x.avx2"};
static const struct kernel *theirs[THEIRS + 1];

/** Ours first, then theirs, the first of these twice. */
static const struct kernel *calls(const struct cell *cell, size_t number)
{
    (void)cell;
    if (number == 0)
        return &ours;
    return number == 1 ? theirs[0] : number - 2 < THEIRS ? theirs[number - 2] : NULL;
}

static const struct cell_kind kind = {.name = "made up", .calls = calls};

/** A session with a plug-in of this many kernels. */
static struct session *session_with(void)
{
    struct session *session = calloc(1, sizeof *session);
    assert_non_null(session);
    for (size_t i = 0; i < THEIRS; i++) {
        snprintf(names[i], sizeof names[i], "a.k%zu.avx2", i);
        kernels[i].name = names[i];
        theirs[i] = &kernels[i];
    }
    session->plugins.plugin[0].kernels = theirs;
    session->plugins.count = 1;
    return session;
}

TEST(each_is_known_once)
{
    struct session *session = session_with();
    const struct cell cell = {.kind = &kind, .kernel = &ours, .name = "cell"};
    struct external_code code;
    for (size_t i = 0; i < THEIRS; i++) {
        assert_true(external_code_at(session, &cell, i, &code));
        assert_string_equal(code.name, names[i]);
        assert_ptr_equal(code.plugin, &session->plugins.plugin[0]);
    }
    assert_false(external_code_at(session, &cell, THEIRS, &code));
    assert_true(external_code_is_any(session, &cell));
    free(session);
}

TEST(a_fault_of_the_last_is_found)
{
    struct session *session = session_with();
    struct cell cell = {.kind = &kind, .kernel = &ours, .name = "cell"};
    struct plugin_fault fault = {.why = "it hangs", .plugin = &session->plugins.plugin[0]};
    char name[FOREIGN_NAMES];
    assert_false(external_code_is_withheld(session, &cell));
    snprintf(fault.name, sizeof fault.name, "%s", names[THEIRS - 1]);
    session->plugins.fault = &fault;
    session->plugins.faults = 1;
    assert_true(external_code_is_withheld(session, &cell));
    assert_string_equal(cell.why, "it hangs");
    assert_non_null(strstr(external_code_name(session, &cell, name, sizeof name), "a.k0.avx2 or a.k1.avx2"));
    assert_non_null(strstr(name, names[THEIRS - 1]));
    free(session);
}

TEST(a_cell_of_ours_has_none)
{
    struct session *session = session_with();
    static const struct cell_kind plain = {.name = "made up"};
    const struct cell cell = {.kind = &plain, .kernel = &ours, .name = "cell"};
    char name[FOREIGN_NAMES];
    assert_false(external_code_is_any(session, &cell));
    assert_string_equal(external_code_name(session, &cell, name, sizeof name), "ours.x.avx2");
    free(session);
}

RUN_TESTS(NULL, NULL)
