/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steady: every sample is kept, so that what is counted here is certain.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/cells/gamma/gamma.h"
#include "harness/cells/knee/knee.h"
#include "harness/cells/rounds_tests.h"
#include "harness/measure/session_level.h"
#include "unit_test.h"

static size_t count_cells(const struct cells *cells, bool prefetches, bool competes)
{
    size_t count = 0;
    for (size_t i = 0; i < cells->count; i++)
        count +=
            knee_cell(&cells->cell[i])->prefetches == prefetches && knee_cell(&cells->cell[i])->competes == competes;
    return count;
}

TEST_GIVEN_BY(distances_compete_in_the_deepest_level_with_the_widest_team, struct bench *bench, open_bench, close_bench)
{
    static const unsigned sizes[] = {1, 2, 3};
    static const char *const levels[] = {"memory", "L2"};
    assert_int_equal(knee_add(&bench->cells, sequence_all()[0], levels, 2, sizes, 3), 0);
    assert_int_equal(count_cells(&bench->cells, false, false), 2 * 3);
    assert_int_equal(count_cells(&bench->cells, true, false), 2 * 3 - 1);
    assert_true(count_cells(&bench->cells, true, true) >= 3);
    size_t former = 0;
    for (size_t i = 0; i < bench->cells.count; i++) {
        const struct cell *cell = &bench->cells.cell[i];
        const struct knee_cell *own = knee_cell(cell);
        assert_int_equal(cell->cold, strcmp(own->level, "memory") == 0);
        assert_true(!own->competes || (cell->cold && cell->threads == 3));
        assert_true(own->competes ? own->prefetch_bytes > former : own->prefetch_bytes == 0);
        former = own->competes ? own->prefetch_bytes : former;
    }
}

/** A gamma cell with samples, as if it had been measured: one cycle a vector. */
static void give_gamma(struct bench *bench, const struct sequence *sequence)
{
    size_t at = bench->cells.count;
    assert_int_equal(gamma_add(&bench->cells, sequence, sequence->least_accumulators), 0);
    struct cell *cell = &bench->cells.cell[at];
    cell->iterations = 100;
    double vectors = 100 * (double)gamma_cell(cell)->variant->dots * sequence_vectors_per_dot(sequence);
    for (unsigned i = 0; i < 8; i++) {
        struct sample sample = {.wall_s = (i % 2 ? 2 : 1) * vectors / 1e9, .core_hz = 1e9, .grade = SAMPLE_CHAIN};
        assert_int_equal(samples_append(&cell->samples, &sample, 1), 0);
    }
}

TEST_GIVEN_BY(streams_are_measured_once_gamma_and_roof_are_known, struct bench *bench, open_bench, close_bench)
{
    const struct sequence *sequence = one_that_runs(bench);
    static const unsigned sizes[] = {1};
    static const char *const levels[] = {"memory", "L1"};
    skip_if(!sequence, "not on this machine: no sequence runs here");
    bench->session->level_bytes[1] = 32 << 10;
    assert_int_equal(knee_add(&bench->cells, sequence, levels, 2, sizes, 1), 0);
    size_t end = bench->cells.count, failed = 0;
    struct execution execution = {.keep_going = true, .visited = note_visit, .context = bench};
    assert_int_equal(knee_measure(bench->session, &bench->cells, 0, end, 2, &execution, &failed), 0);
    assert_int_equal(bench->visits, 0); /* gamma is not known */
    knee_say_why(&bench->cells);
    assert_non_null(strstr(bench->cells.cell[0].why, "no sample of its gamma was kept"));
    for (size_t i = 0; i < end; i++)
        bench->cells.cell[i].why[0] = 0;

    give_gamma(bench, sequence);
    give_roof(bench, "L1");
    execution.visited = NULL; /* roof samples come too */
    assert_int_equal(knee_measure(bench->session, &bench->cells, 0, end, 2, &execution, &failed), 0);
    size_t measured = 0;
    for (size_t i = 0; i < end; i++) {
        const struct cell *cell = &bench->cells.cell[i];
        measured += cell->samples.count > 0;
        assert_int_equal(cell->samples.count, cell->roof.count);
        /* nothing is known of the distances, since memory has no roof */
        assert_true(cell->samples.count == 0 || (!cell->cold && !knee_cell(cell)->prefetches));
        assert_true(!cell->cold || knee_cell(cell)->competes == false || strstr(cell->why, "the read roof of memory"));
    }
    assert_int_equal(measured, 1);
    knee_say_why(&bench->cells);
    assert_string_equal(bench->cells.cell[end - 1].why, ""); /* no distance was tried */
    for (size_t i = 0; i < end; i++) {
        struct sample rejected = {.wall_s = 1e-6, .core_hz = 1e9, .cause = SAMPLE_INTERRUPT};
        if (knee_cell(&bench->cells.cell[i])->competes)
            assert_int_equal(samples_append(&bench->cells.cell[i].samples, &rejected, 1), 0);
    }
    knee_say_why(&bench->cells);
    assert_non_null(strstr(bench->cells.cell[end - 1].why, "prefetch distances"));
}

