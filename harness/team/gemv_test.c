/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steady: a member that waits leaves its CPU to the other.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "harness/team/gemv.h"
#include "platforms/cpu/cpuid_dump.h"
#include "platforms/cpu/isa.h"
#include "platforms/topology/topology.h"
#include "unit_test.h"

static bool runs_here(const struct kernel *kernel)
{
    static struct cpuid_dump dump; /* read once: a guest's CPUID traps */
    static bool is_read;
    is_read = is_read || cpuid_dump_host(&dump) == 0;
    return kernel->gemv && is_read && isa_runs(isa_find(kernel->isa), isa_features_of(&dump));
}

/** A GEMV on random weights, each member's share in memory of its own. */
struct trial {
    struct gemv gemv;
    uint8_t *packed; /* the whole matrix */
    uint8_t **share;
    struct reference_row *expected; /* NULL until it is asked for */
};

static void *lines(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
    assert_non_null(memory);
    return memory;
}

/** The next K that the format holds. */
static size_t held(const struct format *format, size_t k)
{
    return format->k_multiple ? (k + format->k_multiple - 1) / format->k_multiple * format->k_multiple : k;
}

/** A member's memory: its stretch of the line, then the pieces of the tail that are at home there. */
static uint8_t *share_of(const struct gemv *gemv, const uint8_t *packed, unsigned member)
{
    const struct partition *part = &gemv->members[member].part;
    size_t share = (part->end - part->first) * gemv->unit_bytes;
    uint8_t *memory = lines(gemv_member_bytes(gemv, member));
    memcpy(memory, packed + part->first * gemv->unit_bytes, share);
    uint8_t *at = memory + share;
    for (size_t i = gemv->members[member].own.first; i < gemv->members[member].own.end; i++) {
        const struct schedule_piece piece = schedule_piece(&gemv->tail, i);
        size_t first = piece.panel * gemv->units_per_panel + piece.first_unit;
        size_t bytes = piece.panels * piece.units * gemv->unit_bytes;
        memcpy(at, packed + first * gemv->unit_bytes, bytes);
        at += bytes;
    }
    assert_ptr_equal(at, memory + gemv_member_bytes(gemv, member));
    return memory;
}

static struct trial trial_make_scheduled(const struct kernel *kernel, size_t m, size_t k, unsigned threads,
                                         const struct schedule *schedule)
{
    struct trial trial = {.expected = NULL};
    const struct format *format = kernel->format;
    k = held(format, k);
    assert_int_equal(gemv_prepare(&trial.gemv, kernel, m, k, threads, 1 + m * k), 0);
    trial.packed = lines(format_packed_bytes(format, m, k));
    uint64_t state = 88172645463325252u + m + 7 * k;
    size_t units = format_panels(format, m) * (format_is_uniform(format) ? format_steps(format, k) : 1);
    format_fill(format, trial.packed, units, k, &state);
    trial.share = calloc(threads, sizeof *trial.share);
    assert_non_null(trial.share);
    if (schedule)
        assert_int_equal(gemv_set_schedule(&trial.gemv, schedule), 0);
    for (unsigned t = 0; t < threads; t++) {
        trial.share[t] = share_of(&trial.gemv, trial.packed, t);
        trial.gemv.members[t].weights = trial.share[t];
    }
    return trial;
}

static struct trial trial_make(const struct kernel *kernel, size_t m, size_t k, unsigned threads)
{
    return trial_make_scheduled(kernel, m, k, threads, NULL);
}

static void trial_release(struct trial *trial)
{
    for (unsigned t = 0; t < trial->gemv.threads; t++)
        free(trial->share[t]);
    free(trial->share);
    free(trial->packed);
    free(trial->expected);
    gemv_release(&trial->gemv);
}

/** Rows of y that are not what the whole matrix says; independent of gemv_verify. */
static size_t wrong_rows(struct trial *trial)
{
    const struct gemv *gemv = &trial->gemv;
    uint32_t rows = gemv->kernel->format->rows_per_panel;
    struct reference_check check = {0};
    bool known = trial->expected;
    if (!known)
        trial->expected = calloc(gemv->panels * rows, sizeof *trial->expected);
    assert_non_null(trial->expected);
    for (size_t panel = 0; panel < gemv->panels; panel++) {
        size_t left = gemv->m - panel * rows, count = left < rows ? left : rows;
        if (!known)
            reference_rows(gemv->kernel, trial->packed + panel * format_panel_bytes(gemv->kernel->format, gemv->k),
                           gemv->k, count, gemv->activations, gemv->prepared, trial->expected + panel * rows);
        reference_compare(gemv->kernel, trial->expected + panel * rows, count, gemv->y + panel * rows, &check);
    }
    assert_int_equal(check.rows, gemv->m);
    return check.wrong;
}

