/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The map of chosen configurations: from the tuning table that lies beside the run's folder, or there is none.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/draw/figure.h"
#include "reports/select/machines/tuned.h"
#include "reports/select/run/testing.h"

static char folder[64], measured_run[128], table_path[128];

static int make_folders(void **state)
{
    (void)state;
    char path[128];
    strcpy(folder, "/tmp/apt_16_test.XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    static const char *const parts[] = {"runs", "runs/machine", "runs/machine/run"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, parts[i]);
        if (mkdir(path, 0700))
            return -1;
    }
    snprintf(measured_run, sizeof measured_run, "%s/runs/machine/run", folder);
    snprintf(table_path, sizeof table_path, "%s/tuning/machine.json", folder);
    return 0;
}

static int remove_folders(void **state)
{
    (void)state;
    static const char *const parts[] = {"runs/machine/run", "runs/machine", "runs", "tuning", ""};
    (void)unlink(table_path);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, parts[i]);
        (void)rmdir(path);
    }
    return 0;
}

static struct tuning_cell cell_of(const char *format, const char *kernel, size_t m, size_t n, const char *variant,
                                  bool best)
{
    struct tuning_cell cell = {
        .problem = {.takes = "f32", .error_bound = 0.25, .threads = 1, .cold = true, .m = m, .k = 4096, .n = n},
        .isa = "avx2",
        .gemm = n > 1,
        .best = best,
        .prefetch_bytes = 2048,
        .time_s = 1e-3,
        .default_time_s = 1.1e-3,
        .kept = 12,
        .default_kept = 12,
        .candidates = 8,
        .seen = 8};
    snprintf(cell.problem.format, sizeof cell.problem.format, "%s", format);
    snprintf(cell.kernel, sizeof cell.kernel, "%s", kernel);
    snprintf(cell.variant, sizeof cell.variant, "%s", variant);
    return cell;
}

static int select_from(const char *folder_of_run, char **settings, char **data, char why[512])
{
    struct made_run run;
    make_run(&run, "{}", SMALL_RUN);
    run.view.path = folder_of_run;
    int error = figure_select(figure_find("apt_16"), &run.view, settings, data, why, 512);
    free_run(&run);
    return error;
}

TEST(without_a_table_the_command_is_named)
{
    char *settings, *data, why[512];
    static const char *const places[] = {measured_run, "/", "/nowhere/at/all", "results/machine/run"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_int_equal(select_from(places[i], &settings, &data, why), -ENODATA);
        assert_contains(why, "kneepoint tune");
    }
}

/** Eight choices have a colour; all others share one, which the legend has once. */
TEST(choices_beyond_the_colours_share_one)
{
    char *settings, *data, why[512];
    struct tuning_table table = {.made_by = json_pack("{s:s, s:{s:s}, s:{}, s:s, s:s, s:{}}", "kneepoint", "1.0", "cpu",
                                                      "name", "a CPU", "isa", "compiler", "gcc", "flags", "", "code")};
    for (size_t i = 1; i <= 10; i++) {
        char variant[16];
        snprintf(variant, sizeof variant, "r%zut4", i);
        struct tuning_cell cell = cell_of("w1", "w1.a2_popcount.avx2", 512 * i, 64, variant, true);
        assert_int_equal(tuning_add(&table, &cell), 0);
    }
    if (tuning_write(table_path, &table, why, sizeof why))
        fail_msg("%s", why);
    tuning_release(&table);
    assert_int_equal(select_from(measured_run, &settings, &data, why), 0);
    assert_contains(settings, "choices = 9\n", "'r8t4', 'another block']");
    assert_lacks(settings, "'r9t4'");
    assert_contains(data, "\"r10t4\"");
    free(settings);
    free(data);
}

TEST(the_best_of_each_problem_is_on_the_map)
{
    char *settings, *data, why[512];
    struct tuning_table table = {.made_by = json_pack("{s:s, s:{s:s}, s:{}, s:s, s:s, s:{}}", "kneepoint", "1.0", "cpu",
                                                      "name", "a CPU", "isa", "compiler", "gcc", "flags", "", "code")};
    const struct tuning_cell cells[] = {
        cell_of("w1", "w1.a2_popcount.avx2", 4096, 64, "r16t4", true),
        cell_of("w1", "w1.a2_nibble.avx2", 4096, 64, "r8t4", false),
        cell_of("w1", "w1.a2_popcount.avx2", 1024, 64, "", true),
        cell_of("w1", "w1.a2_popcount.avx2", 4096, 1, "", true),
        cell_of("int8_vnni4", "int8_vnni4.tile.avx2", 4096, 64, "", true),
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        assert_int_equal(tuning_add(&table, &cells[i]), 0);
    if (tuning_write(table_path, &table, why, sizeof why))
        fail_msg("%s", why);
    tuning_release(&table);
    assert_int_equal(select_from(measured_run, &settings, &data, why), 0);
    assert_contains(settings, "array column_title[3] = ['4096×4096', '1024×4096', '4096×4096']",
                    "array column_tokens[3] = [1, 64, 64]");
    assert_contains(settings, "array row_title[2] = ['int8_vnni4', 'W1A2']"); /* from below */
    assert_contains(settings, "array choice_title[3] = ['GEMV', 'default block', 'r16t4']");
    assert_contains(
        data,
        "3 2 0x56b4e9 1.1 2048 \"r16t4\" \"W1A2, 4096x4096, 64 tokens: w1.a2_popcount.avx2, r16t4, prefetch 2048 bytes, rows "
        "shared; 1000 us, 1.10 times as fast as its default\"",
        "3 1 0xe69f00 1.1 2048 \"default block\"");
    assert_lacks(data, "nibble");
    free(settings);
    free(data);
}

RUN_TESTS(make_folders, remove_folders)