TEST_GIVEN_BY(streams_of_every_level_are_right_and_complete, struct bench *bench, open_bench, close_bench)
{
    const struct sequence *sequence = one_that_runs(bench);
    static const unsigned sizes[] = {1};
    skip_if(!sequence, "not on this machine: no sequence runs here");
    bench->session->level_bytes[1] = 32 << 10;
    bench->session->level_bytes[2] = 256 << 10;
    bench->session->level_bytes[3] = 2 << 20;
    assert_int_equal(knee_add(&bench->cells, sequence, session_levels, SESSION_LEVELS, sizes, 1), 0);
    size_t end = bench->cells.count, failed = 0, distance = 0;
    give_gamma(bench, sequence);
    for (size_t i = 0; i < SESSION_LEVELS; i++)
        give_roof(bench, session_levels[i]);
    struct execution execution = {0};
    assert_int_equal(knee_measure(bench->session, &bench->cells, 0, end, 2, &execution, &failed), 0);
    for (size_t i = 0; i < end; i++) {
        const struct cell *cell = &bench->cells.cell[i];
        assert_true(cell->exact && cell->verified);
        assert_int_equal(knee_cell(cell)->variant->accumulators, sequence->least_accumulators);
        assert_true(cell->samples.count >= 2 && cell->samples.count == cell->roof.count);
        assert_int_equal(knee_cell(cell)->bytes % (knee_cell(cell)->variant->stream_groups * sequence->weight_bytes),
                         0);
        if (knee_cell(cell)->prefetches && !knee_cell(cell)->competes) {
            assert_true(distance == 0 || distance == knee_cell(cell)->prefetch_bytes);
            distance = knee_cell(cell)->prefetch_bytes;
        }
    }
    assert_true(distance > 0);
}

/** Each variant has the streams of the next one, which has other accumulators. */
static void shift_streams(struct sequence_variant *variant, uint64_t count)
{
    struct sequence_variant first = variant[0];
    for (uint64_t i = 0; i < count; i++) {
        const struct sequence_variant *next = i + 1 < count ? &variant[i + 1] : &first;
        variant[i].stream = next->stream;
        variant[i].stream_prefetch = next->stream_prefetch;
    }
}

/** Constants of ours, to be overwritten when they are restored. */
static void *writable(const void *constants, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)constants / page * page;
    assert_int_equal(mprotect((void *)first, (uintptr_t)constants + bytes - first, PROT_READ | PROT_WRITE), 0);
    return (void *)(uintptr_t)constants;
}

/** Streams of a sequence from L1. */
static void add_streams(struct bench *bench, const struct sequence *sequence)
{
    static const unsigned sizes[] = {1};
    static const char *const levels[] = {"L1"};
    bench->session->level_bytes[1] = 32 << 10;
    assert_int_equal(knee_add(&bench->cells, sequence, levels, 1, sizes, 1), 0);
}

TEST_GIVEN_BY(a_wrong_stream_of_ours_ends_it, struct bench *bench, open_bench, close_bench)
{
    const struct sequence *sequence = one_that_runs(bench);
    skip_if(!sequence, "not on this machine: no sequence runs here");
    add_streams(bench, sequence);
    size_t end = bench->cells.count, failed = 99;
    give_gamma(bench, sequence);
    give_roof(bench, "L1");
    struct sequence_variant right[SEQUENCE_ACCUMULATORS_MAX];
    struct sequence_variant *own = writable(sequence->variant, sequence->variants * sizeof *own);
    memcpy(right, own, sequence->variants * sizeof *own);
    shift_streams(own, sequence->variants);
    struct execution execution = {.keep_going = true};
    int error = knee_measure(bench->session, &bench->cells, 0, end, 2, &execution, &failed);
    memcpy(own, right, sequence->variants * sizeof *own);
    assert_int_equal(error, -EILSEQ);
    assert_in_range(failed, 0, end - 1);
    assert_non_null(strstr(bench->cells.cell[failed].why, "is wrong as a stream in "));
}

TEST_GIVEN_BY(a_wrong_stream_of_a_file_ends_its_own_cells, struct bench *bench, open_bench, close_bench)
{
    const struct sequence *right = one_that_runs(bench);
    skip_if(!right, "not on this machine: no sequence runs here");
    struct sequence wrong = *right;
    struct sequence_variant variants[SEQUENCE_ACCUMULATORS_MAX];
    memcpy(variants, right->variant, right->variants * sizeof *variants);
    shift_streams(variants, right->variants);
    wrong.variant = variants;
    wrong.name = "of.a_file";
    add_streams(bench, &wrong);
    size_t middle = bench->cells.count, failed = 99;
    add_streams(bench, right);
    size_t end = bench->cells.count;
    give_gamma(bench, &wrong);
    give_gamma(bench, right);
    give_roof(bench, "L1");
    struct execution execution = {0};
    assert_int_equal(knee_measure(bench->session, &bench->cells, 0, end, 2, &execution, &failed), 0);
    assert_int_equal(failed, 99);
    size_t measured = 0;
    for (size_t i = 0; i < end; i++) {
        const struct cell *cell = &bench->cells.cell[i];
        assert_int_equal(strstr(cell->why, "of.a_file with ") && strstr(cell->why, " is wrong as a stream in "),
                         i < middle);
        assert_true(i >= middle || cell->samples.count == 0);
        measured += cell->samples.count > 0;
    }
    assert_true(measured > 0);
}

RUN_TESTS(NULL, NULL)