static size_t verified_wrong(const struct gemv *gemv, uint64_t seed)
{
    struct reference_check check;
    assert_int_equal(gemv_verify(gemv, seed, &check), 0);
    assert_true(check.rows > 0);
    return check.wrong;
}

/** Change one result and change it back: of floats, 0 among them, more than rounding. */
static void spoil(struct gemv *gemv, size_t row)
{
    gemv->y[row] ^= gemv->kernel->gives == KERNEL_GIVES_INT32 ? 1 : 0x3f800000;
}

/** All members one after the other on this thread: the last first, since an owner waits for those after it. */
static void run_in_turn(struct gemv *gemv, unsigned generation)
{
    memset(gemv->y, 0x55, gemv->panels * gemv->kernel->format->rows_per_panel * sizeof *gemv->y);
    for (unsigned t = gemv->threads; t-- > 0;)
        gemv_run_member(gemv, t, generation);
}

static void expect_right_scheduled(const struct kernel *kernel, size_t m, size_t k, unsigned threads,
                                   const struct schedule *schedule)
{
    struct trial trial = trial_make_scheduled(kernel, m, k, threads, schedule);
    for (unsigned generation = 1; generation <= (schedule ? 2 : 1); generation++) {
        run_in_turn(&trial.gemv, generation);
        size_t wrong = wrong_rows(&trial);
        if (wrong || verified_wrong(&trial.gemv, 3) != 0)
            fail_msg("%s %zux%zu %s on %u threads: %zu wrong rows", kernel->name, m, k,
                     schedule ? schedule_name(schedule->kind) : "", threads, wrong);
    }
    trial_release(&trial);
}

static void expect_right(const struct kernel *kernel, size_t m, size_t k, unsigned threads)
{
    expect_right_scheduled(kernel, m, k, threads, NULL);
}

typedef void with_kernel(const struct kernel *kernel);

static void for_each_kernel(with_kernel *test)
{
    unsigned count = 0;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (!runs_here(*kernel))
            continue;
        test(*kernel);
        count++;
    }
    skip_if(!count, "not on this machine: no kernel runs here");
}

static void small_and_odd(const struct kernel *kernel)
{
    static const struct {
        size_t m, k;
    } shapes[] = {{1, 1}, {1, 300}, {33, 77}, {64, 64}, {65, 129}, {320, 200}, {1000, 13}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (unsigned threads = 1; threads <= 3; threads++)
            expect_right(kernel, shapes[i].m, shapes[i].k, threads);
    }
}

TEST(every_kernel_is_right_on_small_and_odd_shapes)
{
    for_each_kernel(small_and_odd);
}

/** Fewer panels than members: each panel is cut, some members get nothing between two that share a panel. */
static void cut_panels(const struct kernel *kernel)
{
    uint32_t rows = kernel->format->rows_per_panel, columns = kernel->format->k_per_step;
    for (unsigned threads = 2; threads <= 24; threads++) {
        expect_right(kernel, rows, 32 * (size_t)columns, threads);
        expect_right(kernel, 3 * (size_t)rows, 40 * (size_t)columns, threads);
    }
}

/** The same where panels stay whole: K then takes no part in who gets what. */
static void deal_whole_panels(const struct kernel *kernel)
{
    uint32_t rows = kernel->format->rows_per_panel, columns = kernel->format->k_per_step;
    for (unsigned threads = 2; threads <= 24; threads += 2)
        expect_right(kernel, (threads % 4 ? 3 : 1) * (size_t)rows, 2 * (size_t)columns, threads);
}

static void cut_or_deal_panels(const struct kernel *kernel)
{
    (kernel_cuts(kernel) ? cut_panels : deal_whole_panels)(kernel);
}

TEST(panels_cut_among_many_members_add_up)
{
    for_each_kernel(cut_or_deal_panels);
}

static const double uneven[] = {1, 0.5, 0.1, 2.5, 1, 0.7, 0.2};

static const struct schedule schedules[] = {
    {.kind = SCHEDULE_WEIGHTED, .weights = uneven, .tail_share = SCHEDULE_TAIL_SHARE},
    {.kind = SCHEDULE_DYNAMIC, .weights = uneven, .tail_share = SCHEDULE_TAIL_SHARE},
    {.kind = SCHEDULE_DYNAMIC, .tail_share = 1},
    {.kind = SCHEDULE_DYNAMIC, .weights = uneven, .tail_share = 0.01}};

