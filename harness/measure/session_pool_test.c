/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/session_pool.h"
#include "harness/measure/session_testing.h"
#include "unit_test.h"

TEST_GIVEN_BY(a_pool_is_full_of_random_bytes_and_only_grows, struct session *session, open_session, close_session)
{
    char why[WHY];
    size_t bytes = session_cold_bytes(session, session->threads);
    assert_int_equal(bytes, 4 * LLC_BYTES / session->threads);
    assert_true(session_pool_growth(session, session->threads, bytes) >= bytes * session->threads);
    assert_int_equal(session_pool(session, session->threads, bytes, why, sizeof why), 0);
    assert_int_equal(session_pool_growth(session, session->threads, bytes), 0);
    for (unsigned t = 0; t < session->threads; t++) {
        const struct memory_block *block = &session->pool[t];
        assert_true(block->length >= bytes);
        size_t zeros = 0;
        for (size_t i = 0; i < block->length; i += 4096) {
            uint64_t word;
            memcpy(&word, block->bytes + i, sizeof word);
            zeros += word == 0;
        }
        assert_int_equal(zeros, 0);
    }
    const unsigned char *before = session->pool[0].bytes;
    assert_int_equal(session_pool(session, 1, bytes / 2, why, sizeof why), 0);
    assert_ptr_equal(session->pool[0].bytes, before);
    assert_true(session_pool_growth(session, 1, 2 * bytes) >= bytes);
}

/** What was written is not read first: the caches hold it, and have to write it back. */
TEST_GIVEN_BY(in_a_new_pool_the_first_place_is_behind_what_was_read, struct session *session, open_session,
              close_session)
{
    char why[WHY];
    size_t bytes = session_cold_bytes(session, 1);
    assert_int_equal(session_pool(session, 1, bytes, why, sizeof why), 0);
    assert_int_equal(session->pool_at[0], bytes / 2);
    const uint8_t *place = session_cold_place(session, 0, 1, 4096, 64);
    assert_true(place >= session->pool[0].bytes + bytes / 2);
    size_t at = session->pool_at[0];
    assert_int_equal(session_pool(session, 1, bytes, why, sizeof why), 0); /* nothing was written */
    assert_int_equal(session->pool_at[0], at);
}

/** A visit reads some megabytes of a pool of gigabytes: the rest is not written, and reading goes on where it was. */
TEST_GIVEN_BY(only_places_that_are_read_are_written, struct session *session, open_session, close_session)
{
    char why[WHY];
    enum { GRANULE = 192, AT = 4096, BYTES = 64 * GRANULE };
    const struct sequence floats = {.weight_bytes = 24, .weight_values = SEQUENCE_F16, .activation_bytes = 1};
    const struct session_pool_need places = {BYTES, true};
    assert_int_equal(session_pool(session, 1, session_cold_bytes(session, 1), why, sizeof why), 0);
    skip_if(!MEMORY_COPIES_PAST_CACHES, "not on this architecture: no stores past the caches");
    size_t length = session->pool[0].length, at = session->pool_at[0];
    uint8_t *before = malloc(length);
    assert_non_null(before);
    memcpy(before, session->pool[0].bytes, length);
    assert_int_equal(session_pool_fill_sequence(session, 1, &floats, places), GRANULE);
    assert_int_equal(session->pool_at[0], at);
    assert_memory_not_equal(before, session->pool[0].bytes, BYTES);
    assert_memory_equal(before + BYTES, session->pool[0].bytes + BYTES, length - BYTES);

    /* ahead: the next place is written, and it is still the next */
    session_cold_weights_ahead(session, 0, 1, BYTES, GRANULE);
    assert_int_equal(session->pool_at[0], at);
    memcpy(before, session->pool[0].bytes, length);
    const uint8_t *place = session_cold_weights(session, 0, 1, BYTES, GRANULE);
    assert_memory_equal(before, session->pool[0].bytes, length);
    assert_int_equal((size_t)(place - session->pool[0].bytes) % GRANULE, 0);
    for (size_t i = 1; i < BYTES; i += 2)
        assert_in_range(place[i] >> 2 & 31, 11, 18);

    /* where any bytes will do, none are written */
    const struct sequence any = {.weight_bytes = 24, .weight_values = SEQUENCE_BYTES};
    assert_int_equal(session_pool_fill_sequence(session, 1, &any, places), 64);
    session->pool_at[0] = length / 4;
    session_cold_weights(session, 0, 1, BYTES, 64);
    assert_memory_equal(before, session->pool[0].bytes, length);
    free(before);
}

