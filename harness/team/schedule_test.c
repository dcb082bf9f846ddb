/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Schedules, and what they attain in virtual time: members of given speeds take their shares and draw pieces as the
 * team does, and nothing but arithmetic passes.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/team/schedule.h"
#include "platforms/described/described.h"
#include "platforms/described/described_open.h"
#include "platforms/topology/topology.h"
#include "roofline/ebw.h"
#include "roofline/shares.h"
#include "unit_test.h"

#define FIXTURES "platforms/fixtures/topology/"

enum { MOST_THREADS = 32 };

TEST(schedules_have_names)
{
    for (int i = 0; i < SCHEDULE_KINDS; i++) {
        enum schedule_kind kind = SCHEDULE_KINDS;
        assert_int_equal(schedule_find(schedule_name((enum schedule_kind)i), &kind), 0);
        assert_int_equal(kind, i);
    }
    enum schedule_kind kind;
    assert_int_equal(schedule_find("Dynamic", &kind), -ENOENT);
    assert_int_equal(schedule_find("", &kind), -ENOENT);
    assert_string_equal(schedule_name(SCHEDULE_KINDS), "?");
}

/* ---- what is whose ---- */

static const size_t panel_counts[] = {1, 2, 3, 7, 16, 33, 64, 129, 640};
static const size_t unit_counts[] = {1, 2, 8, 9, 17, 64, 127, 400};
static const double tail_shares[] = {0.01, 0.25, 0.5, 1};
static const size_t least_units[] = {1, 8, 30, 100000};

static const double some_weights[MOST_THREADS] = {1, 0.4, 3, 0.1, 1, 1, 2, 0.25, 1, 1, 5, 0.2};

/** How often each unit of the matrix belongs to a share or a piece. */
static void count_units(const struct schedule *schedule, const struct schedule_tail *tail, unsigned threads,
                        unsigned char *seen)
{
    for (unsigned t = 0; t < threads; t++) {
        struct partition part = schedule_share(schedule, tail, t, threads);
        for (size_t unit = part.first; unit < part.end; unit++)
            seen[unit]++;
    }
    for (size_t i = 0; i < tail->pieces; i++) {
        struct schedule_piece piece = schedule_piece(tail, i);
        assert_true(piece.units > 0 && piece.panels > 0);
        assert_true(piece.panels == 1 || (piece.first_unit == 0 && piece.units == tail->units_per_panel));
        assert_true(piece.panels * piece.units <= tail->units_per_piece);
        size_t first = piece.panel * tail->units_per_panel + piece.first_unit;
        for (size_t unit = 0; unit < piece.panels * piece.units; unit++)
            seen[first + unit]++;
    }
}

static void every_unit_is_dealt_once(const struct schedule *schedule, size_t panels, size_t units, size_t least,
                                     unsigned threads)
{
    unsigned char seen[640 * 400] = {0};
    struct schedule_tail tail = schedule_tail(schedule, panels, units, least, threads);
    count_units(schedule, &tail, threads, seen);
    for (size_t i = 0; i < panels * units; i++) {
        if (seen[i] != 1)
            fail_msg("%s, %zu panels of %zu units, at least %zu, on %u threads: unit %zu is dealt %u times",
                     schedule_name(schedule->kind), panels, units, least, threads, i, seen[i]);
    }
    assert_int_equal(tail.panels > 0, schedule->kind == SCHEDULE_DYNAMIC && threads > 1);
    assert_true(tail.first_panel + tail.panels == panels);
    assert_true(tail.pieces_per_panel == 1 || tail.panels_per_piece == 1);
    assert_true(tail.pieces_per_panel == 1 || tail.units_per_piece >= least);
    size_t next = 0;
    for (unsigned t = 0; t < threads; t++) {
        struct schedule_pieces own = schedule_pieces_of(schedule, &tail, t, threads);
        assert_true(own.first == next && own.end >= own.first);
        next = own.end;
    }
    assert_int_equal(next, tail.pieces);
}

TEST(shares_and_pieces_are_the_matrix_once)
{
    for (size_t i = 0; i < COUNT(panel_counts) * COUNT(unit_counts) * COUNT(tail_shares) * COUNT(least_units); i++) {
        size_t at = i;
        size_t panels = panel_counts[at % COUNT(panel_counts)];
        size_t units = unit_counts[(at /= COUNT(panel_counts)) % COUNT(unit_counts)];
        double share = tail_shares[(at /= COUNT(unit_counts)) % COUNT(tail_shares)];
        size_t least = least_units[at / COUNT(tail_shares)];
        for (unsigned threads = 1; threads <= 12; threads += 1 + threads / 3) {
            for (int kind = 0; kind < SCHEDULE_KINDS; kind++) {
                struct schedule schedule = {
                    .kind = (enum schedule_kind)kind, .weights = some_weights, .tail_share = share};
                every_unit_is_dealt_once(&schedule, panels, units, least, threads);
            }
        }
    }
}

