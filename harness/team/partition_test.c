/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/team/partition.h"
#include "unit_test.h"

enum { MOST_THREADS = 20, FROM_WHOLE_PANELS = 64, CUT = 8 };

static const size_t panel_counts[] = {1, 2, 3, 5, 7, 8, 16, 25, 33, 64, 127, 128, 129, 640, 2004};
static const size_t step_counts[] = {1, 2, 7, 8, 9, 15, 16, 17, 32, 50, 64, 127, 400, 1024};

typedef void check(size_t panels, size_t steps, unsigned threads);

static void for_all(check *check_one)
{
    for (size_t p = 0; p < sizeof panel_counts / sizeof *panel_counts; p++) {
        for (size_t s = 0; s < sizeof step_counts / sizeof *step_counts; s++) {
            for (unsigned threads = 1; threads <= MOST_THREADS; threads++)
                check_one(panel_counts[p], step_counts[s], threads);
        }
    }
}

static void follows_and_completes(size_t panels, size_t steps, unsigned threads)
{
    size_t at = 0;
    for (unsigned t = 0; t < threads; t++) {
        struct partition part = partition_of(panels, steps, t, threads);
        if (part.first != at || part.end < part.first || part.steps_per_panel != steps)
            fail_msg("%zu panels of %zu steps, member %u of %u: [%zu, %zu) after %zu", panels, steps, t, threads,
                     part.first, part.end, at);
        at = part.end;
    }
    if (at != panels * steps)
        fail_msg("%zu panels of %zu steps on %u threads end at %zu", panels, steps, threads, at);
}

TEST(stretches_follow_each_other_and_cover_all)
{
    for_all(follows_and_completes);
}

static void parts_add_up(size_t panels, size_t steps, unsigned threads)
{
    for (unsigned t = 0; t < threads; t++) {
        struct partition part = partition_of(panels, steps, t, threads);
        size_t at = part.first;
        bool good = part.head_steps + part.whole_panels * steps + part.tail_steps == part.end - part.first;
        if (part.head_steps) {
            good &= part.head_first_step > 0 && part.head_panel * steps + part.head_first_step == at;
            good &= part.head_first_step + part.head_steps <= steps;
            at += part.head_steps;
        }
        if (part.whole_panels) {
            good &= part.whole_panel * steps == at;
            at += part.whole_panels * steps;
        }
        if (part.tail_steps)
            good &= part.tail_panel * steps == at && part.tail_steps < steps;
        /* a head that does not reach the end of its panel is all that the member has */
        if (part.head_steps && part.head_first_step + part.head_steps < steps)
            good &= part.whole_panels == 0 && part.tail_steps == 0;
        if (!good)
            fail_msg("%zu panels of %zu steps, member %u of %u", panels, steps, t, threads);
    }
}

TEST(head_whole_panels_and_tail_add_up)
{
    for_all(parts_add_up);
}

static void is_balanced(size_t panels, size_t steps, unsigned threads)
{
    double share = (double)(panels * steps) / threads;
    double slack = panels >= (size_t)FROM_WHOLE_PANELS * threads ? (double)steps : CUT;
    for (unsigned t = 0; t < threads; t++) {
        struct partition part = partition_of(panels, steps, t, threads);
        double off = (double)part.first - share * t;
        if (off > slack || off < -slack)
            fail_msg("%zu panels of %zu steps, member %u of %u begins %+.1f steps off", panels, steps, t, threads, off);
    }
}

TEST(every_member_begins_within_eight_steps_or_a_panel_of_its_share)
{
    for_all(is_balanced);
}

static void cuts_well(size_t panels, size_t steps, unsigned threads)
{
    for (unsigned t = 0; t < threads; t++) {
        struct partition part = partition_of(panels, steps, t, threads);
        if (part.first % steps % CUT)
            fail_msg("%zu panels of %zu steps, member %u of %u begins at %zu", panels, steps, t, threads, part.first);
        if (panels >= (size_t)FROM_WHOLE_PANELS * threads && (part.head_steps || part.tail_steps))
            fail_msg("%zu panels of %zu steps on %u threads: a panel is cut for nothing", panels, steps, threads);
    }
}

