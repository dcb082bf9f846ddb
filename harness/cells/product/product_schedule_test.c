/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "harness/cells/decode/decode.h"
#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/on_paper.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/product/product_schedule.h"
#include "unit_test.h"

static const double half[] = {1, 0.5}, two_to_one[] = {200, 100};

static struct product_schedule *made(const struct product_schedule_request *request, unsigned threads)
{
    struct product_schedule *schedule = product_schedule_make(request, threads);
    assert_non_null(schedule);
    return schedule;
}

TEST(equal_shares_of_a_team_of_its_own_speed_are_plain)
{
    static const double full[] = {1, 1};
    const struct product_schedule_request plain = {.kind = SCHEDULE_STATIC}, also = {.speeds = full};
    const struct product_schedule_request slow = {.speeds = half}, dynamic = {.kind = SCHEDULE_DYNAMIC};
    assert_true(product_schedule_is_plain(&plain, 2) && product_schedule_is_plain(&also, 2));
    assert_true(product_schedule_is_plain(&dynamic, 1) && product_schedule_is_plain(&slow, 1));
    assert_false(product_schedule_is_plain(&slow, 2));
    assert_false(product_schedule_is_plain(&dynamic, 2));
    assert_int_equal(product_schedule_of(NULL).kind, SCHEDULE_STATIC);
    assert_false(product_schedule_needs_weights(NULL));
    assert_false(product_schedule_is_emulated(NULL));
}

