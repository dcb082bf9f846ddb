/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/plan/characterize/pace.h"
#include "harness/plan/characterize/parts.h"
#include "harness/plan/characterize/planner.h"
#include "harness/plan/characterize/purpose.h"
#include "results/statistics/stats.h"
#include "unit_test.h"

enum { ITEMS = 200 };

/** Items whose values, ranks and costs have no order. */
static void draw(struct planner_item items[ITEMS])
{
    uint64_t state = 5;
    for (size_t i = 0; i < ITEMS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        items[i] = (struct planner_item){.value = (unsigned)(state >> 60) % 7,
                                         .rank = (unsigned)(state >> 50) % 3,
                                         .cost_s = (double)((state >> 33) % 1000) / 100,
                                         .bytes = (double)((state >> 20) % 3000)};
    }
}

TEST(what_is_chosen_fits_and_what_comes_next_does_not)
{
    struct planner_item items[ITEMS];
    size_t order[ITEMS];
    draw(items);
    for (double seconds = 0; seconds < 1200; seconds += 17) {
        const struct planner_budget budget = {seconds, 150e3};
        struct planner_budget sum, own = {0, 0};
        size_t chosen = planner_choose(items, ITEMS, budget, order, &sum);
        for (size_t i = 0; i < chosen; i++) {
            own.seconds += items[order[i]].cost_s;
            own.bytes += items[order[i]].bytes;
        }
        assert_true(own.seconds <= budget.seconds && own.bytes <= budget.bytes);
        assert_true(own.seconds == sum.seconds && own.bytes == sum.bytes);
        assert_true(chosen == ITEMS || own.seconds + items[order[chosen]].cost_s > budget.seconds ||
                    own.bytes + items[order[chosen]].bytes > budget.bytes);
    }
}

TEST(a_larger_budget_has_all_of_a_smaller_one)
{
    struct planner_item items[ITEMS];
    size_t order[ITEMS], former[ITEMS], had = 0;
    draw(items);
    for (double seconds = 0; seconds < 1200; seconds += 7) {
        const struct planner_budget budget = {seconds, 1.4e5 + 550 * seconds};
        size_t chosen = planner_choose(items, ITEMS, budget, order, NULL);
        assert_true(chosen >= had);
        for (size_t i = 0; i < had; i++)
            assert_int_equal(order[i], former[i]);
        for (size_t i = 0; i < chosen; i++)
            former[i] = order[i];
        had = chosen;
    }
    assert_int_equal(had, ITEMS);
}

