/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks to measure with, and guard pages that really fault.
 */
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platforms/memory/memory.h"
#include "unit_test.h"

enum { MIB = 1 << 20 };

/* ---------------------------------------------------------------- blocks */

TEST(a_block_is_aligned_and_long_enough)
{
    static const size_t lengths[] = {0, 1, 4096, 2 * MIB - 1, 2 * MIB, 2 * MIB + 1, 7 * MIB};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct memory_block block;
        assert_int_equal(memory_reserve(lengths[i], &block), 0);
        assert_int_equal((uintptr_t)block.bytes % (2 * MIB), 0);
        assert_int_equal(block.length, lengths[i]);
        assert_true(block.mapped >= lengths[i] && block.mapped % (2 * MIB) == 0);
        if (lengths[i]) {
            block.bytes[0] = 1;
            block.bytes[lengths[i] - 1] = 2;
        }
        assert_non_null(memory_pages_name(block.pages));
        memory_release(&block);
        assert_null(block.bytes);
        memory_release(&block); /* again is harmless */
    }
}

TEST(reserving_touches_nothing)
{
    struct memory_block block;
    struct rusage before, after;
    unsigned char resident[16 * MIB / 4096];
    assert_int_equal(memory_reserve(16 * MIB, &block), 0);
    if (block.pages == MEMORY_HUGETLB) {
        memory_release(&block);
        print_message("# not on this machine: reserved huge pages, of which mincore knows none\n");
        skip();
    }
    assert_int_equal(mincore(block.bytes, 16 * MIB, resident), 0);
    for (size_t i = 0; i < 16 * MIB / (size_t)sysconf(_SC_PAGESIZE); i++)
        assert_int_equal(resident[i] & 1, 0);
    assert_int_equal(getrusage(RUSAGE_THREAD, &before), 0);
    memory_fill_random(&block, 1);
    assert_int_equal(getrusage(RUSAGE_THREAD, &after), 0);
    assert_true(after.ru_minflt > before.ru_minflt);
    assert_int_equal(mincore(block.bytes, 16 * MIB, resident), 0);
    for (size_t i = 0; i < 16 * MIB / (size_t)sysconf(_SC_PAGESIZE); i++)
        assert_int_equal(resident[i] & 1, 1);
    memory_release(&block);
}

/** To any line, from anywhere, any length, and nothing beyond it. */
TEST(what_is_copied_past_the_caches_arrives)
{
    enum { LENGTH = 4096, LINE = 64 };
    static _Alignas(LINE) unsigned char to[LENGTH], from[LENGTH];
    static const size_t lengths[] = {0, 1, 63, 64, 65, 1000, 2048};
    for (size_t i = 0; i < LENGTH; i++)
        from[i] = (unsigned char)(i % 251 + 1);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (size_t begin = 0; begin < 20; begin++) {
            memset(to, 0, LENGTH);
            memory_copy_past_caches(to + begin * LINE, from + begin, lengths[i]);
            assert_memory_equal(to + begin * LINE, from + begin, lengths[i]);
            for (size_t at = 0; at < LENGTH; at++) {
                if (at < begin * LINE || at >= begin * LINE + lengths[i])
                    assert_int_equal(to[at], 0);
            }
        }
    }
}

/** Whatever the system offers: huge pages are what they are compared with. */
TEST(pages_of_the_base_size_can_be_had)
{
    struct memory_block block;
    assert_int_equal(memory_reserve_base(8 * MIB, &block), 0);
    assert_int_equal(block.pages, MEMORY_BASE);
    assert_int_equal(block.length, 8 * MIB);
    assert_int_equal((uintptr_t)block.bytes % (2 * MIB), 0);
    memory_fill_random(&block, 1);
    double huge = memory_huge_fraction(&block);
    assert_true(isnan(huge) || huge == 0);
    memory_release(&block);
    assert_int_equal(memory_reserve_base(SIZE_MAX - 2 * MIB, &block), -ENOMEM);
    memory_release(&block);
}