/** Matrices that do not fit the stretch they are copies of, one after the other and over the end of a lap. */
TEST_GIVEN_BY(places_of_every_lap_hold_weights, struct session *session, open_session, close_session)
{
    char why[WHY];
    const struct sequence floats = {.weight_bytes = 24, .weight_values = SEQUENCE_F16, .activation_bytes = 1};
    size_t pool = session_cold_bytes(session, 1), bytes = pool / 5 / 24 * 24;
    assert_int_equal(session_pool(session, 1, pool, why, sizeof why), 0);
    assert_int_equal(session_pool_fill_sequence(session, 1, &floats, (struct session_pool_need){.places = true}), 192);
    for (int read = 0; read < 12; read++) {
        const uint8_t *place = session_cold_weights(session, 0, 1, bytes, 192);
        for (size_t i = 1; i < bytes; i += 2) {
            if ((place[i] >> 2 & 31) < 11 || (place[i] >> 2 & 31) > 18)
                fail_msg("read %d, byte %zu: %#x", read, i, place[i]);
        }
    }
}

/** As a rotation goes: the second of two reads that take turns never finds its earlier place in a lap. */
TEST_GIVEN_BY(copies_are_the_places_that_a_rotation_uses, struct session *session, open_session, close_session)
{
    char why[WHY];
    enum { PLACES = 256 };
    static const size_t sizes[][2] = {{100 << 10, 200 << 10}, {64 << 10, 64 << 10}, {2 << 20, 300 << 10}};
    size_t bytes = session_cold_bytes(session, 1);
    assert_int_equal(session_pool(session, 1, bytes, why, sizeof why), 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct session_cold_read turn[2] = {{sizes[i][0], 64}, {sizes[i][1], 192}};
        const uint8_t *seen[PLACES], *place;
        size_t copies = session_cold_copies(session, 1, session->pool[0].length, turn), distinct = 0;
        session_cold_rewind(session);
        for (bool again = false; !again && distinct < PLACES;) {
            const uint8_t *first = session_cold_place(session, 0, 1, turn[0].bytes, turn[0].granule);
            if (distinct && first == session->pool[0].bytes)
                break;
            place = session_cold_place(session, 0, 1, turn[1].bytes, turn[1].granule);
            for (size_t j = 0; j < distinct; j++)
                again |= seen[j] == place;
            seen[distinct++] = place;
            again |= place == session->pool[0].bytes;
        }
        assert_true(copies >= 1 && copies <= distinct && copies + 1 >= distinct);
    }
    /* a matrix of most of the pool is one layer; so is one in a pool that an earlier one left with room for two */
    const struct session_cold_read large[2] = {{64 << 10, 64}, {bytes - bytes / 8, 64}},
                                   huge[2] = {{64 << 10, 64}, {10 * bytes, 64}};
    assert_int_equal(session_cold_copies(session, 1, bytes, large), 1);
    assert_int_equal(session_cold_copies(session, 1, 20 * bytes + (1 << 16), huge), 1);
}

/** What the machine states may be less than what it has. */
TEST_GIVEN_BY(a_pool_is_as_large_as_was_found_to_be_cold, struct session *session, open_session, close_session)
{
    session->cold_bytes = 16 * LLC_BYTES;
    assert_int_equal(session_cold_bytes(session, 2), 8 * LLC_BYTES);
    session->cold_bytes = 1 * LLC_BYTES; /* never less than four times what is stated */
    assert_int_equal(session_cold_bytes(session, 2), 2 * LLC_BYTES);
}

