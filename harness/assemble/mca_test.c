/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/assemble/mca.h"
#include "platforms/cpu/isa.h"
#include "unit_test.h"

TEST(the_loop_is_what_the_longest_jump_backward_closes)
{
    static const char disassembly[] = "\nfile:     file format elf64-x86-64\n\n"
                                      "0000000000001000 <f>:\n"
                                      "    1000:\tendbr64\n"
                                      "    1004:\tje     1010 <f+0x10>\n"
                                      "    1006:\tnop\n"
                                      "    1010:\tvpand  0x10(%rip),%ymm1,%ymm2        # 2000 <mask>\n"
                                      "    1018:\tdec    %r9\n"
                                      "    101b:\tjne    1010 <f+0x10>\n"
                                      "    101d:\tret\n"
                                      "    101e:\tjne    1000 <f>\n";
    char loop[256] = "";
    size_t length = mca_loop(disassembly, loop, sizeof loop);
    assert_int_equal(length, strlen(loop));
    assert_string_equal(loop, "vpand  0x10(%rip),%ymm1,%ymm2        \ndec    %r9\n");
    assert_int_equal(mca_loop(disassembly, loop, 20), 0); /* does not fit */
    assert_int_equal(mca_loop("    1000:\tnop\n    1001:\tret\n", loop, sizeof loop), 0);
    assert_int_equal(mca_loop("    1000:\tnop\n    1001:\tjmp    1000 <f>\n    1003:\tret\n", loop, sizeof loop), 0);
    assert_int_equal(mca_loop("", loop, sizeof loop), 0);
    /* what calls another function at its end has not the loop of the next one */
    assert_int_equal(mca_loop("  0:\tadd %rsi,%rsi\n  3:\tjmp    0xfffffffffffff9d0\n  8:\tnop\n  9:\tjne    8\n", loop,
                              sizeof loop),
                     0);
    assert_int_equal(
        mca_loop("  40:\tlsl\tx1, x1, #1\n  44:\tb\t0 <f>\n  48:\tnop\n  4c:\tb.ne\t48 <g>\n", loop, sizeof loop), 0);
    static const char stored_behind[] = "    1000:\tvpaddd %ymm0,%ymm1,%ymm0\n"
                                        "    1004:\tvpaddd %ymm0,%ymm1,%ymm0\n"
                                        "    1008:\tjne    1000 <f>\n"
                                        "    100a:\tvmovdqu %ymm0,(%rdi)\n"
                                        "    100e:\tjne    100a <f+0xa>\n"
                                        "    1010:\tret\n";
    mca_loop(stored_behind, loop, sizeof loop);
    assert_string_equal(loop, "vpaddd %ymm0,%ymm1,%ymm0\nvpaddd %ymm0,%ymm1,%ymm0\n");
}

TEST(a_loop_that_holds_another_is_none)
{
    static const char disassembly[] = "    1000:\tmov    $0x4,%eax\n"
                                      "    1005:\tvpaddd %ymm0,%ymm1,%ymm0\n"
                                      "    1009:\tdec    %eax\n"
                                      "    100b:\tjne    1005 <f+0x5>\n"
                                      "    100d:\tdec    %r9\n"
                                      "    1010:\tjne    1000 <f>\n"
                                      "    1012:\tret\n";
    char loop[256] = "";
    assert_int_equal(mca_loop(disassembly, loop, sizeof loop), 0);
}

/** Immediates begin with the sign of x86-64's comments, and a branch may name a register first. */
TEST(a_loop_of_aarch64_is_found_too)
{
    static const char disassembly[] = "  40:\tmovi\tv20.16b, #0x3\n"
                                      "  44:\tand\tv24.16b, v16.16b, v20.16b\n"
                                      "  48:\tushr\tv27.16b, v16.16b, #6\n"
                                      "  4c:\tmov\tw9, #0x10                \t// #16\n"
                                      "  50:\tsubs\tx3, x3, #0x1\n"
                                      "  54:\tb.ne\t44 <f+0x4>  // b.any\n"
                                      "  58:\tret\n";
    char loop[256] = "";
    assert_true(mca_loop(disassembly, loop, sizeof loop) > 0);
    assert_string_equal(loop, "and\tv24.16b, v16.16b, v20.16b\nushr\tv27.16b, v16.16b, #6\n"
                              "mov\tw9, #0x10                \t\nsubs\tx3, x3, #0x1\n");
    assert_true(mca_loop("  40:\tnop\n  44:\tcbnz\tx3, 40 <f>\n  48:\tret\n", loop, sizeof loop) > 0);
    assert_string_equal(loop, "nop\n");
    assert_int_equal(mca_loop("  40:\tnop\n  44:\tb\t40 <f>\n  48:\tret\n", loop, sizeof loop), 0);
}

TEST(cycles_are_of_one_iteration)
{
    assert_true(mca_cycles("Iterations:        200\nInstructions:      600\nTotal Cycles:      5000\n") == 25);
    assert_true(isnan(mca_cycles("Iterations:        200\n")));
    assert_true(isnan(mca_cycles("Iterations: 0\nTotal Cycles: 5\n")));
    assert_true(isnan(mca_cycles("")));
}

