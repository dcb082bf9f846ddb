/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/devices/opencl_facts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "platforms/devices/opencl_entries.h"

void opencl_text(const char *said, char *text, size_t size)
{
    static const char cut[] = "...";
    size_t used = 0;
    bool blank = false;
    for (; *said; said++) {
        bool is_blank = *said == ' ' || *said == '\t' || *said == '\n' || *said == '\r';
        if (!is_blank && used + blank + 1 >= size) {
            memcpy(text + size - sizeof cut, cut, sizeof cut);
            return;
        }
        if (!is_blank && blank)
            text[used++] = ' ';
        if (!is_blank)
            text[used++] = *said > ' ' && *said <= '~' ? *said : '?';
        blank = is_blank && used > 0;
    }
    text[used] = '\0';
}

enum opencl_kind opencl_kind_of(uint64_t types)
{
    return types & TYPE_CPU           ? OPENCL_CPU
           : types & TYPE_GPU         ? OPENCL_GPU
           : types & TYPE_ACCELERATOR ? OPENCL_ACCELERATOR
           : types & TYPE_CUSTOM      ? OPENCL_CUSTOM
                                      : OPENCL_UNKNOWN_KIND;
}

const char *opencl_kind_name(enum opencl_kind kind)
{
    static const char *const names[OPENCL_KINDS] = {
        "device of unknown type", "CPU", "GPU", "accelerator", "custom device",
    };
    return names[kind];
}

/** The devices by number and name, as many as there is room for. */
static void list_names(const struct opencl_listing *listing, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t d = 0; d < listing->device_count && length < size; d++)
        length += (size_t)snprintf(text + length, size - length, "%sopencl:%" PRIu32 " (%s)", d ? ", " : "", d,
                                   listing->devices[d].name);
}

/** @return the last that is so named, -1 for none; *found: how many are */
static int find_one(const struct opencl_listing *listing, const char *named, uint32_t *found)
{
    char number[32];
    uint32_t count = 0;
    for (uint32_t d = 0; d < listing->device_count; d++) {
        snprintf(number, sizeof number, "opencl:%" PRIu32, d);
        if (strcmp(named, number) == 0) {
            *found = 1;
            return (int)d;
        }
    }
    int index = -1;
    for (uint32_t d = 0; d < listing->device_count; d++) {
        if (strcasestr(listing->devices[d].name, named)) {
            index = (int)d;
            count++;
        }
    }
    *found = count;
    return index;
}

int opencl_find(const struct opencl_listing *listing, const char *named, char *why, size_t size)
{
    char names[OPENCL_REASON];
    uint32_t found = 0;
    int index = *named ? find_one(listing, named, &found) : -1;
    if (index >= 0 && found == 1)
        return index;
    list_names(listing, names, sizeof names);
    if (listing->device_count == 0)
        snprintf(why, size, "there is no OpenCL device: %s%s%s", listing->cause, listing->remedy[0] ? "; " : "",
                 listing->remedy);
    else if (found > 1)
        snprintf(why, size, "%" PRIu32 " OpenCL devices are named '%s': choose one by its number: %s", found, named,
                 names);
    else
        snprintf(why, size, "no OpenCL device is named '%s': choose one of %s", named, names);
    return -ENODEV;
}

const char *opencl_kind_word(enum opencl_kind kind)
{
    static const char *const words[OPENCL_KINDS] = {NULL, "cpu", "gpu", "accelerator", "custom"};
    return words[kind];
}

enum opencl_answer opencl_has_extension(const char *list, const char *name)
{
    const size_t length = strlen(name);
    if (!list)
        return OPENCL_UNKNOWN;
    while (*list) {
        const size_t word = strcspn(list, " ");
        if (word == length && strncmp(list, name, length) == 0)
            return OPENCL_YES;
        list += word + strspn(list + word, " ");
    }
    return OPENCL_NO;
}

static bool is_text(const char *text, size_t room)
{
    const char *end = memchr(text, '\0', room);
    for (; end && text < end; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return end;
}

static bool is_answer(enum opencl_answer answer)
{
    return (unsigned)answer < OPENCL_ANSWERS;
}

static bool is_device(const struct opencl_device *device, uint32_t platforms)
{
    return device->platform < platforms && (unsigned)device->kind < OPENCL_KINDS &&
           is_text(device->name, OPENCL_TEXT) && is_text(device->driver, OPENCL_TEXT) &&
           is_text(device->version, OPENCL_TEXT) && is_answer(device->local_is_own) && is_answer(device->sub_groups) &&
           is_answer(device->fp16) && is_answer(device->integer_dot_product);
}

bool opencl_is_sound(const struct opencl_listing *listing)
{
    bool sound = is_text(listing->cause, OPENCL_REASON) && is_text(listing->remedy, OPENCL_REASON) &&
                 listing->platform_count <= OPENCL_PLATFORMS && listing->device_count <= OPENCL_DEVICES;
    for (uint32_t p = 0; sound && p < listing->platform_count; p++)
        sound = is_text(listing->platforms[p].name, OPENCL_TEXT) && is_text(listing->platforms[p].version, OPENCL_TEXT);
    for (uint32_t d = 0; sound && d < listing->device_count; d++)
        sound = is_device(&listing->devices[d], listing->platform_count);
    return sound;
}