TEST(a_suffix_says_what_differs)
{
    static const struct {
        struct product_schedule_request request;
        unsigned threads, member;
        const char *expected;
    } cases[] = {
        {{.kind = SCHEDULE_WEIGHTED}, 2, 0, "/schedule=weighted"},
        {{.kind = SCHEDULE_DYNAMIC, .tail_share = SCHEDULE_TAIL_SHARE}, 2, 0, "/schedule=dynamic"},
        {{.kind = SCHEDULE_DYNAMIC, .tail_share = 0.5}, 2, 0, "/schedule=dynamic/tail=50%"},
        {{SCHEDULE_WEIGHTED, 0.25, two_to_one, "arl", NULL, NULL, false}, 2, 0, "/schedule=weighted/weights=arl"},
        {{.kind = SCHEDULE_STATIC, .speeds = half}, 2, 0, "/speed=1:0.5"},
        {{.kind = SCHEDULE_DYNAMIC, .tail_share = 0.25, .speeds = half}, 2, 0, "/schedule=dynamic/speed=1:0.5"},
        {{.kind = SCHEDULE_STATIC}, 1, 3, "/member=3"},
        {{.kind = SCHEDULE_STATIC, .speeds = half + 1}, 1, 1, "/member=1/speed=1:0.5"},
        {{.kind = SCHEDULE_WEIGHTED, .speeds = half, .contended = true},
         2,
         0,
         "/schedule=weighted/speed=1:0.5/contended"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[96];
        struct product_schedule *schedule = made(&cases[i].request, cases[i].threads);
        product_schedule_suffix(schedule, cases[i].member, text, sizeof text);
        assert_string_equal(text, cases[i].expected);
        product_schedule_release(schedule);
    }
    char small[8];
    struct product_schedule *schedule = made(&cases[2].request, 2);
    product_schedule_suffix(schedule, 0, small, sizeof small);
    assert_string_equal(small, "/schedu");
    product_schedule_release(schedule);
}

TEST(weights_are_given_or_still_to_be_measured)
{
    const struct product_schedule_request given = {SCHEDULE_WEIGHTED, 0.25, two_to_one, "P=2", NULL, NULL, false};
    const struct product_schedule_request measured = {.kind = SCHEDULE_WEIGHTED};
    struct product_schedule *one = made(&given, 2), *other = made(&measured, 2);
    assert_false(product_schedule_needs_weights(one));
    assert_near(one->weight[0], 1);
    assert_near(one->weight[1], 0.5);
    assert_true(product_schedule_needs_weights(other));
    assert_near(other->weight[1], 1);
    product_schedule_set_weights(other, (const double[]){1, 4});
    assert_false(product_schedule_needs_weights(other));
    assert_near(product_schedule_of(other).weights[0], 0.25);
    assert_true(product_schedule_measures_weights(other)); /* again at each visit */
    assert_false(product_schedule_measures_weights(one));
    assert_false(product_schedule_measures_weights(NULL));
    product_schedule_release(one);
    product_schedule_release(other);
}

TEST(weights_come_back_from_the_record_if_they_can_be_a_teams)
{
    const struct product_schedule_request measured = {.kind = SCHEDULE_DYNAMIC, .tail_share = 0.25};
    struct product_schedule *before = made(&measured, 2), *after = made(&measured, 2);
    json_t *record = json_object();
    product_schedule_describe(before, record); /* none yet */
    product_schedule_describe(NULL, record);
    assert_int_equal(json_object_size(record), 0);
    product_schedule_restore(after, record);
    assert_true(product_schedule_needs_weights(after));
    product_schedule_set_weights(before, two_to_one);
    before->weights_n = 15;
    product_schedule_describe(before, record);
    product_schedule_restore(after, record);
    product_schedule_restore(NULL, record);
    assert_false(product_schedule_needs_weights(after));
    assert_near(after->weight[1], 0.5);
    assert_int_equal(after->weights_n, 15);
    json_decref(record);
    static const char *const bad[] = {"[1.0]", "[1.0,0.5,0.5]", "[1.0,0]", "[1.0,-1]", "[1.0,2]", "[1.0,\"x\"]", "3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct product_schedule *untouched = made(&measured, 2);
        record = json_pack("{s:o}", "weights", json_loads(bad[i], JSON_DECODE_ANY, NULL));
        product_schedule_restore(untouched, record);
        assert_true(product_schedule_needs_weights(untouched));
        assert_near(untouched->weight[0], 1);
        json_decref(record);
        product_schedule_release(untouched);
    }
    product_schedule_release(before);
    product_schedule_release(after);
}

static struct product_schedule *of_head(struct cells *cells)
{
    return decode_cell(&cells->cell[0])->head_schedule;
}

/** The layers' and the head's weights of a pass both come back from a run; one of them alone is not enough. */
TEST(weights_of_a_pass_come_back)
{
    static const double layers[] = {2, 1}, head[] = {1, 4};
    const struct product_schedule_request measured = {.kind = SCHEDULE_WEIGHTED};
    const struct decode_work work = {
        .kernel = kernel_all()[0], .head = kernel_all()[0], .context = {1, {1}}, .threads = 2};
    struct cells before = {0}, after = {0};
    assert_int_equal(decode_add_scheduled(&before, &work, &measured, &measured), 0);
    assert_int_equal(decode_add_scheduled(&after, &work, &measured, &measured), 0);
    assert_non_null(strstr(before.cell[0].name, "/schedule="));
    const struct cell_kind *kind = &cell_kind_decode;
    json_auto_t *record = json_object();
    product_schedule_set_weights(decode_cell(&before.cell[0])->schedule, layers);
    kind->describe(&before.cell[0], record);
    kind->restore(&after.cell[0], record);
    assert_true(kind->lacks_choice(&after.cell[0]));
    product_schedule_set_weights(of_head(&before), head);
    of_head(&before)->weights_n = 9;
    kind->describe(&before.cell[0], record);
    kind->restore(&after.cell[0], record);
    assert_false(kind->lacks_choice(&after.cell[0]));
    assert_near(decode_cell(&after.cell[0])->schedule->weight[1], 0.5);
    assert_near(of_head(&after)->weight[0], 0.25);
    assert_int_equal(of_head(&after)->weights_n, 9);
    cells_release(&before);
    cells_release(&after);
}

/** A GEMM cell of its own name, at its own number of tokens; its members alone beside, each once. */
TEST(gemms_have_schedules_names_and_weights)
{
    const struct product_schedule_request measured = {.kind = SCHEDULE_DYNAMIC, .tail_share = 0.25};
    const struct shape shape = {.m = 64, .k = 64, .count = 1};
    const struct kernel *first = kernel_all()[0];
    struct cells cells = {0};
    assert_int_equal(product_add_scheduled(&cells, first, &shape, 7, 2, true, &measured), 0);
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(product_add_alone(&cells, first, &shape, 7, 1, 0.5, true), 0);
        assert_int_equal(product_add_alone(&cells, first, &shape, 8, 0, 1, true), 0);
    }
    assert_int_equal(cells.count, 3);
    assert_ptr_equal(product_find_alone(&cells, first, &shape, 7, 1, 0.5, true), &cells.cell[1]);
    assert_null(product_find_alone(&cells, first, &shape, 8, 1, 0.5, true));
    assert_null(gemm_cell(&cells.cell[2])->schedule);
    assert_non_null(strstr(cells.cell[0].name, "/n7/t2/cold/schedule="));
    assert_non_null(strstr(cells.cell[1].name, "/n7/t1/cold/member=1/speed=1:0.5"));
    assert_true(cell_kind_gemm.lacks_choice(&cells.cell[0]));
    assert_false(cell_kind_gemm.lacks_choice(&cells.cell[2]));
    struct product_schedule *schedule = gemm_cell(&cells.cell[0])->schedule;
    json_auto_t *record = json_object();
    product_schedule_set_weights(schedule, two_to_one);
    cell_kind_gemm.describe(&cells.cell[0], record);
    schedule->weighed = false;
    schedule->weight[1] = 1;
    cell_kind_gemm.restore(&cells.cell[0], record);
    assert_false(cell_kind_gemm.lacks_choice(&cells.cell[0]));
    assert_near(schedule->weight[1], 0.5);
    cells_release(&cells);
}

