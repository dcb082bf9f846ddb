/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steady: every sample is kept, so that what is counted here is certain.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/cells/beta.h"
#include "harness/cells/cell/rounds_tests.h"
#include "harness/measure/session_level.h"

/** All streams are looked at, eight of them closely, and the fastest of those is the roof. */
static void find_roof(struct bench *bench, const char *level, unsigned roof_samples, size_t least, size_t most)
{
    assert_int_equal(beta_add(&bench->cells, bench->session, level, 1), 0);
    if (!bench->cells.count) {
        print_message("# not on this machine: no read stream runs here\n");
        skip();
    }
    struct execution execution = execution_of(bench);
    execution.roof_samples = roof_samples;
    size_t failed = 0;
    assert_int_equal(beta_find_roof(bench->session, &bench->cells, 0, bench->cells.count, &execution, &failed), 0);
    size_t finalists = 0, most_samples = 0;
    for (size_t i = 0; i < bench->cells.count; i++) {
        size_t count = bench->cells.cell[i].samples.count;
        most_samples = count > most_samples ? count : most_samples;
    }
    for (size_t i = 0; i < bench->cells.count; i++) {
        assert_true(bench->cells.cell[i].samples.count >= least);
        finalists += bench->cells.cell[i].samples.count == most_samples;
    }
    assert_int_equal(most_samples, most);
    assert_int_equal(finalists, bench->cells.count < 8 ? bench->cells.count : 8);
}

static void the_roof_of_a_cache_level_is_found(void **state)
{
    struct bench *bench = *state;
    bench->session->level_bytes[1] = 32 << 10;
    find_roof(bench, "L1", 0, 3, 3 + 5 + 18);
    assert_non_null(beta_roof(&bench->cells, "L1", 1));
    assert_int_equal(bench->session->roof[1].count, 0);
    assert_true(session_roof(bench->session, "L1", 1)->count > 0);
}

static void the_roof_of_memory_is_stored_in_the_session(void **state)
{
    struct bench *bench = *state;
    find_roof(bench, "memory", 2, 2, 2 + 2 + 2);
    const struct cell *roof = beta_roof(&bench->cells, "memory", 1);
    assert_non_null(roof);
    const struct session_stream *stream = &beta_cell(roof)->stream;
    assert_ptr_equal(bench->session->roof[1].streams[0].stream, stream->stream);
    assert_ptr_equal(bench->session->roof[1].streams[0].variant, stream->variant);
    assert_int_equal(bench->session->roof[1].streams[0].prefetch_bytes, stream->prefetch_bytes);
    assert_true(bench->session->roof[1].bytes_per_s > 1e8);
    assert_true(bench->session->roof[1].bytes_per_cycle_per_core > 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_roof_of_a_cache_level_is_found),
        CASE(the_roof_of_memory_is_stored_in_the_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
