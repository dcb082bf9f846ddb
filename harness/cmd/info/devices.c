/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/info/info_command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/console/table.h"
#include "platforms/devices/opencl.h"
#include "results/files/need.h"
#include "results/records/record.h"

enum { NAME_COLUMNS = 12, LINE = 512 };

static struct opencl_listing *look(void)
{
    struct opencl_listing *listing = need(1, sizeof *listing);
    struct opencl_source source;
    if (!listing)
        return NULL;
    opencl_source_host(&source);
    opencl_list(&source, listing);
    return listing;
}

static const char *or_unknown(const char *text)
{
    return text[0] ? text : "unknown";
}

static const char *answer_name(enum opencl_answer answer)
{
    return answer == OPENCL_YES ? "yes" : answer == OPENCL_NO ? "no" : "unknown";
}

/** "16 GiB" or "unknown". */
static const char *size_text(uint64_t bytes, char text[32])
{
    if (bytes)
        return info_bytes(bytes, text, 32);
    return "unknown";
}

/** "OpenCL 3.0" of "OpenCL 3.0 PoCL HSTR: ...": the vendor's own words are in the record. */
static int version_length(const char *version)
{
    const char *end = strchr(version, ' ');
    end = end ? strchr(end + 1, ' ') : NULL;
    return (int)(end ? end - version : (long)strlen(version));
}

/** "sub-groups of 8, 16, 32", "sub-groups no". */
static void sub_groups_text(const struct opencl_device *device, char text[LINE])
{
    size_t length = (size_t)snprintf(text, LINE, "sub-groups ");
    if (!device->sub_group_sizes[0])
        snprintf(text + length, LINE - length, "%s", answer_name(device->sub_groups));
    for (size_t i = 0; i < OPENCL_SUB_GROUPS && device->sub_group_sizes[i]; i++)
        length +=
            (size_t)snprintf(text + length, LINE - length, "%s%" PRIu32, i ? ", " : "of ", device->sub_group_sizes[i]);
}

/** Compute units, clock and memory. */
static void print_sizes(const struct opencl_device *device)
{
    char line[LINE], units[48] = "unknown number of", clock[32] = "unknown clock", memory[32], buffer[32], local[32];
    if (device->compute_units)
        snprintf(units, sizeof units, "%" PRIu32, device->compute_units);
    if (device->clock_mhz)
        snprintf(clock, sizeof clock, "up to %.2f GHz", 1e-3 * device->clock_mhz);
    snprintf(line, sizeof line, "%s compute unit%s, %s; memory %s, largest buffer %s; local memory %s%s", units,
             device->compute_units == 1 ? "" : "s", clock, size_text(device->memory_bytes, memory),
             size_text(device->buffer_bytes, buffer), size_text(device->local_bytes, local),
             device->local_is_own == OPENCL_NO ? " in global memory" : "");
    info_print_behind(NAME_COLUMNS, line);
}

/** What low-bit kernels could use, and how well they could be timed. */
static void print_abilities(const struct opencl_device *device)
{
    char line[2 * LINE], sub_groups[LINE], timer[32] = "unknown";
    sub_groups_text(device, sub_groups);
    if (device->timer_ns)
        snprintf(timer, sizeof timer, "%" PRIu64 " ns", device->timer_ns);
    snprintf(line, sizeof line, "%s; fp16 %s; integer dot product %s; timer resolution %s", sub_groups,
             answer_name(device->fp16), answer_name(device->integer_dot_product), timer);
    info_print_behind(NAME_COLUMNS, line);
}

static void print_device(const struct opencl_listing *listing, uint32_t index)
{
    const struct opencl_device *device = &listing->devices[index];
    char line[LINE], name[32];
    snprintf(name, sizeof name, "opencl:%" PRIu32, index);
    printf("  %-*s", NAME_COLUMNS - 2, name);
    snprintf(line, sizeof line, "%s: %s", opencl_kind_name(device->kind), or_unknown(device->name));
    console_print_hanging(NAME_COLUMNS, line);
    if (device->kind == OPENCL_CPU)
        info_print_behind(NAME_COLUMNS, "the cores above, through OpenCL: not a GPU");
    snprintf(line, sizeof line, "%.*s by %s, driver %s", version_length(device->version), or_unknown(device->version),
             or_unknown(listing->platforms[device->platform].name), or_unknown(device->driver));
    info_print_behind(NAME_COLUMNS, line);
    print_sizes(device);
    print_abilities(device);
}

/** Why a platform lists no device; false where it does. */
static bool platform_cause(const struct opencl_platform *platform, char text[LINE])
{
    if (platform->error)
        snprintf(text, LINE, "cannot list its devices: OpenCL error %" PRId32, platform->error);
    else if (platform->devices == 0)
        snprintf(text, LINE, "has no device");
    return platform->error || platform->devices == 0;
}

