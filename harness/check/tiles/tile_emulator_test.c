/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Machine code with tile instructions under the checked call: what it computes, and how its mistakes are reported.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/check/call/checked_call_testing.h"
#include "harness/check/tiles/assembled_tests.h"
#include "harness/check/tiles/tile_emulator.h"
#include "platforms/cpu/isa.h"
#include "platforms/cpu/tiles.h"
#include "platforms/memory/memory.h"
#include "platforms/process/refused_call.h"
#include "unit_test.h"

static const char tiles_isa[] = "amx_int8";

/** What this CPU really does does not matter, but without vectors it cannot be called either. */
static void require_tiles(void)
{
    struct cpuid_dump dump;
    const isa_features tiles = (isa_features)1 << ISA_FEATURE_AMX_TILE | (isa_features)1 << ISA_FEATURE_AMX_INT8;
    bool native = cpuid_dump_host(&dump) == 0 && (isa_features_of(&dump) & tiles) == tiles;
    skip_if(!native && !tile_emulator_stands_in(tiles_isa),
            "not on this machine: no x86-64, tiles without AMX-INT8, or tiles that are refused");
}

/** Executable memory, with the code at its start. */
static uint8_t *executable(const char *text)
{
    enum { BYTES = 4096 };
    uint8_t *code = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(code != MAP_FAILED);
    if (!assembled(text, code, BYTES))
        fail_msg("does not assemble: %s", text);
    assert_int_equal(mprotect(code, BYTES, PROT_READ | PROT_EXEC), 0);
    return code;
}

static struct checked_call_report call(const uint8_t *code, const void *first, const void *second, const void *third)
{
    struct checked_call_report report;
    struct checked_call checked = {code, {(uintptr_t)first, (uintptr_t)second, (uintptr_t)third, 0}};
    checked_call_report_of(&checked, tiles_isa, &report);
    return report;
}

/** All tiles full. */
static const uint8_t *full(void)
{
    static uint8_t configuration[128] = {1}; /* and what a load past its beginning reads */
    for (unsigned tile = 0; tile < TILE_NAMES; tile++) {
        configuration[16 + 2 * tile] = 64;
        configuration[48 + tile] = 16;
    }
    return configuration;
}

static bool refuse_tiles(void)
{
#ifdef SYS_arch_prctl
    return refuse_call(SYS_arch_prctl, EPERM);
#else
    return false;
#endif
}

