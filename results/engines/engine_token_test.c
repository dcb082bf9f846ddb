/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/engines/engine_token.h"

#include <math.h>
#include <string.h>

#include "unit_test.h"

TEST(the_parts_add_up_to_the_token)
{
    struct engine_token token = engine_token_parts(39.1e-3, 19e-3, 0.6e-3, 26.2e-3);
    assert_int_equal(token.state, ENGINE_TOKEN_WHOLE);
    assert_null(engine_token_why(token.state));
    assert_true(fabs(token.memory_s - 19.6e-3) <= 1e-9);
    assert_true(fabs(token.beyond_s - 7.2e-3) <= 1e-9);
    assert_true(fabs(token.rest_s - 12.3e-3) <= 1e-9);
    assert_true(fabs(token.memory_s + token.beyond_s + token.rest_s - 39.1e-3) <= 1e-12);
}

TEST(kernels_faster_than_the_roof_take_nothing_beyond_it)
{
    struct engine_token token = engine_token_parts(30e-3, 20e-3, 0, 19e-3);
    assert_int_equal(token.state, ENGINE_TOKEN_WHOLE);
    assert_true(fabs(token.beyond_s) <= 0);
    assert_true(fabs(token.rest_s - 10e-3) <= 1e-12);
}

TEST(of_a_cached_model_no_part_is_known)
{
    struct engine_token token = engine_token_parts(10e-3, 19e-3, 0, 8e-3);
    assert_int_equal(token.state, ENGINE_TOKEN_CACHED);
    assert_true(isnan(token.memory_s) && isnan(token.beyond_s) && isnan(token.rest_s));
    assert_non_null(strstr(engine_token_why(token.state), "faster than memory alone allows"));
}

TEST(kernels_slower_than_the_token_are_left_out)
{
    struct engine_token token = engine_token_parts(30e-3, 20e-3, 0, 31e-3);
    assert_int_equal(token.state, ENGINE_TOKEN_LONGER);
    assert_true(isnan(token.beyond_s));
    assert_true(fabs(token.memory_s + token.rest_s - 30e-3) <= 1e-12);
    assert_non_null(strstr(engine_token_why(token.state), "longer here than the engine took in all"));
    /* with keys and values that are read beside them, too */
    assert_int_equal(engine_token_parts(30e-3, 20e-3, 2e-3, 29e-3).state, ENGINE_TOKEN_LONGER);
}

TEST(what_is_missing_is_said)
{
    assert_int_equal(engine_token_parts(30e-3, 20e-3, 0, NAN).state, ENGINE_TOKEN_NO_KERNELS);
    assert_true(fabs(engine_token_parts(30e-3, 20e-3, 0, NAN).rest_s - 10e-3) <= 1e-12);
    const struct engine_token none[] = {
        engine_token_parts(NAN, 20e-3, 0, 25e-3),     engine_token_parts(30e-3, NAN, 0, 25e-3),
        engine_token_parts(30e-3, 20e-3, NAN, 25e-3), engine_token_parts(0, 20e-3, 0, 1e-3),
        engine_token_parts(INFINITY, 20e-3, 0, 1e-3), engine_token_parts(-1, 20e-3, 0, 1e-3)};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_int_equal(none[i].state, ENGINE_TOKEN_NO_MEMORY);
        assert_true(isnan(none[i].memory_s) && isnan(none[i].rest_s));
        assert_non_null(engine_token_why(none[i].state));
    }
}

TEST(the_change_that_saves_most_is_named)
{
    struct engine_token engine = engine_token_parts(39e-3, 20e-3, 0, 27e-3),
                        pass = engine_token_parts(26e-3, 20e-3, 0, 22e-3),
                        slow = engine_token_parts(60e-3, 20e-3, 0, 40e-3),
                        whole = engine_token_parts(26e-3, 20e-3, 0, NAN), none = engine_token_parts(NAN, 1, 0, 1);
    struct engine_token_saving most = engine_token_most(&engine, &pass);
    assert_int_equal(most.change, ENGINE_TOKEN_REST); /* 12 against 4, not 7 against 2 */
    assert_true(fabs(most.saved_s - 8e-3) <= 1e-12);
    most = engine_token_most(&slow, &engine);
    assert_int_equal(most.change, ENGINE_TOKEN_KERNELS); /* 20 against 7, not 20 against 12 */
    assert_true(fabs(most.saved_s - 13e-3) <= 1e-12);
    most = engine_token_most(&engine, &slow);
    assert_int_equal(most.change, ENGINE_TOKEN_NOTHING);
    assert_true(fabs(most.saved_s) <= 0);
    assert_null(engine_token_change_name(most.change));
    most = engine_token_most(&engine, &whole);
    assert_int_equal(most.change, ENGINE_TOKEN_ALL);
    assert_true(fabs(most.saved_s - 13e-3) <= 1e-12);
    assert_string_equal(engine_token_change_name(most.change), "the whole pass");
    assert_int_equal(engine_token_most(&engine, &none).change, ENGINE_TOKEN_NOTHING);
    assert_int_equal(engine_token_most(&none, &pass).change, ENGINE_TOKEN_NOTHING);
    assert_int_equal(engine_token_most(&whole, &engine).change, ENGINE_TOKEN_NOTHING);
}

RUN_TESTS(NULL, NULL)
