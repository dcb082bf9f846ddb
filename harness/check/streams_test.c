/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every read stream reads all of its region and nothing else, whatever its prefetches point at.
 */
#include "harness/check/call/checked_call_testing.h"
#include "harness/check/item_tests.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "micro/stream.h"
#include "platforms/memory/memory.h"

struct region {
    uint8_t *mapping;
    size_t length, page;
};

static struct region reserve(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct region region = {.length = (bytes + page - 1) / page * page, .page = page};
    region.mapping = mmap(NULL, region.length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(region.mapping != MAP_FAILED);
    return region;
}

static void allow(const struct region *region, size_t first, size_t bytes, int protection)
{
    assert_int_equal(mprotect(region->mapping + first, bytes, protection), 0);
}

/** What a stream reads is a multiple of this. */
static size_t unit_of(const struct stream *stream)
{
    return stream->tile_operations ? stream->load_bytes : 256;
}

/** Of tiles a stride is how often all are read. */
static size_t stride_of(const struct stream *stream, size_t stride)
{
    return stream->tile_operations ? 2 : stride;
}

static void read_reporting(const struct stream *stream, const struct stream_variant *variant, const uint8_t *base,
                           size_t bytes, size_t stride, size_t prefetch, struct checked_call_report *report)
{
    struct checked_call call = {(const void *)(uintptr_t)variant->read,
                                {(uintptr_t)base, bytes, stride_of(stream, stride), prefetch}};
    checked_call_report_of(&call, stream->isa, report);
}

static enum call_fault read_with(const struct stream *stream, const struct stream_variant *variant, const uint8_t *base,
                                 size_t bytes, size_t stride, size_t prefetch)
{
    struct checked_call_report report;
    read_reporting(stream, variant, base, bytes, stride, prefetch, &report);
    return report.fault;
}

/** All streams one after another, with a guard page right before the first or right after the last. */
static void adjoining_streams_stay_inside(void **state)
{
    const struct stream *stream = *state;
    require_isa_or_emulator(stream->isa);
    static const size_t sizes[] = {256, 512, 768, 1024, 4096, 4096 + 256, 16384, 65536};
    static const size_t prefetches[] = {0, 64, 512, 4096, 1 << 20, (size_t)1 << 40};
    for (uint32_t v = 0; v < stream->count; v++) {
        for (size_t i = 0; i < COUNT(sizes) * COUNT(prefetches) * 2; i++) {
            const struct stream_variant *variant = &stream->variants[v];
            size_t bytes = sizes[i / 2 % COUNT(sizes)], prefetch = prefetches[i / 2 / COUNT(sizes)];
            if (bytes % unit_of(stream))
                continue;
            struct memory_guarded buffer;
            assert_int_equal(memory_guarded_reserve(bytes * variant->streams, i % 2 != 0, &buffer), 0);
            enum call_fault fault = read_with(stream, variant, buffer.bytes, bytes, bytes, prefetch);
            memory_guarded_release(&buffer);
            if (fault != CALL_CLEAN)
                fail_msg("%u streams of %zu bytes, hint %s %zu ahead: fault %d", variant->streams, bytes,
                         stream_hint_name(variant->hint), prefetch, fault);
        }
    }
}

/** Streams far apart: each is an island that ends at a guard page, or begins after one. */
static void distant_streams_stay_inside(void **state)
{
    const struct stream *stream = *state;
    require_isa_or_emulator(stream->isa);
    for (uint32_t v = 0; v < stream->count; v++) {
        const struct stream_variant *variant = &stream->variants[v];
        struct region region = reserve((2 * variant->streams + 1) * (size_t)sysconf(_SC_PAGESIZE));
        for (uint32_t i = 0; i < variant->streams; i++)
            allow(&region, (2 * i + 1) * region.page, region.page, PROT_READ);
        for (size_t bytes = unit_of(stream); bytes <= region.page; bytes *= 2) {
            const uint8_t *first_page = region.mapping + region.page;
            size_t stride = 2 * region.page;
            assert_int_equal(read_with(stream, variant, first_page, bytes, stride, 512), CALL_CLEAN);
            assert_int_equal(read_with(stream, variant, first_page + region.page - bytes, bytes, stride, 512),
                             CALL_CLEAN);
        }
        munmap(region.mapping, region.length);
    }
}

/**
 * A stream reads its first and its last line: let only that line lie in a page that may not be read, and the call must
 * fault in that page. (A base is aligned to a line, so a region may begin or end anywhere in a page.)
 */
static void both_ends_of_each_stream_are_read(void **state)
{
    const struct stream *stream = *state;
    require_isa_or_emulator(stream->isa);
    enum { LINE = 64 };
    for (uint32_t v = 0; v < stream->count; v++) {
        const struct stream_variant *variant = &stream->variants[v];
        struct region region = reserve((4 * variant->streams + 1) * (size_t)sysconf(_SC_PAGESIZE));
        size_t stride = 4 * region.page, bytes = region.page;
        for (uint32_t i = 0; i < 2 * variant->streams; i++) {
            /* the line alone in page 1 of its stream, its region before or after it */
            int last = i % 2;
            uint8_t *base = last ? region.mapping + LINE : region.mapping + 2 * region.page - LINE;
            size_t closed = i / 2 * stride + region.page;
            allow(&region, 0, region.length, PROT_READ);
            assert_int_equal(read_with(stream, variant, base, bytes, stride, 0), CALL_CLEAN);
            allow(&region, closed, region.page, PROT_NONE);
            struct checked_call_report report;
            read_reporting(stream, variant, base, bytes, stride, 0, &report);
            assert_int_equal(report.fault, CALL_SEGV);
            size_t address = (size_t)((const uint8_t *)report.address - region.mapping);
            assert_in_range(address, closed, closed + region.page - 1);
        }
        munmap(region.mapping, region.length);
    }
}

/** Every page in the middle too. */
static void every_page_is_read(void **state)
{
    const struct stream *stream = *state;
    require_isa_or_emulator(stream->isa);
    enum { PAGES = 5 };
    for (uint32_t v = 0; v < stream->count; v++) {
        const struct stream_variant *variant = &stream->variants[v];
        struct region region = reserve(variant->streams * PAGES * (size_t)sysconf(_SC_PAGESIZE));
        for (size_t page = 0; page < variant->streams * PAGES; page++) {
            allow(&region, 0, region.length, PROT_READ);
            allow(&region, page * region.page, region.page, PROT_NONE);
            assert_int_equal(read_with(stream, variant, region.mapping, PAGES * region.page, PAGES * region.page, 256),
                             CALL_SEGV);
        }
        munmap(region.mapping, region.length);
    }
}

static void facts_are_plausible(void **state)
{
    const struct stream *stream = *state;
    char name[64];
    const bool tiles = stream->tile_operations > 0;
    snprintf(name, sizeof name, "%s.%s", tiles ? "tiles" : "read", stream->isa);
    assert_string_equal(stream->name, name);
    assert_non_null(isa_find(stream->isa));
    assert_true(tiles ? stream->load_bytes == 1024
                      : stream->load_bytes == 16 || stream->load_bytes == 32 || stream->load_bytes == 64);
    /* a product of 16 x 16 sums over the columns of a tile, of one, two or four bytes */
    assert_true(!tiles || stream->tile_operations % (2 * 16 * 16 * 16) == 0);
    assert_true(stream->count > 0);
    for (uint32_t i = 0; i < stream->count; i++) {
        const struct stream_variant *variant = &stream->variants[i];
        assert_in_range(variant->streams, 1, 8);
        assert_true(variant->hint < STREAM_HINTS);
        for (uint32_t j = 0; j < i; j++)
            assert_false(stream->variants[j].streams == variant->streams && stream->variants[j].hint == variant->hint &&
                         stream->variants[j].run_bytes == variant->run_bytes &&
                         stream->variants[j].tiles == variant->tiles);
        assert_true(tiles ? variant->streams == 1 && !variant->hint && variant->run_bytes == stream->load_bytes
                          : !variant->tiles);
    }
}

static void hints_have_names(void **state)
{
    (void)state;
    assert_string_equal(stream_hint_name(STREAM_NO_PREFETCH), "none");
    assert_string_equal(stream_hint_name(STREAM_PREFETCH_T0), "t0");
    assert_string_equal(stream_hint_name(STREAM_PREFETCH_T1), "t1");
    assert_string_equal(stream_hint_name(STREAM_PREFETCH_NTA), "nta");
    assert_string_equal(stream_hint_name(STREAM_HINTS), "unknown");
}

int main(void)
{
    static struct item_tests suite;
    item_tests_add(&suite, "hints", "have names", hints_have_names, NULL);
    for (const struct stream *const *each = stream_all(); *each; each++) {
        const char *name = (*each)->name;
        item_tests_add(&suite, name, "facts are plausible", facts_are_plausible, *each);
        item_tests_add(&suite, name, "adjoining streams stay inside", adjoining_streams_stay_inside, *each);
        item_tests_add(&suite, name, "distant streams stay inside", distant_streams_stay_inside, *each);
        item_tests_add(&suite, name, "both ends of each stream are read", both_ends_of_each_stream_are_read, *each);
        item_tests_add(&suite, name, "every page is read", every_page_is_read, *each);
    }
    return item_tests_run("streams", &suite);
}