static void print_devices(const struct machine *machine)
{
    (void)machine;
    char cause[LINE], line[2 * LINE];
    info_heading("OpenCL devices (as their drivers describe them; nothing runs on them unasked)");
    struct opencl_listing *listing = look();
    if (!listing) {
        puts("  not shown: no memory");
        return;
    }
    for (uint32_t d = 0; d < listing->device_count; d++)
        print_device(listing, d);
    for (uint32_t p = 0; p < listing->platform_count; p++) {
        if (!platform_cause(&listing->platforms[p], cause))
            continue;
        snprintf(line, sizeof line, "%s %s", or_unknown(listing->platforms[p].name), cause);
        info_print_behind(2, line);
    }
    if (listing->unlisted)
        printf("  %" PRIu32 " more not listed\n", listing->unlisted);
    snprintf(line, sizeof line, "none: %s", listing->cause);
    if (listing->cause[0])
        info_print_behind(2, line);
    if (listing->remedy[0])
        info_print_behind(4, listing->remedy);
    free(listing);
}

static json_t *number_or_null(uint64_t number)
{
    return number ? json_integer(number > INT64_MAX ? INT64_MAX : (json_int_t)number) : json_null();
}

static json_t *answer_or_null(enum opencl_answer answer)
{
    return answer == OPENCL_UNKNOWN ? json_null() : json_boolean(answer == OPENCL_YES);
}

/** null: there are some, of unknown sizes, or it is not known whether there are. */
static json_t *sub_groups_json(const struct opencl_device *device)
{
    if (!device->sub_group_sizes[0] && device->sub_groups != OPENCL_NO)
        return json_null();
    json_t *sizes = json_array();
    for (size_t i = 0; i < OPENCL_SUB_GROUPS && device->sub_group_sizes[i]; i++) {
        if (json_array_append_new(sizes, json_integer(device->sub_group_sizes[i])) != 0) {
            json_decref(sizes);
            return NULL;
        }
    }
    return sizes;
}

static json_t *device_record(const struct opencl_listing *listing, uint32_t index)
{
    const struct opencl_device *device = &listing->devices[index];
    char name[32];
    snprintf(name, sizeof name, "opencl:%" PRIu32, index);
    return json_pack(
        "{s:s, s:s, s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "type", "device",
        "name", name, "kind", opencl_kind_word(device->kind), "platform",
        record_text_or_null(listing->platforms[device->platform].name), "title", record_text_or_null(device->name),
        "driver", record_text_or_null(device->driver), "version", record_text_or_null(device->version), "compute_units",
        number_or_null(device->compute_units), "clock_hz", number_or_null(UINT64_C(1000000) * device->clock_mhz),
        "memory_bytes", number_or_null(device->memory_bytes), "buffer_bytes", number_or_null(device->buffer_bytes),
        "local_bytes", number_or_null(device->local_bytes), "local_is_own", answer_or_null(device->local_is_own),
        "sub_group_sizes", sub_groups_json(device), "fp16", answer_or_null(device->fp16), "integer_dot_product",
        answer_or_null(device->integer_dot_product), "timer_ns", number_or_null(device->timer_ns));
}

static json_t *platforms_json(const struct opencl_listing *listing)
{
    json_t *platforms = json_array();
    for (uint32_t p = 0; p < listing->platform_count; p++) {
        const struct opencl_platform *platform = &listing->platforms[p];
        char cause[LINE] = "";
        platform_cause(platform, cause);
        json_t *one = json_pack("{s:o, s:o, s:i, s:o}", "name", record_text_or_null(platform->name), "version",
                                record_text_or_null(platform->version), "devices", (int)platform->devices, "cause",
                                record_text_or_null(cause));
        if (!one || json_array_append_new(platforms, one) != 0) {
            json_decref(platforms);
            return NULL;
        }
    }
    return platforms;
}

static int write_record(json_t *record)
{
    int error = record ? record_write_line(stdout, record) : -ENOMEM;
    json_decref(record);
    return error;
}

static int record_devices(const struct machine *machine)
{
    (void)machine;
    struct opencl_listing *listing = look();
    if (!listing)
        return -ENOMEM;
    int error = write_record(
        json_pack("{s:s, s:s, s:i, s:i, s:o, s:o, s:o}", "type", "devices", "name", "opencl", "devices",
                  (int)listing->device_count, "unlisted", (int)listing->unlisted, "platforms", platforms_json(listing),
                  "cause", record_text_or_null(listing->cause), "remedy", record_text_or_null(listing->remedy)));
    for (uint32_t d = 0; d < listing->device_count && error == 0; d++)
        error = write_record(device_record(listing, d));
    free(listing);
    return error;
}

const struct info_section info_devices = {print_devices, record_devices};
