/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/blocks/baseline.h"
#include "results/files/diffable_json.h"
#include "results/gate/noise_floor.h"
#include "results/records/testing.h"
#include "unit_test.h"

/** A scratch folder to work in, and blocks to keep. */
struct bench {
    char folder[64], former[4096], why[512];
    struct blocks blocks;
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct run_records run = made_run();
    strcpy(bench->folder, "/tmp/kneepoint-baseline-XXXXXX");
    if (!mkdtemp(bench->folder) || !getcwd(bench->former, sizeof bench->former) || chdir(bench->folder))
        return -1;
    static const char *const names[] = {"gemv/b/1x1/t1/cold", "gemv/a/1x1/t1/cold"};
    for (int c = 0; c < 2; c++) {
        made_cell(&run, names[c], 0, 1);
        for (unsigned b = 1; b <= 4; b++) {
            made_sample(&run, names[c], b, 1, 1e-6 * b, 1e9);
            made_sample(&run, names[c], b, 1, 1e-6 * b, 1e9);
        }
    }
    *state = bench;
    int error = blocks_of_run(&run, &bench->blocks);
    run_records_free(&run);
    return error;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    char command[256];
    blocks_release(&bench->blocks);
    snprintf(command, sizeof command, "chmod -R u+w %s && rm -r %s", bench->folder, bench->folder);
    int error = chdir(bench->former) || system(command);
    free(bench);
    return error;
}

static int save(struct bench *bench, const char *name, bool replace)
{
    return baseline_save("results", name, "results/cpu/run", &bench->blocks, replace, bench->why, sizeof bench->why);
}

static void assert_mentions(const struct bench *bench, const char *text)
{
    if (!strstr(bench->why, text))
        fail_msg("'%s' does not mention '%s'", bench->why, text);
}

static size_t lines_with(const char *path, const char *text)
{
    char line[4096];
    size_t count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        count += strstr(line, text) != NULL;
    fclose(file);
    return count;
}

TEST_GIVEN_BY(a_saved_one_is_loaded, struct bench *bench, set_up, tear_down)
{
    struct blocks back;
    assert_int_equal(save(bench, "main", false), 0);
    assert_int_equal(baseline_load("results", "main", &back, bench->why, sizeof bench->why), 0);
    assert_int_equal(back.cells, 2);
    assert_string_equal(back.cell[0].name, "gemv/a/1x1/t1/cold");
    assert_close(back.cell[1].value[3], 4e-6);
    blocks_release(&back);
}

TEST_GIVEN_BY(a_cell_is_a_line_in_order, struct bench *bench, set_up, tear_down)
{
    assert_int_equal(save(bench, "main", false), 0);
    assert_int_equal(lines_with("results/baselines/main.json", "\"name\":\"gemv/"), 2);
    assert_int_equal(lines_with("results/baselines/main.json", "\"values\":[1e-6,2e-6,3e-6,4e-6]"), 2);
    assert_int_equal(lines_with("results/baselines/main.json", "\"source\": \"results/cpu/run\""), 1);
    assert_int_equal(lines_with("results/baselines/main.json", "\"flags\": \"-O2\""), 1);
    /* the same blocks give the same bytes */
    struct stat first, second;
    assert_int_equal(save(bench, "again", false), 0);
    stat("results/baselines/main.json", &first);
    stat("results/baselines/again.json", &second);
    assert_int_equal(first.st_size + 1, second.st_size); /* the name alone is longer */
}

TEST_GIVEN_BY(an_existing_one_is_overwritten_only_on_request, struct bench *bench, set_up, tear_down)
{
    assert_int_equal(save(bench, "main", false), 0);
    assert_int_equal(save(bench, "main", false), -EEXIST);
    assert_mentions(bench, "results/baselines/main.json exists; --replace");
    assert_int_equal(save(bench, "main", true), 0);
}

TEST_GIVEN_BY(wrong_names_are_refused, struct bench *bench, set_up, tear_down)
{
    static const char *const wrong[] = {"",
                                        ".",
                                        "..",
                                        ".hidden",
                                        "-x",
                                        "a/b",
                                        "../a",
                                        "a b",
                                        "a\n",
                                        "ä",
                                        "1234567890123456789012345678901234567890123456789012345678901234x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(save(bench, wrong[i], false), -EINVAL);
        assert_mentions(bench, "cannot name a baseline");
    }
    assert_int_equal(access("results", F_OK), -1);
    assert_true(baseline_name_is_valid("v1.2_rc-3") && baseline_name_is_valid("0"));
}

