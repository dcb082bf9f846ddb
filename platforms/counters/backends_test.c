/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "platforms/counters/backends.h"
#include "unit_test.h"

TEST(auto_prefers_them_by_priority_and_each_has_one_place)
{
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++) {
        const struct counters_backend *backend = counters_backend(b);
        if (b > 0)
            assert_true(backend->priority <= counters_backend(b - 1)->priority);
        for (size_t other = 0; other < b; other++)
            assert_ptr_not_equal(backend, counters_backend(other));
    }
}

/* Names are what users type and records say: the file's own. */
TEST(each_is_named_like_its_file_and_says_what_it_is)
{
#define NAMED(descriptor) {#descriptor, &descriptor},
    static const struct {
        const char *descriptor;
        const struct counters_backend *backend;
    } named[] = {REGISTRY_COUNTERS(NAMED)};
#undef NAMED
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++) {
        const struct counters_backend *backend = named[b].backend;
        assert_string_equal(named[b].descriptor + strlen("counters_backend_"), backend->name);
        assert_string_not_equal(backend->name, "auto");
        assert_true(backend->summary && *backend->summary && !strchr(backend->summary, '\n'));
        assert_non_null(backend->probe);
        if (backend->open)
            assert_true(backend->begin && backend->end && backend->result && backend->close);
    }
}

RUN_TESTS(NULL, NULL)