TEST(pieces_are_dealt_by_the_weights_in_the_order_of_the_matrix)
{
    static const double weights[] = {2, 1, 1};
    struct schedule schedule = {.kind = SCHEDULE_DYNAMIC, .weights = weights, .tail_share = 0.5};
    struct schedule_tail tail = schedule_tail(&schedule, 128, 64, 8, 3);
    struct schedule_pieces first = schedule_pieces_of(&schedule, &tail, 0, 3);
    assert_int_equal(first.end, tail.pieces / 2);
    for (size_t i = 0; i < tail.pieces; i++) {
        struct schedule_piece piece = schedule_piece(&tail, i);
        assert_int_equal(schedule_units_before(&tail, i) + piece.panels * piece.units,
                         schedule_units_before(&tail, i + 1));
    }
    assert_int_equal(schedule_units_before(&tail, 0), tail.first_panel * 64);
    assert_int_equal(schedule_units_before(&tail, tail.pieces), 128 * 64);
    schedule.kind = SCHEDULE_WEIGHTED; /* no tail: no member has any */
    tail = schedule_tail(&schedule, 128, 64, 8, 3);
    first = schedule_pieces_of(&schedule, &tail, 0, 3);
    assert_true(first.first == 0 && first.end == 0);
    assert_int_equal(schedule_units_before(&tail, 0), 128 * 64);
}

TEST(panels_are_cut_where_they_are_few_and_joined_where_they_are_many)
{
    struct schedule schedule = {.kind = SCHEDULE_DYNAMIC, .tail_share = 0.25};
    struct schedule_tail few = schedule_tail(&schedule, 32, 1024, 8, 12);
    assert_int_equal(few.panels, 8);
    assert_int_equal(few.units_per_piece, 56); /* 32 * 1024 / 600 is 54: the next multiple of 8 */
    assert_int_equal(few.pieces, 8 * 19);      /* 18 of them and a rest */
    struct schedule_tail many = schedule_tail(&schedule, 3200, 1, 1, 2);
    assert_int_equal(many.panels_per_piece, 32);
    assert_int_equal(many.pieces, 25);
}

/* ---- the counter ---- */

TEST(a_counter_begins_anew_with_each_generation)
{
    struct schedule_counter counter = {0};
    static const unsigned generations[] = {1, 2, 0x80000007u, 8, 0xffffffffu, 9};
    for (size_t g = 0; g < COUNT(generations); g++) {
        for (uint32_t i = 0; i < 1000; i++)
            assert_int_equal(schedule_count(&counter, generations[g], 1), i);
    }
}

enum { COUNTS = 20000, COUNTERS = 3 };