static void uneven_shares(const struct kernel *kernel)
{
    uint32_t rows = kernel->format->rows_per_panel, columns = kernel->format->k_per_step;
    const size_t steps = kernel_cuts(kernel) ? 40 : 2;
    for (size_t s = 0; s < sizeof schedules / sizeof *schedules; s++) {
        for (unsigned threads = 1; threads <= 7; threads += 3) {
            expect_right_scheduled(kernel, 1, 300, threads, &schedules[s]);
            expect_right_scheduled(kernel, 5 * (size_t)rows + 1, steps * columns + 1, threads, &schedules[s]);
        }
    }
}

TEST(shares_by_weight_and_drawn_pieces_add_up)
{
    for_each_kernel(uneven_shares);
}

static void a_member_that_waits_computes_the_same(const struct kernel *kernel)
{
    struct trial trial = trial_make_scheduled(kernel, 200, 256, 2, &schedules[1]);
    gemv_emulate_speed(&trial.gemv, 1, 0.5);
    assert_true(trial.gemv.members[1].speed == 0.5);
    run_in_turn(&trial.gemv, 1);
    assert_int_equal(wrong_rows(&trial), 0);
    gemv_emulate_speed(&trial.gemv, 1, 1);
    assert_true(trial.gemv.members[1].speed == 0);
    trial_release(&trial);
}

TEST(an_emulated_speed_changes_no_result)
{
    for_each_kernel(a_member_that_waits_computes_the_same);
}

/** A matrix too large to be compared whole: a panel of the tail is among those compared. */
static void wrong_tail_is_seen(const struct kernel *kernel)
{
    const struct schedule all = {.kind = SCHEDULE_DYNAMIC, .weights = NULL, .tail_share = SCHEDULE_TAIL_SHARE};
    struct trial trial = trial_make_scheduled(kernel, 12 * (size_t)kernel->format->rows_per_panel, 200, 2, &all);
    run_in_turn(&trial.gemv, 1);
    assert_int_equal(verified_wrong(&trial.gemv, 1), 0);
    assert_true(trial.gemv.members[0].pieces + trial.gemv.members[1].pieces == trial.gemv.tail.pieces);
    spoil(&trial.gemv, trial.gemv.tail.first_panel * kernel->format->rows_per_panel);
    assert_int_equal(verified_wrong(&trial.gemv, 1), 1);
    trial_release(&trial);
}

TEST(verification_reads_the_pieces_where_they_lie)
{
    for_each_kernel(wrong_tail_is_seen);
}

static void wrong_weights_are_seen(const struct kernel *kernel)
{
    uint32_t rows = kernel->format->rows_per_panel;
    struct trial trial = trial_make(kernel, rows, 64, 1);
    run_in_turn(&trial.gemv, 1);
    assert_int_equal(verified_wrong(&trial.gemv, 1), 0);
    spoil(&trial.gemv, rows - 1);
    assert_int_equal(verified_wrong(&trial.gemv, 1), 1);
    trial_release(&trial);
}

TEST(verification_finds_a_wrong_row)
{
    for_each_kernel(wrong_weights_are_seen);
}

/** A matrix too large to be compared whole: the panels at the cut of each member are among those compared. */
TEST(verification_of_a_large_matrix_looks_at_the_cuts)
{
    const struct kernel *kernel = NULL;
    for (const struct kernel *const *at = kernel_all(); *at && !kernel; at++)
        kernel = runs_here(*at) && kernel_cuts(*at) && (*at)->format->rows_per_panel > 1 ? *at : NULL;
    skip_if(!kernel, "not on this machine: no kernel that cuts runs here");
    uint32_t rows = kernel->format->rows_per_panel;
    struct trial trial = trial_make(kernel, 51 * (size_t)rows, 4096, 2);
    assert_true(trial.gemv.members[1].part.head_steps > 0);
    run_in_turn(&trial.gemv, 1);
    assert_int_equal(verified_wrong(&trial.gemv, 1), 0);
    size_t cut = trial.gemv.members[1].part.head_panel, last = trial.gemv.panels - 1;
    spoil(&trial.gemv, cut * rows);
    assert_true(verified_wrong(&trial.gemv, 1) >= 1);
    spoil(&trial.gemv, cut * rows);
    spoil(&trial.gemv, last * rows + 1);
    assert_true(verified_wrong(&trial.gemv, 1) >= 1);
    trial_release(&trial);
}