/** The first test, since whether to emulate is found once: a filter refuses the tiles, as that of a container may. */
TEST(tiles_that_are_refused_are_not_emulated)
{
    enum { EMULATED = 1, NONE = 77 };
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct cpuid_dump dump;
        if (!refuse_tiles() || cpuid_dump_host(&dump) != 0 || tiles_access(&dump) != TILES_REFUSED)
            _exit(NONE);
        _exit(tile_emulator_stands_in(tiles_isa) ? EMULATED : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    skip_if(WEXITSTATUS(status) == NONE, "not on this machine: no tiles, or no filter that refuses them");
    assert_int_equal(WEXITSTATUS(status), 0);
}

TEST(code_goes_on_behind_each_instruction)
{
    require_tiles();
    const uint8_t *code = executable("ldtilecfg [rdi]\n mov eax, 64\n mov r11, rsi\n tileloadd tmm6, [rsi + rax]\n"
                                     "tileloaddt1 tmm7, [r11 + rax + 64*16]\n tilezero tmm0\n"
                                     "tdpbssd tmm0, tmm6, tmm7\n tdpbssd tmm0, tmm6, tmm7\n"
                                     "sub rsp, 64\n sttilecfg [rsp]\n movzx ecx, byte ptr [rsp]\n add rsp, 64\n"
                                     "tilestored [rdx + rax], tmm0\n add [rdx], ecx\n tilerelease\n ret\n");
    static _Alignas(64) int8_t operands[2][16][64];
    static _Alignas(64) int32_t sums[16][16];
    for (unsigned i = 0; i < sizeof operands; i++)
        ((int8_t *)operands)[i] = (int8_t)(i * 37 % 255 - 127);
    struct checked_call_report report = call(code, full(), operands, sums);
    assert_string_equal(call_fault_name(report.fault), call_fault_name(CALL_CLEAN));
    for (unsigned row = 0; row < 16; row++) {
        for (unsigned column = 0; column < 16; column++) {
            int32_t want = row + column ? 0 : 1; /* the palette */
            for (unsigned i = 0; i < 64; i++)
                want += 2 * operands[0][row][i] * operands[1][i / 4][4 * column + i % 4];
            assert_int_equal(sums[row][column], want);
        }
    }
    munmap((void *)(uintptr_t)code, 4096);
}

TEST(tiles_must_be_released)
{
    require_tiles();
    const uint8_t *code = executable("ldtilecfg [rdi]\n tilezero tmm0\n ret\n");
    assert_int_equal(call(code, full(), NULL, NULL).fault, CALL_TILES);
    assert_true(tile_registers_are_released());
    munmap((void *)(uintptr_t)code, 4096);
    code = executable("ldtilecfg [rdi]\n tilezero tmm0\n tilerelease\n ret\n");
    assert_int_equal(call(code, full(), NULL, NULL).fault, CALL_CLEAN);
    munmap((void *)(uintptr_t)code, 4096);
}

/** Rows run into the guard page: the fault is the load's, at its address. */
TEST(a_guard_page_stops_a_load_and_a_store)
{
    require_tiles();
    static const char *const texts[] = {
        "ldtilecfg [rdi]\n mov eax, 64\n tileloadd tmm1, [rsi + rax]\n tilerelease\n ret\n",
        "ldtilecfg [rdi]\n mov eax, 64\n tilestored [rsi + rax], tmm1\n tilerelease\n ret\n"};
    struct memory_guarded buffer;
    assert_int_equal(memory_guarded_reserve(1024, 1, &buffer), 0);
    for (unsigned i = 0; i < 2; i++) {
        const uint8_t *code = executable(texts[i]);
        assert_int_equal(call(code, full(), buffer.bytes, NULL).fault, CALL_CLEAN);
        struct checked_call_report report = call(code, full(), (uint8_t *)buffer.bytes + 64, NULL);
        assert_int_equal(report.fault, CALL_SEGV);
        assert_int_equal(report.signal, SIGSEGV);
        assert_ptr_equal(report.address, (uint8_t *)buffer.bytes + 1024);
        assert_int_equal(report.code - code, 10); /* after ldtilecfg, 5 bytes, and mov, 5 */
        assert_null(tile_emulator_stopped_at());
        assert_true(tile_registers_are_released());
        munmap((void *)(uintptr_t)code, 4096);
    }
    memory_guarded_release(&buffer);
}

TEST(mistakes_are_those_of_the_cpu)
{
    require_tiles();
    static const struct {
        const char *text;
        enum call_fault fault;
        int signal;
        const char *tiles;
    } cases[] = {
        {"tilezero tmm0\n ret\n", CALL_ILLEGAL, SIGILL, "uses tiles that are not configured"},
        {"ldtilecfg [rdi]\n .byte 0xc4, 0xe2, 0x7b, 0x5e, 0xc0\n ret\n", CALL_ILLEGAL, SIGILL,
         "multiplies a tile with itself"},
        {"ldtilecfg [rdi + 16]\n ret\n", CALL_SEGV, SIGSEGV, "loads a configuration that palette 1 does not allow"},
        {"ldtilecfg [rdi]\n .byte 0xc4, 0xe2, 0x7f, 0x5e, 0xd1\n ret\n", CALL_ILLEGAL, SIGILL,
         "is a tile instruction in an undefined encoding"},
        {"ud2\n", CALL_ILLEGAL, SIGILL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint8_t *code = executable(cases[i].text);
        struct checked_call_report report = call(code, full(), NULL, NULL);
        assert_int_equal(report.fault, cases[i].fault);
        assert_int_equal(report.signal, cases[i].signal);
        if (tile_emulator_stands_in(tiles_isa) && cases[i].tiles)
            assert_string_equal(report.tiles, cases[i].tiles);
        else
            assert_null(report.tiles);
        munmap((void *)(uintptr_t)code, 4096);
    }
}

/** No other SIGILL is handled: not that of a call that does not state its ISA, nor that of one without tiles. */
TEST(only_code_of_an_isa_with_tiles_is_emulated)
{
    require_tiles();
    assert_false(tile_emulator_stands_in("avx2"));
    assert_false(tile_emulator_stands_in("reference"));
    assert_false(tile_emulator_stands_in("no such row"));
    skip_if(!tile_emulator_stands_in(tiles_isa), "not on this machine: it has tiles of its own");
    const uint8_t *code = executable("tilerelease\n ret\n");
    struct checked_call_report report;
    struct checked_call checked = {code, {0, 0, 0, 0}};
    assert_int_equal(checked_call(&checked), CALL_ILLEGAL);
    checked_call_report_of(&checked, "avx2", &report);
    assert_int_equal(report.fault, CALL_ILLEGAL);
    checked_call_report_of(&checked, tiles_isa, &report);
    assert_int_equal(report.fault, CALL_CLEAN);
    munmap((void *)(uintptr_t)code, 4096);
}

RUN_TESTS(NULL, NULL)
