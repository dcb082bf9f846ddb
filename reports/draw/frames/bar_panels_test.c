/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of bars: places, what is left out, the legend.
 */
#include "reports/draw/frames/bar_panels.h"

#include <errno.h>
#include <stdlib.h>

#include "reports/select/run/testing.h"

struct written {
    char *settings, *data;
    size_t sizes[2];
    FILE *streams[2];
    struct bar_panels bars;
};

static void begin(struct written *written)
{
    static const struct bar_form form = {.columns = 2, .plot_height = 200};
    *written = (struct written){.bars = {.form = &form}};
    written->streams[0] = open_memstream(&written->settings, &written->sizes[0]);
    written->streams[1] = open_memstream(&written->data, &written->sizes[1]);
    written->bars.data = written->streams[1];
}

static int end(struct written *written)
{
    int error = bars_write(&written->bars, written->streams[0]);
    fclose(written->streams[0]);
    fclose(written->streams[1]);
    return error;
}

static void release(struct written *written)
{
    free(written->settings);
    free(written->data);
}

static void add(struct bar_panels *bars, double value, const char *key)
{
    bars_add(bars, &(struct bar){.value = value, .colour = 0x0072b2, .key = key, .text = "x"}, "%s of %g", key, value);
}

TEST(bars_find_their_places_and_one_without_a_value_keeps_its_own)
{
    struct written of;
    begin(&of);
    bars_panel(&of.bars, "GB/s", "one");
    bars_group(&of.bars, "a");
    add(&of.bars, 3, "ours");
    add(&of.bars, NAN, "theirs");
    bars_group(&of.bars, "100%%|b");
    bars_note(&of.bars, "out of memory");
    add(&of.bars, 5, "ours");
    bars_mark(&of.bars, 5.5, 13, 0x1a1a1a, "the paper's", "stated: %g", 5.5);
    bars_level(&of.bars, NAN, 3, "roof");
    bars_level(&of.bars, 7, 2, "mean");
    assert_int_equal(end(&of), 0);
    assert_contains(of.data, "# one: place, GB/s, ", "\n1 3 3 3 0x0072b2 1 0 0 \"x\" \"ours of 3\"\n",
                    "\n4 0 0 0 0x000000 1 1 0 \"out of memory\" \"out of memory\"\n",
                    "\n5 5.5 5.5 5.5 0x1a1a1a 1 113 0 \"\" \"stated: 5.5\"\n5 5 5 5 0x0072b2 1 0 5.5 ");
    assert_lacks(of.data, "theirs");
    assert_contains(of.settings, "array tic_title[2] = ['a', '100%%|b']\narray tic_at[2] = [1.5, 4.5]");
    assert_contains(of.settings, "array panel_most[1] = [7]"); /* a level is on the axis */
    assert_contains(of.settings, "keys = 3\n");
    assert_contains(of.settings,
                    "array key_title[3] = ['ours', 'the paper’s', 'mean']"); /* nothing that is not drawn */
    release(&of);
}

TEST(a_panel_without_a_bar_is_left_out_with_all_that_was_in_it)
{
    struct written of;
    begin(&of);
    bars_panel(&of.bars, "GB/s", "empty");
    bars_heading(&of.bars, "nothing");
    bars_group(&of.bars, "a");
    add(&of.bars, 0, "never");
    bars_level(&of.bars, 1, 3, "never either");
    bars_panel(&of.bars, "GB/s", "full");
    bars_heading(&of.bars, "both");
    bars_group(&of.bars, "b");
    add(&of.bars, 2, "ours");
    bars_heading(&of.bars, "second");
    bars_group(&of.bars, "c");
    add(&of.bars, 4, "ours");
    bars_panel(&of.bars, "GB/s", "unwanted");
    bars_group(&of.bars, "d");
    add(&of.bars, 9, "unwanted");
    bars_leave_out(&of.bars);
    assert_int_equal(end(&of), 0);
    assert_contains(of.settings, "panels = 1\n", "array panel_title[1] = ['full']", "array tic_title[2] = ['b', 'c']",
                    "array heading_title[2] = ['both', 'second']\narray heading_at[2] = [1, 4]",
                    "array key_title[1] = ['ours']", "levels = 0\n");
    assert_contains(of.data, "\n4 4 4 4 "); /* a gap for the group and one for the heading */
    assert_lacks(of.data, "empty", "unwanted");
    release(&of);
}

TEST(without_any_bar_there_is_nothing_to_draw)
{
    struct written of;
    begin(&of);
    bars_panel(&of.bars, "GB/s", "empty");
    bars_group(&of.bars, "a");
    bars_note(&of.bars, "not known");
    bars_mark(&of.bars, 3, 2, 0, "stated", "stated");
    assert_int_equal(end(&of), -ENODATA);
    assert_string_equal(of.data, "");
    release(&of);
}

/** The key of a kind of bar is opaque whatever its first bar is; that bars are pale is said once, and not for a panel that is left out. */
TEST(what_may_not_be_the_fastest_is_pale_and_the_legend_says_so)
{
    for (int left_out = 0; left_out < 2; left_out++) {
        struct written of;
        begin(&of);
        bars_panel(&of.bars, "GB/s", "one");
        bars_group(&of.bars, "a");
        bars_add(&of.bars, &(struct bar){.value = 3, .colour = 0x0072b2, .key = "ours", .unsure = true}, "ours of 3");
        bars_add(&of.bars, &(struct bar){.value = 4, .colour = 0x0072b2, .key = "ours", .unsure = true}, "ours of 4");
        if (left_out)
            bars_leave_out(&of.bars);
        bars_panel(&of.bars, "GB/s", "two");
        bars_group(&of.bars, "a");
        add(&of.bars, 5, "ours");
        assert_int_equal(end(&of), 0);
        if (left_out) {
            assert_lacks(of.settings, "pale");
            assert_contains(of.settings, "array key_opacity[1] = [1]");
        } else {
            assert_contains(of.settings, "array key_title[2] = ['ours', 'pale: may not be the fastest']",
                            "array key_opacity[2] = [1, 0.4]");
            assert_contains(of.data, "0x0072b2 0.4 0 0 \"\" \"ours of 3\"");
        }
        release(&of);
    }
}

TEST(more_panels_than_there_is_room_for_are_dropped)
{
    struct written of;
    begin(&of);
    for (size_t p = 0; p < BAR_PANELS_MOST + 2; p++) {
        bars_panel(&of.bars, "GB/s", "p");
        bars_group(&of.bars, "a");
        add(&of.bars, 1 + (double)p, "ours");
        bars_level(&of.bars, 1, 2, "mean");
    }
    assert_int_equal(end(&of), 0);
    assert_contains(of.settings, "panels = 8\n");
    assert_lacks(of.data, "ours of 9");
    release(&of);
}

RUN_TESTS(NULL, NULL)