/** y of an order is that of the permuted columns, by hand from the activations as they came. */
TEST(columns_multiply_the_activations_of_their_groups)
{
    const struct kernel *found = NULL;
    for (const struct kernel *const *at = kernel_all(); *at && !found; at++)
        found = runs_here(*at) && (*at)->takes == KERNEL_TAKES_INT8 && (*at)->gives == KERNEL_GIVES_INT32 &&
                        (*at)->format->get && !(*at)->format->k_multiple
                    ? *at
                    : NULL;
    skip_if(!found, "not on this machine: no kernel of integers runs here");
    struct format format = *found->format;
    struct kernel kernel = *found;
    format.order_columns = format.k_per_step;
    kernel.format = &format;
    struct trial trial = trial_make(&kernel, 3 * (size_t)format.rows_per_panel, 50 * (size_t)format.k_per_step - 1, 2);
    const struct gemv *gemv = &trial.gemv;
    run_in_turn(&trial.gemv, 1);
    assert_int_equal(verified_wrong(gemv, 1), 0);
    for (size_t row = 0; row < gemv->m; row++) {
        const uint8_t *panel = trial.packed + row / format.rows_per_panel * format_panel_bytes(&format, gemv->k);
        int32_t sum = 0;
        for (uint32_t column = 0; column < gemv->k; column++)
            sum += format.get(panel, (uint32_t)(row % format.rows_per_panel), column) *
                   ((const int8_t *)gemv->source)[gemv->order[column / format.order_columns] * format.order_columns +
                                                  column % format.order_columns];
        assert_int_equal(gemv->y[row], sum);
    }
    trial_release(&trial);
}

TEST(padding_rows_and_columns_do_not_matter)
{
    for (const struct kernel *const *at = kernel_all(); *at; at++) {
        const struct format *format = (*at)->format;
        struct gemv gemv;
        if (!runs_here(*at) || (*at)->takes != KERNEL_TAKES_INT8 || format->k_multiple)
            continue;
        assert_int_equal(gemv_prepare(&gemv, *at, 1, format->k_per_step + 1, 1, 5), 0);
        assert_int_equal(gemv.panels, 1);
        assert_int_equal(gemv.steps, 2);
        int32_t sum = 0;
        for (size_t i = 0; i < 2 * (size_t)format->k_per_step; i++) {
            assert_in_range(gemv.activations[i] + 127, 0, 254);
            assert_true(i <= format->k_per_step || gemv.activations[i] == 0);
            sum += gemv.activations[i];
        }
        assert_int_equal(sum, gemv.activation_sum);
        gemv_release(&gemv);
        assert_null(gemv.activations);
    }
}

/* ---- on a real team ---- */

struct rounds {
    struct team *team;
    struct trial *trial;
    size_t wrong;
};

static void many_generations(void *context, unsigned member)
{
    struct rounds *rounds = context;
    enum { GENERATIONS = 200 };
    for (unsigned generation = 1; generation <= GENERATIONS; generation++) {
        gemv_run_member(&rounds->trial->gemv, member, generation);
        team_barrier(rounds->team);
        if (member == 0) {
            rounds->wrong += generation % 20 ? 0 : wrong_rows(rounds->trial);
            if (generation % 20 == 0)
                memset(rounds->trial->gemv.y, 0x55, sizeof(int32_t));
        }
        team_barrier(rounds->team);
    }
}

static void on_team(unsigned threads)
{
    struct topology *topology;
    struct team *team;
    char why[256];
    unsigned cpus[2];
    struct team_request request = {.threads = threads, .use_smt = true};
    assert_int_equal(topology_open(NULL, &topology, why, sizeof why), 0);
    assert_int_equal(topology_plan_team(topology, &request, cpus, 2, why, sizeof why), threads);
    assert_int_equal(team_create(topology, cpus, threads, &team, why, sizeof why), 0);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (!runs_here(*kernel))
            continue;
        /* one panel for two members, and an odd number of panels */
        for (size_t i = 0; i < 6; i++) {
            size_t panels = 1 + i % 3 * 2;
            struct trial trial = trial_make_scheduled(*kernel, panels * (*kernel)->format->rows_per_panel, 640, threads,
                                                      i < 3 ? NULL : &schedules[i % 3]);
            struct rounds rounds = {.team = team, .trial = &trial};
            team_run(team, many_generations, &rounds);
            if (rounds.wrong)
                fail_msg("%s on %u threads: %zu wrong rows", (*kernel)->name, threads, rounds.wrong);
            trial_release(&trial);
        }
    }
    team_destroy(team);
    topology_close(topology);
}

TEST(a_team_of_one_is_exact_over_many_generations)
{
    on_team(1);
}

TEST(a_team_of_two_is_exact_over_many_generations)
{
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    skip_if(CPU_COUNT(&allowed) < 2, "not on this machine: one CPU");
    on_team(2);
}

RUN_TESTS(NULL, NULL)