TEST(cuts_fall_on_cache_lines_and_spare_many_panels)
{
    for_all(cuts_well);
}

TEST(more_members_than_work_leaves_some_without)
{
    unsigned idle = 0;
    for (unsigned t = 0; t < 8; t++) {
        struct partition part = partition_of(1, 32, t, 8);
        if (part.first == part.end) {
            assert_true(part.head_steps == 0 && part.whole_panels == 0 && part.tail_steps == 0);
            idle++;
        }
    }
    assert_in_range(idle, 4, 7);
}

TEST(a_team_of_one_has_it_all)
{
    struct partition part = partition_of(25, 400, 0, 1);
    assert_true(part.first == 0 && part.end == 10000);
    assert_true(part.whole_panel == 0 && part.whole_panels == 25 && part.head_steps == 0 && part.tail_steps == 0);
}

/* ---- by weights ---- */

static const double ratios[] = {1, 0.5, 0.01, 3, 0.33, 7.5, 1, 1e-6, 2, 0.7};

static void weigh(double *weights, unsigned threads, size_t shift)
{
    for (unsigned t = 0; t < threads; t++)
        weights[t] = ratios[(t + shift) % (sizeof ratios / sizeof *ratios)];
}

static void weighted_completes(size_t panels, size_t steps, unsigned threads)
{
    double weights[MOST_THREADS], sum = 0, before = 0;
    weigh(weights, threads, panels + steps);
    for (unsigned t = 0; t < threads; t++)
        sum += weights[t];
    size_t at = 0;
    for (unsigned t = 0; t < threads; t++) {
        struct partition part = partition_weighted(panels, steps, weights, t, threads);
        double off = (double)part.first - (double)(panels * steps) * before / sum;
        double slack = part.first % steps ? CUT : (double)(steps > CUT ? steps : CUT);
        if (part.first != at || part.end < part.first || part.first % steps % CUT || off > slack || off < -slack)
            fail_msg("%zu panels of %zu steps, member %u of %u: [%zu, %zu) after %zu, %+.1f steps off", panels, steps,
                     t, threads, part.first, part.end, at, off);
        if (part.head_steps + part.whole_panels * steps + part.tail_steps != part.end - part.first)
            fail_msg("%zu panels of %zu steps, member %u of %u", panels, steps, t, threads);
        at = part.end;
        before += weights[t];
    }
    if (at != panels * steps)
        fail_msg("%zu panels of %zu steps on %u threads end at %zu", panels, steps, threads, at);
}

TEST(weighted_stretches_cover_all_in_proportion)
{
    for_all(weighted_completes);
}

static void equal_without_weights(size_t panels, size_t steps, unsigned threads)
{
    for (unsigned t = 0; t < threads; t++) {
        struct partition equal = partition_of(panels, steps, t, threads);
        struct partition none = partition_weighted(panels, steps, NULL, t, threads);
        if (equal.first != none.first || equal.end != none.end || equal.whole_panel != none.whole_panel)
            fail_msg("%zu panels of %zu steps, member %u of %u", panels, steps, t, threads);
    }
}

TEST(no_weights_are_equal_shares)
{
    for_all(equal_without_weights);
}

TEST(no_panels_are_no_work)
{
    const double weights[] = {1, 2};
    for (unsigned t = 0; t < 2; t++) {
        struct partition part = partition_weighted(0, 16, weights, t, 2);
        assert_true(part.first == 0 && part.end == 0 && part.head_steps == 0 && part.whole_panels == 0 &&
                    part.tail_steps == 0);
    }
}

RUN_TESTS(NULL, NULL)