/* ---- records ---- */

/** A GEMV of two members, the second at half of its speed, in 20 us. */
static struct cell *add_dynamic(struct bench *bench)
{
    const struct product_schedule_request request = {SCHEDULE_DYNAMIC, 0.25, two_to_one, "P=2", half, NULL, false};
    struct cell *cell = add_gemv(bench, true, 20e-6, 2e10);
    gemv_cell(cell)->schedule = made(&request, 2);
    strcat(cell->name, "/schedule=dynamic/weights=P=2/speed=1:0.5");
    return cell;
}

/** One member alone, at a bandwidth. */
static void add_alone(struct bench *bench, unsigned member, double bytes_per_s)
{
    const struct product_schedule_request request = {.kind = SCHEDULE_STATIC, .speeds = half + member};
    struct cell *cell = add_gemv(bench, true, 262144 / bytes_per_s, 2e10);
    cell->threads = 1;
    cell->member = member;
    if (member)
        gemv_cell(cell)->schedule = made(&request, 1);
}

TEST_GIVEN_BY(a_schedule_is_held_against_the_sum_of_its_members, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_dynamic(bench);
    json_auto_t *record = record_of(bench, cell);
    assert_null_field(record, "of_sum");
    assert_null_field(record, "of_contended");
    assert_string_equal(field_text(record, "sum_bytes_per_s_reason"),
                        "not every kind of member was measured alone, or too few of its samples were kept");
    json_decref(record);
    add_alone(bench, 0, 10e9);
    add_alone(bench, 1, 5e9);
    cell = &bench->cells.cell[0];
    record = record_of(bench, cell);
    assert_string_equal(field_text(record, "cell"), cell->name);
    assert_string_equal(field_text(record, "schedule"), "dynamic");
    assert_near(json_number_value(json_array_get(json_object_get(record, "emulated_speeds"), 1)), 0.5);
    assert_near(field_number(record, "sum_bytes_per_s"), 15e9);
    assert_near(field_number(record, "of_sum"), 262144 / 20e-6 / 15e9);
    assert_near(field_number(record, "of_attainable"), 262144 / 20e-6 / 15e9);
    assert_null_field(record, "pieces_drawn"); /* restored, for all that is known */
    json_decref(record);
    gemv_cell(cell)->schedule->tail.pieces = 10; /* in ten calls */
    gemv_cell(cell)->schedule->pieces[0] = 45;
    gemv_cell(cell)->schedule->pieces[1] = 55;
    record = record_of(bench, cell);
    assert_near(json_number_value(json_array_get(json_object_get(record, "pieces_drawn"), 0)), 4.5);
}