static void *count_many(void *context)
{
    struct {
        struct schedule_counter *counter;
        unsigned char *seen;
    } *shared = context;
    for (unsigned i = 0; i < COUNTS; i++) {
        uint32_t number = schedule_count(shared->counter, 5, 1);
        __atomic_fetch_add(&shared->seen[number], 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

TEST(each_number_is_drawn_once)
{
    struct schedule_counter counter = {0};
    unsigned char *seen = calloc(COUNTERS * COUNTS, 1);
    struct {
        struct schedule_counter *counter;
        unsigned char *seen;
    } shared = {&counter, seen};
    pthread_t thread[COUNTERS];
    assert_non_null(seen);
    for (unsigned t = 0; t < COUNTERS; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, count_many, &shared), 0);
    for (unsigned t = 0; t < COUNTERS; t++)
        assert_int_equal(pthread_join(thread[t], NULL), 0);
    for (unsigned i = 0; i < COUNTERS * COUNTS; i++)
        assert_int_equal(seen[i], 1);
    free(seen);
}

TEST(a_part_of_what_is_left_is_drawn_until_nothing_is)
{
    struct schedule_counter counter = {0};
    const struct schedule_pieces of_member = {100, 113}, none = {7, 7};
    static const size_t firsts[] = {100, 103, 106, 108, 109, 110, 111, 112};
    for (unsigned generation = 1; generation < 4; generation++) {
        for (size_t i = 0; i < COUNT(firsts); i++) {
            struct schedule_pieces drawn = schedule_draw(&counter, generation, of_member);
            assert_int_equal(drawn.first, firsts[i]);
            assert_int_equal(drawn.end, i + 1 < COUNT(firsts) ? firsts[i + 1] : 113);
        }
        for (int again = 0; again < 3; again++) {
            struct schedule_pieces drawn = schedule_draw(&counter, generation, of_member);
            assert_true(drawn.first == drawn.end);
        }
    }
    assert_true(schedule_draw(&counter, 9, none).first == 7 && schedule_draw(&counter, 9, none).end == 7);
}

/* ---- virtual time ---- */

/** A team on paper: units per second of each member, until a time and from then on. */
struct virtual_team {
    unsigned threads;
    double speed[MOST_THREADS];
    double changes_at;                /* seconds; INFINITY: never */
    double speed_later[MOST_THREADS]; /* from then on */
};

/** When a member that begins at `now` is done with some units. */
static double done_at(const struct virtual_team *team, unsigned member, double now, double units)
{
    double until_change = (team->changes_at - now) * team->speed[member];
    if (now >= team->changes_at)
        return now + units / team->speed_later[member];
    if (units <= until_change)
        return now + units / team->speed[member];
    return team->changes_at + (units - until_change) / team->speed_later[member];
}

/** Draw as a member does: of its own, or of the next who has any left; none at the end. */
static struct schedule_pieces draw(const struct schedule *schedule, const struct schedule_tail *tail,
                                   struct schedule_counter *counters, unsigned member, unsigned threads)
{
    struct schedule_pieces drawn = {0, 0};
    for (unsigned i = 0; i < threads && drawn.first == drawn.end; i++) {
        unsigned owner = (member + i) % threads;
        drawn = schedule_draw(&counters[owner], 7, schedule_pieces_of(schedule, tail, owner, threads));
    }
    return drawn;
}

/** Seconds that a schedule takes over a matrix. */
static double makespan(const struct virtual_team *team, const struct schedule *schedule, size_t panels, size_t units)
{
    struct schedule_tail tail = schedule_tail(schedule, panels, units, 8, team->threads);
    struct schedule_counter counters[MOST_THREADS] = {0};
    double free_at[MOST_THREADS], last = 0;
    for (unsigned t = 0; t < team->threads; t++) {
        struct partition part = schedule_share(schedule, &tail, t, team->threads);
        free_at[t] = done_at(team, t, 0, (double)(part.end - part.first));
    }
    for (size_t left = tail.pieces; left > 0;) {
        unsigned next = 0;
        for (unsigned t = 1; t < team->threads; t++)
            next = free_at[t] < free_at[next] ? t : next;
        struct schedule_pieces drawn = draw(schedule, &tail, counters, next, team->threads);
        assert_in_range(drawn.end - drawn.first, 1, left);
        left -= drawn.end - drawn.first;
        free_at[next] =
            done_at(team, next, free_at[next],
                    (double)(schedule_units_before(&tail, drawn.end) - schedule_units_before(&tail, drawn.first)));
    }
    for (unsigned t = 0; t < team->threads; t++)
        last = fmax(last, free_at[t]);
    return last;
}

/** Seconds at the sum of all speeds. */
static double ideal(const struct virtual_team *team, size_t units)
{
    double sum = 0, later = 0;
    for (unsigned t = 0; t < team->threads; t++) {
        sum += team->speed[t];
        later += team->speed_later[t];
    }
    double before = sum * team->changes_at;
    return (double)units <= before ? (double)units / sum : team->changes_at + ((double)units - before) / later;
}

/** Of the sum of all speeds, what a schedule with the speeds of the beginning as weights attains. */
static double attained(const struct virtual_team *team, enum schedule_kind kind, size_t panels, size_t units)
{
    struct schedule schedule = {.kind = kind, .weights = team->speed, .tail_share = SCHEDULE_TAIL_SHARE};
    return ideal(team, panels * units) / makespan(team, &schedule, panels, units);
}

/** e_bw x clock of each core of a recorded topology, with the numbers of the platform file of that CPU. */
static struct virtual_team hybrid(const char *fixture, const char *platform_name, const char *sequence)
{
    struct virtual_team team = {.changes_at = INFINITY};
    struct topology *topology;
    struct described_platform platform;
    char why[256] = "", path[128];
    snprintf(path, sizeof path, FIXTURES "%s", fixture);
    assert_int_equal(topology_open(path, &topology, why, sizeof why), 0);
    assert_int_equal(described_find(platform_name, &platform, why, sizeof why), 0);
    assert_int_equal(topology_kind_count(topology), 2);
    team.threads = (unsigned)topology_core_count(topology);
    assert_in_range(team.threads, 2, MOST_THREADS);
    for (unsigned t = 0; t < team.threads; t++) {
        const char *kind_name = core_kind_name(topology_cores(topology)[t].kind);
        for (size_t k = 0; k < platform.kind_count; k++) {
            const struct described_kind *kind = &platform.kinds[k];
            const struct described_gamma *gamma = described_gamma_of(kind, sequence);
            assert_non_null(gamma);
            double bytes = roofline_vector_bytes(gamma->bits_per_weight);
            /* as in a cache, where each kind has the rate of its own up-convert */
            if (strcmp(kind->kind, kind_name) == 0)
                team.speed[t] = 1e-9 * kind->core_hz * roofline_effective_bandwidth(1000, bytes, gamma->cycles);
        }
        team.speed_later[t] = team.speed[t];
        assert_true(team.speed[t] > 0);
    }
    described_free(&platform);
    topology_close(topology);
    return team;
}

static const struct {
    const char *fixture, *platform;
} machines[] = {{"lunar_lake_4p4e.xml", "lnl"}, {"arrow_lake_8p16e.xml", "arl"}};

static const struct {
    size_t panels, units;
} matrices[] = {{256, 1024}, {64, 1024}, {128, 2048}, {896, 512}};

TEST(on_p_and_e_cores_equal_shares_lose_and_the_others_hold)
{
    for (size_t i = 0; i < COUNT(machines) * COUNT(matrices); i++) {
        struct virtual_team team = hybrid(machines[i / COUNT(matrices)].fixture, machines[i / COUNT(matrices)].platform,
                                          "int1_vnni4.envelope");
        size_t panels = matrices[i % COUNT(matrices)].panels, units = matrices[i % COUNT(matrices)].units;
        double equal = attained(&team, SCHEDULE_STATIC, panels, units);
        double weighted = attained(&team, SCHEDULE_WEIGHTED, panels, units);
        double dynamic = attained(&team, SCHEDULE_DYNAMIC, panels, units);
        if (!(equal < 0.9 && weighted >= 0.95 && dynamic >= 0.95 && weighted <= 1.0001 && dynamic <= 1.0001))
            fail_msg("%s, %zu panels of %zu units: static %.3f, weighted %.3f, dynamic %.3f of the sum",
                     machines[i / COUNT(matrices)].platform, panels, units, equal, weighted, dynamic);
    }
}

TEST(of_a_member_that_slows_down_in_between_only_dynamic_makes_up)
{
    for (size_t i = 0; i < COUNT(matrices); i++) {
        size_t panels = matrices[i].panels, units = matrices[i].units;
        struct virtual_team team = {.threads = 2, .speed = {1, 0.5}, .speed_later = {1, 0.25}};
        team.changes_at = (double)(panels * units) / 1.5 / 2; /* halfway, as planned */
        double weighted = attained(&team, SCHEDULE_WEIGHTED, panels, units);
        double dynamic = attained(&team, SCHEDULE_DYNAMIC, panels, units);
        if (!(weighted < 0.9 && dynamic >= 0.95))
            fail_msg("%zu panels of %zu units: weighted %.3f, dynamic %.3f of the sum", panels, units, weighted,
                     dynamic);
    }
}

/** What is too large, or drawn last by the slowest, would show: the model allows it one draw. */
TEST(the_model_says_how_long_a_schedule_takes)
{
    struct virtual_team team = {.threads = 3, .speed = {4, 2, 1}, .changes_at = INFINITY};
    static const double wrong[] = {1, 1, 1.3};
    for (size_t i = 0; i < COUNT(matrices); i++) {
        size_t panels = matrices[i].panels, units = matrices[i].units;
        double bytes = (double)(panels * units);
        const struct shares_team equal = {team.speed, NULL, 3}, weighted = {team.speed, wrong, 3};
        struct schedule schedule = {.kind = SCHEDULE_STATIC, .weights = wrong, .tail_share = SCHEDULE_TAIL_SHARE};
        assert_true(fabs(makespan(&team, &schedule, panels, units) / shares_seconds(&equal, bytes) - 1) < 0.02);
        schedule.kind = SCHEDULE_WEIGHTED;
        assert_true(fabs(makespan(&team, &schedule, panels, units) / shares_seconds(&weighted, bytes) - 1) < 0.02);
        schedule.kind = SCHEDULE_DYNAMIC;
        for (size_t s = 0; s < COUNT(tail_shares); s++) {
            schedule.tail_share = tail_shares[s];
            struct schedule_tail tail = schedule_tail(&schedule, panels, units, 8, 3);
            double tail_bytes = (double)(tail.panels * units), cuts_s = 0.02 * bytes;
            double model_s = shares_seconds_with_tail(&weighted, bytes, tail_bytes);
            double over_s = makespan(&team, &schedule, panels, units) - model_s;
            if (!(over_s > -cuts_s && over_s < (double)(SCHEDULE_DRAWN_MOST * tail.units_per_piece) / 1 + cuts_s))
                fail_msg("%zu panels of %zu units, tail %.2f: %.1f over %.1f", panels, units, tail_shares[s], over_s,
                         model_s);
        }
    }
}

RUN_TESTS(NULL, NULL)