/** A third of the memory, but twice what is stated, and what was found to be cold, at least. */
TEST_GIVEN_BY(a_pool_is_cut_where_memory_is_short, struct session *session, open_session, close_session)
{
    uint64_t available = session->machine.memory_available_bytes;
    session->cold_bytes = 0;
    session->machine.memory_available_bytes = 0; /* not known */
    assert_int_equal(session_cold_bytes(session, 1), 4 * LLC_BYTES);
    session->machine.memory_available_bytes = 9 * LLC_BYTES;
    assert_int_equal(session_cold_bytes(session, 1), 3 * LLC_BYTES);
    assert_true(session_cold_wanted(session) == 4 * LLC_BYTES);
    session->machine.memory_available_bytes = 3 * LLC_BYTES;
    assert_int_equal(session_cold_bytes(session, 1), 2 * LLC_BYTES);
    session->cold_bytes = 16 * LLC_BYTES;
    assert_int_equal(session_cold_bytes(session, 1), 16 * LLC_BYTES);
    session->machine.memory_available_bytes = available;
}

TEST_GIVEN_BY(members_have_different_bytes, struct session *session, open_session, close_session)
{
    char why[WHY];
    skip_if(session->threads < 2, "not on this machine: one core");
    assert_int_equal(session_pool(session, 2, 1 << 20, why, sizeof why), 0);
    assert_memory_not_equal(session->pool[0].bytes, session->pool[1].bytes, 4096);
}

/** Weights that are any bytes are there already; others are drawn, where they were asked for. */
TEST_GIVEN_BY(a_pool_holds_valid_weights_of_a_sequence, struct session *session, open_session, close_session)
{
    char why[WHY];
    enum { GROUP = 24, BYTES = 1 << 20 };
    const struct sequence any = {.weight_bytes = GROUP, .weight_values = SEQUENCE_BYTES},
                          small = {.weight_bytes = GROUP, .weight_values = SEQUENCE_INT8, .activation_bytes = 1},
                          floats = {.weight_bytes = GROUP, .weight_values = SEQUENCE_F16, .activation_bytes = 1};
    const struct session_pool_need all = {.bytes = SIZE_MAX}, some = {.bytes = 8 * GROUP}, page = {.bytes = 4096};
    assert_int_equal(session_pool(session, session->threads, BYTES, why, sizeof why), 0);
    uint8_t before[4096];
    memcpy(before, session->pool[0].bytes, sizeof before);
    assert_int_equal(session_pool_fill_sequence(session, session->threads, &any, all), 64);
    assert_memory_equal(before, session->pool[0].bytes, sizeof before);

    assert_int_equal(session_pool_fill_sequence(session, session->threads, &floats, some), 192); /* of 24 and 64 */
    assert_memory_not_equal(before, session->pool[0].bytes, 8 * GROUP);
    assert_memory_equal(before + 8 * GROUP, session->pool[0].bytes + 8 * GROUP, sizeof before - 8 * GROUP);
    assert_int_equal(session_pool_fill_sequence(session, session->threads, &floats, all), 192);
    for (unsigned t = 0; t < session->threads; t++) {
        const struct memory_block *block = &session->pool[t];
        for (size_t i = 0; i + 2 <= block->length / GROUP * GROUP; i += 2) {
            unsigned exponent = (block->bytes[i + 1] >> 2 & 31);
            if (exponent < 11 || exponent > 18)
                fail_msg("member %u, byte %zu: exponent %u", t, i, exponent);
        }
    }

    memcpy(before, session->pool[0].bytes, sizeof before);
    assert_int_equal(session_pool_fill_sequence(session, session->threads, &floats, page), 192);
    assert_memory_equal(before, session->pool[0].bytes, sizeof before); /* they are there already */
    assert_int_equal(session_pool_fill_sequence(session, session->threads, &small, page), 192);
    assert_memory_not_equal(before, session->pool[0].bytes, sizeof before);
    for (size_t i = 0; i < 4096 / GROUP * GROUP; i++)
        assert_int_not_equal((int8_t)session->pool[0].bytes[i], -128);
    assert_int_equal(session_pool_fill_sequence(session, session->threads, &floats, all), 192);
    for (size_t i = 0; i + 2 <= 4096 / GROUP * GROUP; i += 2)
        assert_in_range(session->pool[0].bytes[i + 1] >> 2 & 31, 11, 18);
}