/** Members that attain 12.5 GB/s while all work, of 15 alone, are what a schedule of 13.1 GB/s is held against, and no other team's. */
TEST_GIVEN_BY(a_schedule_is_held_against_its_members_while_all_work, struct bench *bench, open_bench, close_bench)
{
    static const double third[] = {1, 1.0 / 3};
    add_dynamic(bench);
    for (int other = 0; other < 2; other++) {
        const struct product_schedule_request request = {
            .kind = SCHEDULE_WEIGHTED, .speeds = other ? half : third, .contended = true};
        struct cell *members = add_gemv(bench, true, 262144 / (other ? 12.5e9 : 1e9), 2e10);
        gemv_cell(members)->schedule = made(&request, 2);
        strcat(members->name, other ? "/half/contended" : "/third/contended");
    }
    add_alone(bench, 0, 10e9);
    add_alone(bench, 1, 5e9);
    json_auto_t *record = record_of(bench, &bench->cells.cell[0]);
    assert_near(field_number(record, "contended_bytes_per_s"), 12.5e9);
    assert_near(field_number(record, "of_contended"), 262144 / 20e-6 / 12.5e9);
    assert_null(json_object_get(record, "contended"));
    json_decref(record);
    record = record_of(bench, &bench->cells.cell[2]);
    assert_true(json_is_true(json_object_get(record, "contended")));
    assert_near(field_number(record, "of_sum"), 12.5 / 15); /* what the memory's sharing leaves */
    assert_null(json_object_get(record, "of_contended"));
}

TEST_GIVEN_BY(where_the_memory_is_shared_the_roof_is_what_can_be_attained, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_dynamic(bench);
    for (size_t i = 0; i < cell->roof.count; i++)
        cell->roof.sample[i].wall_s = (4 << 20) / 14e9;
    add_alone(bench, 0, 10e9);
    add_alone(bench, 1, 8e9);
    json_auto_t *record = record_of(bench, &bench->cells.cell[0]);
    assert_near(field_number(record, "sum_bytes_per_s"), 18e9);
    assert_near(field_number(record, "of_attainable"), 262144 / 20e-6 / 14e9);
}

TEST_GIVEN_BY(a_plain_cell_has_no_field_of_a_schedule, struct bench *bench, open_bench, close_bench)
{
    json_auto_t *record = record_of(bench, add_gemv(bench, true, 20e-6, 2e10));
    static const char *const fields[] = {"cell", "schedule", "weights", "of_sum", "member", "emulated_speeds"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        assert_null(json_object_get(record, fields[i]));
}

/** 32768 vectors of 2 cycles at 1 GHz are 65.5 us for one core; the memory gives 100 GB/s to one and to both. */
TEST_GIVEN_BY(the_model_sums_what_the_members_do, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_dynamic(bench);
    add_model_parts(bench, 2, 1e-6);
    add_beta(bench, "memory", "beta/memory/t2/roof", 100e9, 8);
    struct cell *alone = add_beta(bench, "memory", "beta/memory/t1/roof", 100e9, 8);
    alone->threads = 1;
    for (size_t i = 0; i < alone->samples.count; i++)
        alone->samples.sample[i].wall_s = (1 << 20) / 100e9;
    cell = &bench->cells.cell[0];
    double one_core_s = 32768 * 2 / 1e9;
    assert_near(gemv_model(&bench->session, &bench->cells, cell).max_s, one_core_s / 1.5 + 1e-6);
    assert_true(isnan(gemv_model(&bench->session, &bench->cells, cell).overlap_s));
    /* in equal shares the slow one takes as long as one core for all */
    gemv_cell(cell)->schedule->kind = SCHEDULE_STATIC;
    product_schedule_set_weights(gemv_cell(cell)->schedule, (const double[]){1, 1});
    assert_near(gemv_model(&bench->session, &bench->cells, cell).max_s, one_core_s + 1e-6);
    /* and no member reads faster than the roof of the team */
    for (size_t i = 0; i < cell->samples.count; i++)
        cell->samples.sample[i].core_hz *= 1000;
    assert_near(gemv_model(&bench->session, &bench->cells, cell).max_s, 262144 / 100e9 + 1e-6);
}

RUN_TESTS(NULL, NULL)