static bool lacks(const char *cpu, const char *isa, const char *expected)
{
    char why[256] = "";
    struct mca mca = {.design = core_design_of_llvm(cpu)};
    snprintf(mca.cpu, sizeof mca.cpu, "%s", cpu);
    bool lacking = mca_lacks(&mca, isa, why, sizeof why);
    assert_string_equal(why, expected);
    return lacking;
}

TEST(a_core_that_lacks_what_code_needs_is_refused)
{
    assert_true(lacks("rocketlake", "amx_int8", "'rocketlake', Cypress Cove, has no amx_tile, amx_int8"));
    assert_true(lacks("znver3", "avx512", "'znver3', Zen 3, has no avx512f, avx512bw, avx512dq, avx512vl"));
    assert_true(lacks("sapphirerapids", "amx_fp16", "'sapphirerapids', Golden Cove (server), has no amx_fp16"));
    assert_false(lacks("graniterapids", "amx_fp16", ""));
    assert_false(lacks("rocketlake", "avx512_vbmi_vnni", ""));
    assert_false(lacks("alderlake", "avx512_vnni", "")); /* fused off in some, and LLVM models it */
    assert_true(lacks("k8", "avx_vnni_int8",
                      "it is not known here whether LLVM's 'k8' has avx2, fma, f16c, bmi2, avx_vnni, avx_vnni_int8"));
    assert_false(lacks("k8", "reference", ""));
    assert_true(lacks("neoverse-v1", "avx2", "'neoverse-v1', Neoverse V1, has no avx2, fma, f16c, bmi2"));
    assert_true(lacks("neoverse-n1", "sve256", "'neoverse-n1', Neoverse N1, has no sve, svei8mm, i8mm, bf16, sve_256"));
    assert_false(lacks("cortex-a78", "sve256", "")); /* LLVM looks itself */
    char why[12];
    assert_true(mca_lacks(&(struct mca){.cpu = "k8"}, "avx2", why, sizeof why));
    assert_int_equal(strlen(why), sizeof why - 1);
}

/** A program llvm-mca-30, the newest on PATH, of that script for an interpreter. */
static void with_fake_for(const char *folder, const char *before, const char *interpreter, const char *script)
{
    char path[256], list[8192];
    snprintf(path, sizeof path, "%s/llvm-mca-30", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, "#!%s\n%s\n", interpreter, script);
    fclose(out);
    assert_int_equal(chmod(path, 0700), 0);
    snprintf(list, sizeof list, "%s:%s", folder, before);
    setenv("PATH", list, 1);
}

static void with_fake(const char *folder, const char *before, const char *script)
{
    with_fake_for(folder, before, "/bin/sh", script);
}

TEST(tools_that_fail_are_a_reason)
{
    char folder[] = "/tmp/mca_test.XXXXXX", why[400], path[64];
    struct mca mca;
    double gamma;
    assert_non_null(mkdtemp(folder));
    char *before = strdup(getenv("PATH"));

    setenv("PATH", folder, 1);
    assert_int_equal(mca_open(&mca, "znver3", why, sizeof why), -ENOENT);
    assert_non_null(strstr(why, "no llvm-mca on PATH: install llvm"));
    with_fake(
        folder, before,
        "echo \"'zn' is not a recognized processor for this target\" >&2; echo Iterations: 200; echo Total Cycles: 9");
    assert_int_equal(mca_open(&mca, "zn", why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, "has no model of 'zn'"));
    const char *as_a57 =
        "printf 'Iterations: 200\\nTotal Cycles: 9\\n'; case \"$*\" in *-resource-pressure*) echo '[0] - A57UnitB';; esac";
    with_fake(folder, before, as_a57);
    assert_int_equal(mca_open(&mca, "neoverse-v1", why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, "treats 'neoverse-v1' as a cortex-a57"));
    assert_int_equal(mca_open(&mca, "cortex-a57", why, sizeof why), 0);
    with_fake(folder, before, "exit 1");
    assert_int_equal(mca_open(&mca, "znver3", why, sizeof why), -EINVAL);
    with_fake_for(folder, before, "/no/such/interpreter", "");
    assert_int_equal(mca_open(&mca, "znver3", why, sizeof why), -ENOENT);
    assert_non_null(strstr(why, "cannot run "));
    with_fake(folder, before, "echo nonsense");
    assert_int_equal(mca_open(&mca, "znver3", why, sizeof why), -EINVAL);

    with_fake(folder, before, "grep -q . && printf 'Iterations: 200\\nTotal Cycles: 19200\\n'");
    assert_int_equal(mca_open(&mca, "znver3", why, sizeof why), 0);
    assert_int_equal(mca.version, 30);
    const struct sequence *sequence = sequence_all()[0];
    const struct sequence_variant *variant = &sequence->variant[sequence->variants - 1];
    int error = mca_gamma(&mca, sequence, variant, &gamma, why, sizeof why);
    if (error == -ENOENT) {
        print_message("# %s\n", why);
    } else {
        assert_int_equal(error, 0);
        double vectors = 2 * (double)variant->dots * sequence_vectors_per_dot(sequence);
        assert_true(fabs(gamma * vectors - 96) < 1e-9);
    }
    setenv("PATH", before, 1);
    free(before);
    snprintf(path, sizeof path, "%s/llvm-mca-30", folder);
    unlink(path);
    rmdir(folder);
}