TEST_GIVEN_BY(cold_places_are_never_next_to_the_one_before, struct session *session, open_session, close_session)
{
    char why[WHY];
    enum { FAR = 8192 }; /* the farthest prefetch distance of a stream */
    size_t pool = session_cold_bytes(session, 1);
    assert_int_equal(session_pool(session, 1, pool, why, sizeof why), 0);
    const struct memory_block *block = &session->pool[0];
    /* sizes take turns as the roof and the GEMV beside it do */
    static const size_t sizes[] = {64, 4096, 100000, 640000, 1 << 20, 2000000};
    for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++) {
        for (size_t b = 0; b <= a; b++) {
            const uint8_t *former = NULL;
            size_t former_bytes = 0;
            for (int i = 0; i < 500; i++) {
                size_t bytes = sizes[i % 2 ? a : b];
                const uint8_t *place = session_cold_place(session, 0, 1, bytes, 64);
                assert_int_equal((uintptr_t)place % 64, 0);
                assert_true(place >= block->bytes && place + bytes <= block->bytes + block->length);
                bool roomy = 2 * bytes + former_bytes + 2 * 16384 <= pool;
                if (former && roomy && place < former + former_bytes + FAR && former < place + bytes + FAR)
                    fail_msg("%zu bytes at %zu after %zu at %zu", bytes, (size_t)(place - block->bytes), former_bytes,
                             (size_t)(former - block->bytes));
                former = place;
                former_bytes = bytes;
            }
        }
    }
}

TEST_GIVEN_BY(cold_places_go_round_the_whole_pool, struct session *session, open_session, close_session)
{
    char why[WHY];
    size_t pool = session_cold_bytes(session, 1), bytes = 100000, covered = 0;
    assert_int_equal(session_pool(session, 1, pool, why, sizeof why), 0);
    session_cold_rewind(session); /* to the beginning of a lap */
    const uint8_t *first = session_cold_place(session, 0, 1, bytes, 64), *place = first;
    do {
        covered += bytes + 16384 + 64;
        place = session_cold_place(session, 0, 1, bytes, 64);
    } while (place != first && covered < 100 * pool);
    assert_true(covered + bytes + 16384 >= pool && covered < 2 * pool);
}

TEST_GIVEN_BY(a_rewound_lap_meets_the_same_places, struct session *session, open_session, close_session)
{
    char why[WHY];
    enum { PLACES = 7 };
    const uint8_t *first[PLACES];
    size_t pool = session_cold_bytes(session, 1), bytes = 100000;
    assert_int_equal(session_pool(session, 1, pool, why, sizeof why), 0);
    for (int lap = 0; lap < 3; lap++) {
        session_cold_rewind(session);
        for (int i = 0; i < PLACES; i++) {
            const uint8_t *place = session_cold_place(session, 0, 1, bytes, 64);
            assert_true(lap == 0 || place == first[i]);
            first[i] = place;
        }
    }
    /* this many places are a lap: one more begins it anew, two less do not */
    size_t places = session_cold_places(session, 1, bytes);
    session_cold_rewind(session);
    for (size_t i = 0; i + 2 < places; i++)
        assert_true((session_cold_place(session, 0, 1, bytes, 64) == first[0]) == (i == 0));
    for (int i = 0; i < 3 && session_cold_place(session, 0, 1, bytes, 64) != first[0]; i++)
        assert_true(i < 2);
    assert_int_equal(session_cold_places(session, 1, 3 * pool), 1);
}