TEST(too_much_is_refused)
{
    struct memory_block block;
    assert_int_equal(memory_reserve((size_t)1 << 60, &block), -ENOMEM);
    memory_release(&block);
    assert_int_equal(memory_reserve(SIZE_MAX, &block), -ENOMEM);
    memory_release(&block);
    assert_int_equal(memory_reserve(SIZE_MAX - 2 * MIB, &block), -ENOMEM);
    memory_release(&block);
}

static void must_have_no_zero_word(const struct memory_block *block)
{
    const uint64_t *words = (const uint64_t *)(const void *)block->bytes;
    for (size_t i = 0; i < block->mapped / sizeof *words; i++) {
        if (words[i] == 0)
            fail_msg("word %zu is zero", i);
    }
}

/** A generator that begins with seed * 0x9e37...15 + 1 would begin with 0, and stay there, for this one: the constant's
 * inverse modulo 2^64, by Newton's iteration, negated. */
static uint64_t seed_of_state_zero(void)
{
    uint64_t golden = 0x9e3779b97f4a7c15u, inverse = golden;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - golden * inverse;
    assert_true(golden * inverse == 1);
    return (uint64_t)0 - inverse;
}

TEST(random_bytes_are_never_zero_words)
{
    uint64_t seeds[] = {0, 1, 2, UINT64_MAX, seed_of_state_zero()};
    struct memory_block block;
    assert_int_equal(memory_reserve(2 * MIB, &block), 0);
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        memory_fill_random(&block, seeds[i]);
        must_have_no_zero_word(&block);
    }
    memory_release(&block);
}

/** Bits are balanced, a seed repeats, another differs. */
TEST(random_bytes_depend_on_the_seed_alone)
{
    struct memory_block a, b;
    assert_int_equal(memory_reserve(2 * MIB, &a), 0);
    assert_int_equal(memory_reserve(2 * MIB, &b), 0);
    memory_fill_random(&a, 7);
    memory_fill_random(&b, 7);
    assert_memory_equal(a.bytes, b.bytes, 2 * MIB);
    memory_fill_random(&b, 8);
    size_t same = 0, ones = 0;
    for (size_t i = 0; i < 2 * MIB; i++) {
        same += a.bytes[i] == b.bytes[i];
        ones += (size_t)__builtin_popcount(b.bytes[i]);
    }
    assert_true(same < 2 * MIB / 128); /* 1 in 256 by chance */
    assert_true(fabs((double)ones / (16.0 * MIB) - 0.5) < 0.01);
    memory_release(&a);
    memory_release(&b);
}

TEST(the_huge_fraction_is_a_fraction)
{
    struct memory_block block;
    assert_int_equal(memory_reserve(8 * MIB, &block), 0);
    double before = memory_huge_fraction(&block);
    memory_fill_random(&block, 3);
    double after = memory_huge_fraction(&block);
    assert_true(isnan(before) == isnan(after));
    if (!isnan(after)) {
        assert_true(before >= 0 && before <= 1 && after >= 0 && after <= 1);
        assert_true(before == (block.pages == MEMORY_HUGETLB)); /* nothing touched yet */
    }
    memory_release(&block);
}

/** Pages that the kernel was told not to make huge. */
TEST(small_pages_are_not_counted_as_huge)
{
    struct memory_block block;
    assert_int_equal(memory_reserve(8 * MIB, &block), 0);
    if (block.pages == MEMORY_HUGETLB || madvise(block.bytes, block.mapped, MADV_NOHUGEPAGE)) {
        memory_release(&block);
        print_message("# not on this machine: reserved huge pages\n");
        skip();
    }
    memory_fill_random(&block, 4);
    double fraction = memory_huge_fraction(&block);
    assert_true(isnan(fraction) || fraction == 0);
    memory_release(&block);
}

