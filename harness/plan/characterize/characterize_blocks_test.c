/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "harness/plan/characterize/characterize_blocks.h"
#include "platforms/process/fake_program.h"
#include "unit_test.h"

static const char *const given_arguments[] = {"--results=r", NULL};

static int run_blocks(struct fake_program *fake, const char *script, const char *resume, const volatile int *stop,
                      char run[256], char why[256])
{
    struct characterize_blocks job = {
        .program = fake->path,
        .arguments = given_arguments,
        .resume = resume,
        .blocks = 3,
        .budget_s = 20,
        .stop = stop,
    };
    fake_program_does(fake, script);
    why[0] = 0;
    return characterize_blocks_run(&job, run, 256, why, 256);
}

TEST(the_first_begins_the_run_and_the_others_resume_it)
{
    struct fake_program *fake = fake_program_make();
    char run[256], why[256];
    assert_int_equal(run_blocks(fake, "echo r/cpu/one; echo more", NULL, NULL, run, why), 0);
    assert_string_equal(run, "r/cpu/one");
    assert_string_equal(fake_program_log(fake), "characterize --budget=20 --results=r\n"
                                                "characterize --budget=20 --results=r --resume=r/cpu/one\n"
                                                "characterize --budget=20 --results=r --resume=r/cpu/one\n");
    fake_program_remove(fake);
}

TEST(a_run_that_is_there_is_added_to)
{
    struct fake_program *fake = fake_program_make();
    char run[256], why[256];
    assert_int_equal(run_blocks(fake, "echo else", "r/old", NULL, run, why), 0);
    assert_string_equal(run, "r/old");
    assert_non_null(strstr(fake_program_log(fake), "characterize --budget=20 --results=r --resume=r/old\n"));
    fake_program_remove(fake);
}

TEST(the_first_that_fails_ends_it_and_says_why)
{
    static const struct {
        const char *script, *why;
        int error;
    } table[] = {
        {"echo 'kneepoint characterize: no room' >&2; exit 2", "no room", -EINVAL},
        {"echo 'kneepoint characterize: x is wrong' >&2; exit 1", "x is wrong", -EILSEQ},
        {"echo 'kneepoint characterize: another CPU' >&2; exit 4", "another CPU", -EXDEV},
        {"echo 'kneepoint characterize: interrupted; it is in r' >&2; exit 130", "interrupted; it is in r", -EINTR},
        {"kill -ABRT $$", "block 1 crashed: Aborted", -EILSEQ},
        {"exit 2", "block 1 ended with exit status 2", -EINVAL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct fake_program *fake = fake_program_make();
        char run[256], why[256];
        assert_int_equal(run_blocks(fake, table[i].script, NULL, NULL, run, why), table[i].error);
        assert_string_equal(why, table[i].why);
        assert_string_equal(run, "");
        assert_string_equal(fake_program_log(fake), "characterize --budget=20 --results=r\n");
        fake_program_remove(fake);
    }
}

TEST(stopping_keeps_the_run)
{
    struct fake_program *fake = fake_program_make();
    char run[256], why[256];
    const volatile int stop = 1;
    assert_int_equal(run_blocks(fake, "echo r/one", "r/old", &stop, run, why), -EINTR);
    assert_string_equal(run, "r/old");
    assert_string_equal(fake_program_log(fake), "");
    fake_program_remove(fake);
}

RUN_TESTS(NULL, NULL)