TEST_GIVEN_BY(a_place_as_large_as_the_pool_is_within_it, struct session *session, open_session, close_session)
{
    char why[WHY];
    size_t bytes = 3 * session_cold_bytes(session, 1);
    assert_int_equal(session_pool(session, 1, bytes, why, sizeof why), 0);
    for (int i = 0; i < 5; i++) {
        const uint8_t *place = session_cold_place(session, 0, 1, bytes, 64);
        assert_true(place >= session->pool[0].bytes &&
                    place + bytes <= session->pool[0].bytes + session->pool[0].length);
    }
}

/** A format of which few bytes are weights: a step of 66 bytes, whose last two are a mark. */
static void mark(uint8_t *panel, size_t k, uint64_t *random)
{
    for (int i = 0; i < 64; i++)
        panel[i] = (uint8_t)((*random)++);
    panel[64] = (uint8_t)k;
    panel[65] = 0xa5;
}

static bool is_marked(const uint8_t *place, size_t steps, size_t k)
{
    for (size_t i = 0; i < steps; i++) {
        if (place[66 * i + 64] != k || place[66 * i + 65] != 0xa5)
            return false;
    }
    return true;
}

static size_t panel_of_66(size_t k)
{
    return k / 8 * 66;
}

TEST_GIVEN_BY(cold_places_of_a_format_hold_its_weights, struct session *session, open_session, close_session)
{
    char why[WHY];
    const struct format any_byte = {.rows_per_panel = 1, .k_per_step = 8, .step_bytes = 64};
    const struct format uniform = {.rows_per_panel = 1, .k_per_step = 8, .step_bytes = 66, .fill = mark};
    const struct format whole = {.rows_per_panel = 1, .k_per_step = 8, .panel_bytes = panel_of_66, .fill = mark};
    const struct session_pool_need places = {.places = true};
    enum { STEPS = 5001 };
    assert_int_equal(session_pool(session, 1, session_cold_bytes(session, 1), why, sizeof why), 0);
    assert_int_equal(session_pool_fill(session, 1, &any_byte, 8, places), 64);
    for (int round = 0; round < 2; round++) {
        size_t granule = session_pool_fill(session, 1, &uniform, 8 * STEPS, places);
        assert_int_equal(granule, 66 * 32); /* least that lines and steps divide */
        for (int i = 0; i < 300; i++)
            assert_true(is_marked(session_cold_weights(session, 0, 1, 66 * STEPS, granule), STEPS, 8));
        /* panels of one step: the pool must hold those of the K asked for last */
        for (size_t k = 8; k <= 16; k += 8) {
            granule = session_pool_fill(session, 1, &whole, k, places);
            const uint8_t *place = session_cold_weights(session, 0, 1, panel_of_66(k), granule);
            assert_int_equal((size_t)(place - session->pool[0].bytes) % panel_of_66(k), 0);
            assert_int_equal(place[64], k);
        }
    }
}

TEST_GIVEN_BY(a_pool_beyond_the_memory_is_refused_and_nothing_is_allocated, struct session *session, open_session,
              close_session)
{
    char why[WHY] = "";
    assert_int_equal(session_pool(session, 1, (size_t)1 << 46, why, sizeof why), -ENOMEM);
    assert_non_null(strstr(why, "the cold pool of 1 thread needs 70368.7"));
    assert_non_null(strstr(why, "GB"));
    assert_null(strchr(why, '\n'));
    assert_int_equal(session->pool[0].length, 0);
}

TEST(an_eighth_of_the_memory_is_left_to_others)
{
    char why[WHY] = "";
    uint64_t available = UINT64_C(8000000000);
    assert_int_equal(session_memory_fits(7000000000, available, "it", why, sizeof why), 0);
    assert_int_equal(session_memory_fits(7000000001, available, "it", why, sizeof why), -ENOMEM);
    assert_non_null(strstr(why, "it needs 7.00 GB more memory and 7.00 GB may be used"));
    assert_int_equal(session_memory_fits(UINT64_MAX - 1, UINT64_MAX, "it", why, sizeof why), 0); /* not known */
}

RUN_TESTS(NULL, NULL)