TEST(kinds_of_pages_have_names)
{
    assert_string_equal(memory_pages_name(MEMORY_HUGETLB), "hugetlb");
    assert_string_equal(memory_pages_name(MEMORY_THP), "thp");
    assert_string_equal(memory_pages_name(MEMORY_BASE), "base");
}

/* ---------------------------------------------------------------- guard pages */

enum touch { READ, WRITE };

/** Signal that ends a child which touches this byte; 0 if it lives. */
static int signal_of_touching(volatile unsigned char *byte, enum touch touch)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit none = {0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGSEGV, SIG_DFL);
        if (touch == WRITE)
            *byte = 1;
        else
            (void)*byte;
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(guard_pages_fault)
{
    static const size_t lengths[] = {1, 63, 64, 4095, 4096, 4097, 10000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (int guard_at_end = 0; guard_at_end < 2; guard_at_end++) {
            struct memory_guarded buffer;
            assert_int_equal(memory_guarded_reserve(lengths[i], guard_at_end, &buffer), 0);
            unsigned char *bytes = buffer.bytes;
            assert_int_equal(buffer.length, lengths[i]);
            memset(bytes, 0x11, lengths[i]);
            unsigned char *outside = guard_at_end ? bytes + lengths[i] : bytes - 1;
            assert_int_equal(signal_of_touching(outside, READ), SIGSEGV);
            assert_int_equal(signal_of_touching(outside, WRITE), SIGSEGV);
            assert_int_equal(signal_of_touching(bytes, WRITE), 0);
            assert_int_equal(signal_of_touching(bytes + lengths[i] - 1, WRITE), 0);
            memory_guarded_release(&buffer);
            assert_null(buffer.bytes);
            memory_guarded_release(&buffer);
        }
    }
}

/** A whole number of pages is guarded on both sides at once. */
TEST(whole_pages_are_guarded_on_both_sides)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct memory_guarded buffer;
    assert_int_equal(memory_guarded_reserve(2 * page, 1, &buffer), 0);
    unsigned char *bytes = buffer.bytes;
    assert_int_equal((uintptr_t)bytes % page, 0);
    assert_int_equal(signal_of_touching(bytes - 1, READ), SIGSEGV);
    assert_int_equal(signal_of_touching(bytes + 2 * page, READ), SIGSEGV);
    memory_guarded_release(&buffer);
}

TEST(an_empty_buffer_is_all_guard)
{
    struct memory_guarded buffer;
    assert_int_equal(memory_guarded_reserve(0, 1, &buffer), 0);
    assert_int_equal(signal_of_touching(buffer.bytes, READ), SIGSEGV);
    memory_guarded_release(&buffer);
    assert_int_equal(memory_guarded_reserve((size_t)1 << 60, 1, &buffer), -ENOMEM);
    assert_null(buffer.bytes);
    assert_int_equal(memory_guarded_reserve(SIZE_MAX, 1, &buffer), -ENOMEM);
    assert_null(buffer.bytes);
}

/** Another process takes memory meanwhile: each look finds less. */
struct shrinking {
    uint64_t left;
    unsigned looks;
};

static uint64_t shrink(void *context)
{
    struct shrinking *shrinking = context;
    shrinking->looks++;
    uint64_t left = shrinking->left;
    shrinking->left -= 64 * (uint64_t)MIB;
    return left;
}

TEST(populating_ends_before_there_is_no_memory)
{
    struct memory_block block;
    struct shrinking shrinking = {.left = 256 * (uint64_t)MIB};
    const struct memory_left left = {shrink, &shrinking};
    assert_int_equal(memory_reserve_base(128 * MIB, &block), 0);
    assert_int_equal(memory_populate(&block, 0, 32 * MIB, &left), 0); /* looks at 256 and 192 MiB */
    assert_int_equal(shrinking.looks, 2);
    /* at 128 and 64 MiB it goes on, with 0 it ends: 32 MiB at least are for others */
    assert_int_equal(memory_populate(&block, 32 * MIB, 96 * MIB, &left), -ENOMEM);
    assert_int_equal(shrinking.looks, 5);
    memory_release(&block);
    assert_true(memory_kept(0) == MEMORY_KEPT_LEAST);
    assert_true(memory_kept(UINT64_C(64) << 30) == UINT64_C(4) << 30);
}