TEST(value_comes_before_rank_and_rank_before_cost)
{
    static const struct planner_item items[] = {
        {1, 0, 1, 0, 0, 0}, {0, 2, 1, 0, 0, 0}, {0, 1, 9, 0, 0, 0}, {0, 1, 3, 0, 0, 0}, {0, 1, 3, 0, 0, 0}};
    static const size_t expected[] = {3, 4, 2, 1, 0};
    size_t order[5];
    assert_int_equal(planner_choose(items, 5, (struct planner_budget){INFINITY, INFINITY}, order, NULL), 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(order[i], expected[i]);
    /* 2 would not fit, and so nothing after it is taken */
    assert_int_equal(planner_choose(items, 5, (struct planner_budget){10, INFINITY}, order, NULL), 2);
}

TEST(the_items_of_a_set_follow_each_other_the_cheapest_set_first)
{
    static const struct planner_item items[] = {
        {.cost_s = 1, .set = 0, .set_s = 6}, {.cost_s = 4, .set = 1, .set_s = 5}, {.cost_s = 5, .set = 0, .set_s = 6},
        {.cost_s = 1, .set = 1, .set_s = 5}, {.cost_s = 2, .set = 4, .set_s = 2}, {.cost_s = 6, .set = 5, .set_s = 6},
        {.value = 1, .cost_s = 1, .set = 6}};
    static const size_t expected[] = {4, 3, 1, 0, 2, 5, 6};
    size_t order[7];
    assert_int_equal(planner_choose(items, 7, (struct planner_budget){INFINITY, INFINITY}, order, NULL), 7);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(order[i], expected[i]);
}

TEST(nothing_is_chosen_of_nothing)
{
    struct planner_budget sum = {1, 1};
    size_t order[1];
    assert_int_equal(planner_choose(NULL, 0, (struct planner_budget){10, 10}, order, &sum), 0);
    assert_true(sum.seconds == 0 && sum.bytes == 0);
    assert_int_equal(
        planner_choose(&(struct planner_item){.cost_s = 1}, 1, (struct planner_budget){0, 10}, order, &sum), 0);
}

TEST(a_budget_is_a_time_or_full)
{
    char text[32];
    assert_true(budget_parse("60") == 60);
    assert_true(isinf(budget_parse("full")));
    assert_true(budget_parse("60s") == 60 && budget_parse("5m") == 300 && budget_parse("2h") == 7200);
    assert_true(budget_parse("277h") == 997200);
    static const char *const wrong[] = {"",   "0",  "-5",   "soon", "60ss", "m",     "0h",         "5 m",
                                        "5M", "1d", "278h", " 60",  "1.5",  "full!", "99999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_true(isnan(budget_parse(wrong[i])));
    assert_string_equal(budget_text(150, text, sizeof text), "150 s");
    assert_string_equal(budget_text(INFINITY, text, sizeof text), "full");
    char beyond[128];
    assert_non_null(strstr(budget_beyond(150, INFINITY, beyond, sizeof beyond), "beyond the budget of 150 s"));
    assert_null(strstr(beyond, "MB"));
    assert_non_null(strstr(budget_beyond(150, 4e6, beyond, sizeof beyond), "of 150 s, or of 4 MB"));
    assert_string_equal(budget_beyond(INFINITY, 4.5e6, beyond, sizeof beyond),
                        "not planned: beyond the size of 4.5 MB");
    assert_true(budget_parse_size("4.5") == 4.5e6 && budget_parse_size("1") == 1e6);
    static const char *const no_sizes[] = {"", "0", "-1", "4MB", "big", "inf", "nan", " 4", "1e99"};
    for (size_t i = 0; i < sizeof no_sizes / sizeof *no_sizes; i++)
        assert_true(isnan(budget_parse_size(no_sizes[i])));
}

TEST(pace_is_what_was_seen)
{
    struct pace pace = {0};
    assert_true(pace_of(&pace, 3) == 1);
    assert_true(pace_kept_share(&pace) == PARTS_KEPT_SHARE);
    pace_note(&pace, 3, 1, 2, 1000, 900);
    assert_true(pace_of(&pace, 3) == 2);
    assert_true(pace_of(&pace, 4) == 2); /* all that is known */
    assert_true(pace_kept_share(&pace) > 0.85 && pace_kept_share(&pace) < 0.9);
    json_t *record = pace_record(&pace);
    const json_t *seen = json_object_get(record, cell_kind_all()[3]->name);
    assert_int_equal(json_object_size(record), 1); /* of which there was a visit */
    assert_true(json_number_value(json_object_get(seen, "estimated_s")) == 1);
    assert_true(json_number_value(json_object_get(seen, "taken_s")) == 2);
    json_decref(record);
    pace_note(&pace, 4, 1, 0.5, 0, 0);
    assert_true(pace_of(&pace, 4) == 0.5);
    pace_note(&pace, PACE_KINDS + 9, 1e-3, 1, 0, 0); /* more kinds than there is room for: all in one */
    assert_true(pace_of(&pace, PACE_KINDS + 8) > 1);
    assert_true(pace_samples(&pace, 6) >= 7 && pace_samples(&pace, 6) <= 8);
    assert_true(pace_samples(&pace, 100000) < 100);
    struct pace busy = {0};
    pace_note(&busy, 0, 1, 1, 100000, 0);
    assert_true(pace_samples(&busy, 6) < 100);
}

TEST(every_purpose_keeps_the_contract)
{
    assert_ptr_equal(purpose_find("machine"), &purpose_machine);
    assert_ptr_equal(purpose_find("Machine"), &purpose_machine);
    assert_null(purpose_find("nothing"));
    for (const struct purpose *const *at = purpose_all(); *at; at++) {
        assert_ptr_equal(purpose_find((*at)->name), *at);
        assert_true((*at)->kept >= STATS_KEPT_LEAST);
        assert_true(budget_parse((*at)->budget) > 0);
        assert_non_null((*at)->value);
        assert_non_null((*at)->value_name);
        assert_non_null((*at)->summary);
    }
}

RUN_TESTS(NULL, NULL)
