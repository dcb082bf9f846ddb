/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/frame/target.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { NAMES_MOST = 8 };

void hold_refusal(const char *why)
{
    hold(why[0] != '\0');
}

/** Write all of it from the beginning, and nothing else is there. */
static void fill(int fd, const void *bytes, size_t length)
{
    hold(ftruncate(fd, 0) == 0 && pwrite(fd, bytes, length, 0) == (ssize_t)length);
}

const char *fuzz_file(const uint8_t *bytes, size_t length)
{
    static char path[FUZZ_PATH];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("kneepoint-fuzz", MFD_CLOEXEC);
        hold(fd >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    fill(fd, bytes, length);
    return path;
}

char *fuzz_text(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);
    hold(text);
    if (length)
        memcpy(text, bytes, length);
    text[length] = '\0';
    return text;
}

static struct {
    char path[128];
    char name[NAMES_MOST][128 + 32];
    size_t names;
} folder;

static void remove_folder(void)
{
    for (size_t i = 0; i < folder.names; i++)
        unlink(folder.name[i]);
    rmdir(folder.path);
}

const char *fuzz_folder(void)
{
    if (!folder.path[0]) {
        const char *below = getenv("TMPDIR");
        snprintf(folder.path, sizeof folder.path, "%.90s/kneepoint_fuzz_XXXXXX", below && *below ? below : "/tmp");
        hold(mkdtemp(folder.path));
        atexit(remove_folder);
    }
    return folder.path;
}

void fuzz_write(const char *name, const void *bytes, size_t length)
{
    char path[sizeof folder.name[0]];
    bool known = false;
    snprintf(path, sizeof path, "%s/%.30s", fuzz_folder(), name);
    for (size_t i = 0; i < folder.names; i++)
        known = known || strcmp(folder.name[i], path) == 0;
    if (!known) {
        hold(folder.names < NAMES_MOST);
        memcpy(folder.name[folder.names++], path, sizeof path);
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    hold(fd >= 0);
    fill(fd, bytes, length);
    close(fd);
}
