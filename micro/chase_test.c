/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "micro/chase.h"
#include "unit_test.h"

struct chase {
    uint8_t *memory;
    uint32_t *next;
};

static struct chase linked(size_t lines, uint64_t seed)
{
    struct chase chase = {aligned_alloc(CHASE_LINE, lines * CHASE_LINE), calloc(lines, sizeof *chase.next)};
    assert_true(chase.memory && chase.next);
    memset(chase.memory, 0xff, lines * CHASE_LINE);
    assert_ptr_equal(chase_link(chase.memory, lines, 1, chase.next, seed), chase.memory);
    return chase;
}

static void release(struct chase chase)
{
    free(chase.memory);
    free(chase.next);
}

/** Lines that one lap sees, each once, and then the first again. */
TEST(a_lap_sees_every_line_once)
{
    static const size_t sizes[] = {2, 3, 8, 1000, 4096};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct chase chase = linked(sizes[s], 7);
        bool *seen = calloc(sizes[s], sizeof *seen);
        const uint8_t *at = chase.memory;
        for (size_t i = 0; i < sizes[s]; i++) {
            size_t line = (size_t)(at - chase.memory) / CHASE_LINE;
            assert_true(at >= chase.memory && line < sizes[s] && (size_t)(at - chase.memory) % CHASE_LINE == 0);
            if (seen[line])
                fail_msg("line %zu of %zu twice, after %zu", line, sizes[s], i);
            seen[line] = true;
            at = *(const uint8_t *const *)at;
        }
        assert_ptr_equal(at, chase.memory);
        free(seen);
        release(chase);
    }
}

TEST(a_walk_goes_so_many_lines)
{
    struct chase chase = linked(24, 3);
    const void *at = chase.memory;
    for (int i = 0; i < 16; i++)
        at = *(const void *const *)at;
    assert_ptr_equal(chase_walk(chase.memory, 16), at);
    assert_ptr_equal(chase_walk(chase.memory, 48), chase.memory);
    assert_ptr_equal(chase_walk(chase.memory, 0), chase.memory);
    release(chase);
}

/** Neighbours in the cycle are not neighbours in memory, and another seed is another cycle. */
TEST(the_order_is_random)
{
    enum { LINES = 4096 };
    struct chase one = linked(LINES, 1), other = linked(LINES, 2);
    size_t near = 0, same = 0;
    for (size_t i = 0; i < LINES; i++) {
        const uint8_t *at = *(const uint8_t *const *)(one.memory + i * CHASE_LINE);
        ptrdiff_t lines = (at - one.memory) / CHASE_LINE - (ptrdiff_t)i;
        near += lines >= -8 && lines <= 8;
        same += at - one.memory == *(const uint8_t *const *)(other.memory + i * CHASE_LINE) - other.memory;
    }
    assert_true(near < LINES / 50);
    assert_true(same < LINES / 100);
    release(one);
    release(other);
}

/** One line of each stretch, not always the same one, and nothing else is written. */
TEST(lines_that_are_apart_are_one_of_each_stretch)
{
    enum { STRETCHES = 1000, APART = 7, BYTES = STRETCHES * APART * CHASE_LINE };
    uint8_t *memory = aligned_alloc(CHASE_LINE, BYTES);
    uint32_t *next = calloc(STRETCHES, sizeof *next);
    bool seen[STRETCHES] = {false};
    size_t at_place[APART] = {0}, written = 0;
    assert_true(memory && next);
    memset(memory, 0xff, BYTES);
    const uint8_t *first = chase_link(memory, STRETCHES, APART, next, 5), *at = first;
    for (size_t i = 0; i < STRETCHES; i++) {
        size_t line = (size_t)(at - memory) / CHASE_LINE;
        assert_true(at >= memory && line < STRETCHES * APART && (size_t)(at - memory) % CHASE_LINE == 0);
        assert_false(seen[line / APART]);
        seen[line / APART] = true;
        at_place[line % APART]++;
        at = *(const uint8_t *const *)at;
    }
    assert_ptr_equal(at, first);
    for (size_t i = 0; i < APART; i++)
        assert_in_range(at_place[i], STRETCHES / APART / 2, 2 * STRETCHES / APART);
    for (size_t line = 0; line < STRETCHES * APART; line++)
        written += memory[line * CHASE_LINE + 7] != 0xff;
    assert_int_equal(written, STRETCHES);
    free(memory);
    free(next);
}

RUN_TESTS(NULL, NULL)
