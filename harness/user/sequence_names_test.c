/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "harness/user/sequence_names.h"
#include "unit_test.h"

enum { WHY = 512 };

static int open_session(void **state)
{
    struct session *session = NULL;
    char why[WHY];
    struct session_request request = {.team.threads = 1, .seed = 7};
    assert_int_equal(session_open(&request, &session, why, sizeof why), 0);
    *state = session;
    return 0;
}

static int close_session(void **state)
{
    session_close(*state);
    return 0;
}

static const struct name_filter any;

TEST_WITH(without_a_name_it_is_all_that_run, open_session, close_session)
{
    const struct sequence *found[SEQUENCE_NAMES_MOST];
    char why[WHY];
    int count = sequence_names_find(*state, NULL, &any, found, SEQUENCE_NAMES_MOST, why, sizeof why), expected = 0;
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        if (!session_runs(*state, (*sequence)->isa))
            continue;
        assert_true(expected < count);
        assert_ptr_equal(found[expected++], *sequence);
    }
    skip_if(!expected, "not on this machine: no sequence runs here");
    assert_int_equal(count, expected);
    assert_int_equal(sequence_names_find(*state, NULL, &any, found, 1, why, sizeof why), 1);
}

TEST_WITH(leading_parts_mean_all_that_begin_with_them, open_session, close_session)
{
    const struct sequence *found[SEQUENCE_NAMES_MOST];
    char why[WHY], name[96];
    int all = sequence_names_find(*state, NULL, &any, found, SEQUENCE_NAMES_MOST, why, sizeof why);
    skip_if(all <= 0, "not on this machine: no sequence runs here");
    const struct sequence *first = found[0];
    assert_int_equal(sequence_names_find(*state, first->name, &any, found, SEQUENCE_NAMES_MOST, why, sizeof why), 1);
    assert_ptr_equal(found[0], first);
    int of_format = sequence_names_find(*state, first->format, &any, found, SEQUENCE_NAMES_MOST, why, sizeof why);
    assert_in_range(of_format, 1, all);
    for (int i = 0; i < of_format; i++)
        assert_string_equal(found[i]->format, first->format);
    snprintf(name, sizeof name, "%.*s", (int)strlen(first->format) - 1, first->format); /* without its last letter */
    assert_in_range(sequence_names_find(*state, name, &any, found, SEQUENCE_NAMES_MOST, why, sizeof why), of_format,
                    all);
    struct name_filter of_isa = {.isa = first->isa};
    int count = sequence_names_find(*state, NULL, &of_isa, found, SEQUENCE_NAMES_MOST, why, sizeof why);
    assert_in_range(count, 1, all);
    for (int i = 0; i < count; i++)
        assert_string_equal(found[i]->isa, first->isa);
    struct name_filter none = {.isa = first->isa, .origin = "nobody"};
    assert_int_equal(sequence_names_find(*state, first->name, &none, found, SEQUENCE_NAMES_MOST, why, sizeof why),
                     -ENOENT);
    assert_non_null(strstr(why, " --origin=nobody; `kneepoint list sequences` shows them"));
}

TEST_WITH(what_does_not_exist_or_run_is_named, open_session, close_session)
{
    const struct sequence *found[SEQUENCE_NAMES_MOST];
    char why[WHY] = "";
    assert_int_equal(sequence_names_find(*state, "int3", &any, found, SEQUENCE_NAMES_MOST, why, sizeof why), -ENOENT);
    assert_string_equal(why, "no sequence 'int3'; `kneepoint list sequences` shows them");
    assert_int_equal(sequence_names_find(*state, "", &any, found, SEQUENCE_NAMES_MOST, why, sizeof why), -ENOENT);
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        if (session_runs(*state, (*sequence)->isa))
            continue;
        const char *name = (*sequence)->name;
        assert_int_equal(sequence_names_find(*state, name, &any, found, SEQUENCE_NAMES_MOST, why, sizeof why),
                         -ENOEXEC);
        assert_ptr_equal(strstr(why, name), why);
        assert_non_null(strstr(why, " cannot run on this CPU: it "));
        assert_null(strchr(why, '\n'));
    }
}

RUN_TESTS(NULL, NULL)