TEST(the_core_follows_the_features)
{
    char folder[] = "/tmp/mca_test.XXXXXX", why[400], path[64];
    struct mca mca;
    assert_non_null(mkdtemp(folder));
    char *before = strdup(getenv("PATH"));
    const struct core_design *golden = core_design_of_llvm("sapphirerapids");
    const struct core_design *raptor = core_design_of_llvm("emeraldrapids");
    struct cpu_identity identity = {.microarchitecture = "A or B", .stated_core = "Cypress Cove"};
    with_fake(
        folder, before,
        "case \"$*\" in *-mcpu=sapphirerapids*) exit 1;; *) printf 'Iterations: 200\\nTotal Cycles: 9\\n';; esac");

    assert_int_equal(mca_open_for(&mca, NULL, &identity, why, sizeof why), -EINVAL);
    assert_string_equal(why, "LLVM's name for 'A or B' is not known: give --mca=CPU");
    identity.design[0] = golden;
    assert_int_equal(mca_open_for(&mca, NULL, &identity, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, "has no model of 'sapphirerapids'"));
    identity.design[1] = raptor; /* which this llvm-mca knows */
    assert_int_equal(mca_open_for(&mca, NULL, &identity, why, sizeof why), 0);
    assert_string_equal(why, "");
    assert_string_equal(mca.cpu, "emeraldrapids");
    assert_string_equal(mca.one_of, "A or B");
    assert_ptr_equal(mca.design, raptor);
    assert_int_equal(mca_open_for(&mca, "znver3", &identity, why, sizeof why), 0);
    assert_string_equal(mca.cpu, "znver3");
    assert_string_equal(mca.one_of, "");
    assert_int_equal(mca_open_for(&mca, "none", &identity, why, sizeof why), -ECANCELED);

    setenv("PATH", before, 1);
    free(before);
    snprintf(path, sizeof path, "%s/llvm-mca-30", folder);
    unlink(path);
    rmdir(folder);
}

#if defined __aarch64__
static const char *const modelled[] = {"neoverse-v2", "neoverse-v1"};
enum { LLVM_LEAST = 18 };
#else
static const char *const modelled[] = {"sapphirerapids", "graniterapids", "arrowlake"};
enum { LLVM_LEAST = 16 };
#endif

enum { CORES = sizeof modelled / sizeof *modelled };

/** Cores, each opened when it is first asked for: that runs every llvm-mca. */
struct cores {
    struct mca mca[CORES];
    enum { NOT_ASKED, OPEN, UNKNOWN } is[CORES];
};

/** A core that LLVM models and that has what an ISA needs; NULL: there is none. */
static const struct mca *core_with(struct cores *cores, const char *isa)
{
    char why[400];
    for (size_t i = 0; i < CORES; i++) {
        if (mca_lacks(&(struct mca){.design = core_design_of_llvm(modelled[i])}, isa, why, sizeof why))
            continue;
        if (cores->is[i] == NOT_ASKED)
            cores->is[i] = mca_open(&cores->mca[i], modelled[i], why, sizeof why) == 0 ? OPEN : UNKNOWN;
        if (cores->is[i] == OPEN)
            return &cores->mca[i];
    }
    return NULL;
}

/** The real one, where it is: every sequence of this architecture is understood. */
TEST(every_sequence_is_understood)
{
    static struct cores cores;
    char why[400];
    skip_if(mca_open(&cores.mca[0], modelled[0], why, sizeof why) || cores.mca[0].version < LLVM_LEAST,
            "not on this machine: no llvm-mca that models %s", modelled[0]);
    cores.is[0] = OPEN;
    unsigned tried = 0, understood = 0, looped = 0;
    for (const struct sequence *const *at = sequence_all(); *at; at++) {
        double gamma;
        const struct mca *mca = tried++ % 8 ? NULL : core_with(&cores, (*at)->isa); /* a tenth of a second each */
        if (!mca)
            continue;
        int error = mca_gamma(mca, *at, &(*at)->variant[(*at)->variants - 1], &gamma, why, sizeof why);
        understood += !error;
        if (error == -EINVAL &&
            strstr(why, "another jump in it")) { /* steps in C have loops of their own, of groups in assembly few */
            looped += !sequence_is_step(*at);
            continue;
        }
        if (error)
            fail_msg("%s: %s", (*at)->name, why);
        assert_true(gamma > 0.01 && gamma < 100); /* full tiles take 0.031 */
    }
    assert_true(understood > 9 * looped);
}

RUN_TESTS(NULL, NULL)