/** Whether a block lies within one mapping: kernels before 6.17 move no more than one at once. */
static bool is_one_mapping(const struct memory_block *block)
{
    char line[512];
    uintptr_t begin = 0, end = 0, first = (uintptr_t)block->bytes;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps) && end <= first)
        assert_int_equal(sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end), 2);
    fclose(maps);
    return begin <= first && end >= first + block->mapped;
}

TEST(a_block_grows_on_its_pages)
{
    struct memory_block block = {0};
    assert_int_equal(memory_grow_random(&block, 2 * MIB, 5), 0);
    unsigned char first[4096];
    memcpy(first, block.bytes, sizeof first);
    assert_int_equal(memory_grow_random(&block, 5 * MIB, 5), 0);
    assert_int_equal(block.length, 5 * MIB);
    if (block.pages != MEMORY_HUGETLB)
        assert_memory_equal(block.bytes, first, sizeof first);
    assert_memory_not_equal(block.bytes + 4 * MIB, block.bytes, 4096);
    assert_true(is_one_mapping(&block));
    assert_int_equal(memory_grow_random(&block, 9 * MIB, 5), 0);
    assert_int_equal(block.length, 9 * MIB);
    if (block.pages != MEMORY_HUGETLB)
        assert_memory_equal(block.bytes, first, sizeof first);
    assert_true(is_one_mapping(&block));
    assert_int_equal(memory_grow_random(&block, 1 * MIB, 5), 0); /* never shorter */
    assert_int_equal(block.length, 9 * MIB);
    assert_int_equal(memory_grow_random(&block, (size_t)1 << 60, 5), -ENOMEM);
    assert_null(block.bytes);
}

/** Faults of a child that writes to a heap of the parent's, with or without its own pages. */
static long faults_of_child(unsigned char *const *pieces, size_t count, bool owns)
{
    int ends[2];
    long faults = -1;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct rusage before, after;
        if (owns)
            memory_own_heap();
        getrusage(RUSAGE_THREAD, &before);
        for (size_t i = 0; i < count; i++)
            pieces[i][0]++;
        getrusage(RUSAGE_THREAD, &after);
        faults = after.ru_minflt - before.ru_minflt;
        _exit(write(ends[1], &faults, sizeof faults) != sizeof faults);
    }
    assert_true(child > 0);
    assert_int_equal(read(ends[0], &faults, sizeof faults), sizeof faults);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(ends[0]);
    close(ends[1]);
    return faults;
}

TEST(a_forked_process_has_a_heap_of_its_own)
{
    enum { PIECES = 256, PIECE = 8192 };
    static unsigned char *pieces[PIECES], page[4096] __attribute__((aligned(4096)));
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i] = malloc(PIECE);
        assert_non_null(pieces[i]);
        pieces[i][0] = 1;
    }
    const bool on_heap = mallinfo2().arena >= (size_t)PIECES * PIECE;
    long shared = faults_of_child(pieces, PIECES, false), own = faults_of_child(pieces, PIECES, true);
    for (size_t i = 0; i < PIECES; i++)
        free(pieces[i]);
    skip_if(!on_heap, "not on this machine: another heap than glibc's");
    skip_if(madvise(page, sizeof page, MADV_POPULATE_WRITE) != 0, "not on this machine: before Linux 5.14");
    assert_true(shared >= PIECES / 2); /* a fault may bring in neighbours */
    assert_true(own <= 2);
}

RUN_TESTS(NULL, NULL)
