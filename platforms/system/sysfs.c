/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/system/sysfs.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_below(const char *root, const char *path)
{
    char full[PATH_MAX];
    int length = snprintf(full, sizeof full, "%s%s", root, path);
    if (length < 0 || (size_t)length >= sizeof full) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    return fopen(full, "re");
}

static void copy_trimmed(char *text, size_t size, const char *line)
{
    while (isspace((unsigned char)*line))
        line++;
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    if (length >= size)
        length = size - 1;
    memcpy(text, line, length);
    text[length] = '\0';
}

int sysfs_read_text(const char *root, const char *path, char *text, size_t size)
{
    text[0] = '\0';
    FILE *file = open_below(root, path);
    if (!file)
        return -errno;
    char *line = NULL;
    size_t capacity = 0;
    int error = 0;
    errno = 0;
    if (getline(&line, &capacity, file) >= 0)
        copy_trimmed(text, size, line);
    else if (ferror(file))
        error = errno ? -errno : -EIO;
    free(line);
    fclose(file);
    return error;
}

int sysfs_read_long(const char *root, const char *path, long *value)
{
    char text[64];
    int error = sysfs_read_text(root, path, text, sizeof text);
    if (error != 0)
        return error;
    char *end;
    errno = 0;
    long read = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0')
        return -EINVAL;
    *value = read;
    return 0;
}

/** What follows "key" and its separator, or NULL if the line has another key. */
static const char *value_after(const char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0)
        return NULL;
    const char *rest = line + length;
    if (*rest != ':' && *rest != '=' && !isspace((unsigned char)*rest))
        return NULL;
    while (isspace((unsigned char)*rest))
        rest++;
    return *rest == ':' || *rest == '=' ? rest + 1 : rest;
}

int sysfs_read_field(const char *root, const char *path, const char *key, char *text, size_t size)
{
    text[0] = '\0';
    FILE *file = open_below(root, path);
    if (!file)
        return -errno;
    char *line = NULL;
    size_t capacity = 0;
    const char *value = NULL;
    while (!value && getline(&line, &capacity, file) >= 0)
        value = value_after(line, key);
    if (value)
        copy_trimmed(text, size, value);
    free(line);
    fclose(file);
    return value ? 0 : -ENODATA;
}

int sysfs_read_field_u64(const char *root, const char *path, const char *key, uint64_t *value)
{
    char text[64];
    int error = sysfs_read_field(root, path, key, text, sizeof text);
    if (error != 0)
        return error;
    if (!isdigit((unsigned char)text[0]))
        return -EINVAL;
    errno = 0;
    unsigned long long read = strtoull(text, NULL, 10);
    if (errno != 0)
        return -EINVAL;
    *value = read;
    return 0;
}