TEST_GIVEN_BY(unknown_ones_are_refused_with_those_there_are, struct bench *bench, set_up, tear_down)
{
    struct blocks back;
    assert_int_equal(baseline_load("results", "main", &back, bench->why, sizeof bench->why), -ENOENT);
    assert_mentions(bench, "no baseline 'main', nor any other in results/baselines");
    save(bench, "v2", false);
    save(bench, "v1", false);
    assert_int_equal(baseline_load("results", "main", &back, bench->why, sizeof bench->why), -ENOENT);
    assert_mentions(bench, "there are v1, v2");
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

TEST_GIVEN_BY(damaged_ones_are_refused_with_the_place, struct bench *bench, set_up, tear_down)
{
    struct blocks back;
    assert_int_equal(save(bench, "main", false), 0);
    put_file("results/baselines/main.json", "{\"kneepoint_baseline\": 1,\n\"cells\": [}");
    assert_int_equal(baseline_load("results", "main", &back, bench->why, sizeof bench->why), -EINVAL);
    assert_mentions(bench, "results/baselines/main.json line 2");
    put_file("results/baselines/main.json", "{\"other\": 1, \"cells\": []}");
    assert_int_equal(baseline_load("results", "main", &back, bench->why, sizeof bench->why), -EINVAL);
    assert_mentions(bench, "not a file of that kind");
    put_file("results/baselines/main.json", "{\"kneepoint_baseline\": 1, \"cells\": []}");
    assert_int_equal(baseline_load("results", "main", &back, bench->why, sizeof bench->why), -EINVAL);
    assert_mentions(bench, "results/baselines/main.json: meta");
}

TEST_GIVEN_BY(an_unwritable_place_is_refused_and_left_as_it_was, struct bench *bench, set_up, tear_down)
{
    put_file("results", "a file");
    assert_true(save(bench, "main", false) < 0);
    assert_mentions(bench, "results");
    unlink("results");
    assert_true(baseline_save("/proc/kneepoint", "main", "x", &bench->blocks, false, bench->why, sizeof bench->why) <
                0);
    assert_mentions(bench, "/proc");
}

TEST_GIVEN_BY(names_are_listed_in_order_and_other_files_are_not, struct bench *bench, set_up, tear_down)
{
    char **names;
    assert_int_equal(baseline_names("results", &names), 0);
    save(bench, "b", false);
    save(bench, "a.1", false);
    put_file("results/baselines/notes.txt", "");
    put_file("results/baselines/.json", "");
    put_file("results/baselines/bad name.json", "");
    assert_int_equal(baseline_names("results", &names), 2);
    assert_string_equal(names[0], "a.1");
    assert_string_equal(names[1], "b");
    baseline_names_release(names, 2);
}

/* ---- the noise floor ---- */

static struct noise_floor loaded(struct bench *bench)
{
    struct noise_floor floor;
    assert_int_equal(noise_floor_load("floor/cpu.host.json", "cpu", "host", &floor, bench->why, sizeof bench->why), 0);
    return floor;
}

TEST_GIVEN_BY(the_floor_is_the_order_statistic, struct bench *bench, set_up, tear_down)
{
    struct noise_floor floor = loaded(bench);
    double effects[20];
    for (int i = 0; i < 20; i++)
        effects[i] = (i % 2 ? -0.001 : 0.001) * ((7 * i) % 20 + 1);
    assert_true(isnan(noise_floor_layout(&floor, "memory")));
    assert_int_equal(noise_floor_put_layout(&floor, "memory", 0.02, "2026-01-01"), 0);
    assert_int_equal(noise_floor_put_layout(&floor, "memory", NAN, "2026-01-02"), 0); /* nothing measured: kept */
    assert_close(noise_floor_layout(&floor, "memory"), 0.02);
    assert_int_equal(noise_floor_put_layout(&floor, "memory", 0, "2026-01-03"), 0);
    assert_true(noise_floor_layout(&floor, "memory") == 0 && isnan(noise_floor_layout(&floor, "core")));
    assert_true(isnan(noise_floor_of(&floor, "cell", 11)));
    assert_int_equal(noise_floor_put(&floor, "cell", effects, 20, 11, "2026-01-01"), 0);
    assert_close(noise_floor_of(&floor, "cell", 11), 0.019); /* 19th of 20 */
    assert_close(noise_floor_of(&floor, "cell", 21), 0.019);
    assert_close(noise_floor_of(&floor, "cell", 7), 0.019 * sqrt(11.0 / 7));
    assert_true(isnan(noise_floor_of(&floor, "cell", 0)));
    assert_int_equal(noise_floor_put(&floor, "cell", effects, 1, 11, "2026-01-02"), 0);
    assert_close(noise_floor_of(&floor, "cell", 11), 0.001);
    effects[0] = NAN;
    assert_int_equal(noise_floor_put(&floor, "cell", effects, 1, 11, "2026-01-03"), 0); /* nothing measured: kept */
    assert_close(noise_floor_of(&floor, "cell", 11), 0.001);
    noise_floor_release(&floor);
}

TEST_GIVEN_BY(the_floor_is_kept_a_cell_a_line, struct bench *bench, set_up, tear_down)
{
    struct noise_floor floor = loaded(bench);
    static const double effects[] = {0.01, -0.02};
    noise_floor_put(&floor, "b", effects, 2, 11, "2026-01-01");
    noise_floor_put(&floor, "a", effects, 1, 11, "2026-01-01");
    assert_int_equal(noise_floor_save(&floor, "floor/cpu.host.json", bench->why, sizeof bench->why), 0);
    noise_floor_release(&floor);
    assert_int_equal(lines_with("floor/cpu.host.json", "{\"name\":\""), 2);
    assert_int_equal(lines_with("floor/cpu.host.json", "\"hostname\": \"host\""), 1);
    floor = loaded(bench);
    assert_close(noise_floor_of(&floor, "b", 11), 0.02);
    assert_close(noise_floor_of(&floor, "a", 11), 0.01);
    noise_floor_release(&floor);
    put_file("floor/cpu.host.json", "{\"kneepoint_baseline\": 1, \"cells\": []}");
    assert_int_equal(noise_floor_load("floor/cpu.host.json", "cpu", "host", &floor, bench->why, sizeof bench->why),
                     -EINVAL);
    assert_mentions(bench, "floor/cpu.host.json is not a file of that kind");
}

RUN_TESTS(NULL, NULL)
