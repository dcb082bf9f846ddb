/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/model_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/text/refuse.h"

/* ---- one file ---- */

static int map(struct model_shard *shard, int descriptor, char *why, size_t size)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return refuse(-errno, why, size, "%s: %s", shard->path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return refuse(-EINVAL, why, size, "%s: is not a regular file; name a GGUF file", shard->path);
    shard->length = (size_t)status.st_size;
    if (shard->length == 0)
        return refuse(-EINVAL, why, size, "%s: header, magic at byte 0: the file is empty", shard->path);
    void *bytes = mmap(NULL, shard->length, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes == MAP_FAILED)
        return refuse(-errno, why, size, "%s: cannot be mapped: %s", shard->path, strerror(errno));
    shard->bytes = bytes;
    return 0;
}

static int open_shard(struct model_shard *shard, char *why, size_t size)
{
    char what[512];
    int descriptor = open(shard->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return refuse(-errno, why, size, "%s: %s", shard->path, strerror(errno));
    int error = map(shard, descriptor, why, size);
    close(descriptor);
    if (error)
        return error;
    error = gguf_parse(shard->bytes, shard->length, &shard->gguf, what, sizeof what);
    return error ? refuse(error, why, size, "%s: %s", shard->path, what) : 0;
}

/* ---- shards ---- */

enum { SUFFIX = 20 }; /* "-00001-of-00003.gguf" */

/** The numbers of a name that ends like a shard's; false: it does not. */
static bool shard_of(const char *path, unsigned *number, unsigned *count)
{
    size_t length = strlen(path);
    const char *suffix = path + length - SUFFIX;
    if (length <= SUFFIX || suffix[0] != '-' || strncmp(suffix + 6, "-of-", 4) != 0 ||
        strcmp(suffix + 15, ".gguf") != 0)
        return false;
    for (int i = 0; i < 5; i++) {
        if (!isdigit((unsigned char)suffix[1 + i]) || !isdigit((unsigned char)suffix[10 + i]))
            return false;
    }
    *number = (unsigned)strtoul(suffix + 1, NULL, 10);
    *count = (unsigned)strtoul(suffix + 10, NULL, 10);
    return true;
}

/** The file says itself which of how many it is; one that is whole may say nothing. */
static int check_shard(const struct model_shard *shard, unsigned number, unsigned count, char *why, size_t size)
{
    uint64_t says_number = 0, says_count = 0;
    const struct gguf_value *counts = gguf_find(&shard->gguf, "split.count");
    if (counts && !gguf_integer(counts, 0, &says_count))
        return refuse(-EINVAL, why, size, "%s: metadata key 'split.count' is no number", shard->path);
    if (!counts && count == 1)
        return 0;
    if (says_count != count && count == 1)
        return refuse(-EINVAL, why, size,
                      "%s: is one of %" PRIu64 " shards, which are only found where they are named "
                      "NAME-00001-of-%05" PRIu64 ".gguf",
                      shard->path, says_count, says_count);
    if (says_count != count)
        return refuse(-EINVAL, why, size,
                      "%s: is named one of %u shards, and its metadata key 'split.count' says %" PRIu64, shard->path,
                      count, says_count);
    if (!gguf_integer(gguf_find(&shard->gguf, "split.no"), 0, &says_number) || says_number != number - 1)
        return refuse(-EINVAL, why, size, "%s: is named shard %u, and its metadata key 'split.no' is not %u",
                      shard->path, number, number - 1);
    return 0;
}

static int open_shards(struct model_file *file, const char *path, unsigned count, char *why, size_t size)
{
    for (unsigned i = 0; i < count; i++) {
        struct model_shard *shard = &file->shards[i];
        shard->path = strdup(path);
        if (!shard->path)
            return refuse(-ENOMEM, why, size, "%s: no memory", path);
        if (count > 1) { /* the five digits and their end, which is put back */
            snprintf(shard->path + strlen(path) - SUFFIX + 1, 6, "%05u", (i + 1) % 100000);
            shard->path[strlen(path) - SUFFIX + 6] = '-';
        }
        file->shard_count = i + 1;
        int error = open_shard(shard, why, size);
        if (!error)
            error = check_shard(shard, i + 1, count, why, size);
        if (error)
            return error;
    }
    return 0;
}

/* ---- tensors of all shards ---- */

static int compare_names(const void *a, const void *b)
{
    const struct gguf_text *first = &((const struct model_tensor *)a)->tensor->name;
    const struct gguf_text *second = &((const struct model_tensor *)b)->tensor->name;
    int order = memcmp(first->at, second->at, first->length < second->length ? first->length : second->length);
    return order ? order : (first->length > second->length) - (first->length < second->length);
}

/** No two of the same name; of one file that is known. */
static int check_names(const struct model_file *file, char *why, size_t size)
{
    struct model_tensor *sorted = calloc(file->tensor_count + 1, sizeof *sorted);
    if (!sorted)
        return refuse(-ENOMEM, why, size, "%s: no memory", file->shards[0].path);
    memcpy(sorted, file->tensors, file->tensor_count * sizeof *sorted);
    if (file->tensor_count)
        qsort(sorted, file->tensor_count, sizeof *sorted, compare_names);
    int error = 0;
    for (size_t i = 1; !error && i < file->tensor_count; i++) {
        const struct gguf_text *name = &sorted[i].tensor->name;
        if (compare_names(&sorted[i - 1], &sorted[i]) == 0)
            error = refuse(-EINVAL, why, size, "%s: two of its shards have a tensor '%.*s'", file->shards[0].path,
                           (int)name->length, name->at);
    }
    free(sorted);
    return error;
}

static int list_tensors(struct model_file *file, char *why, size_t size)
{
    uint64_t stated;
    size_t count = 0;
    for (size_t i = 0; i < file->shard_count; i++)
        count += file->shards[i].gguf.tensor_count;
    file->tensors = calloc(count + 1, sizeof *file->tensors);
    if (!file->tensors)
        return refuse(-ENOMEM, why, size, "%s: no memory", file->shards[0].path);
    for (size_t i = 0; i < file->shard_count; i++) {
        const struct model_shard *shard = &file->shards[i];
        file->bytes += shard->length;
        for (size_t j = 0; j < shard->gguf.tensor_count; j++) {
            const struct gguf_tensor *tensor = &shard->gguf.tensors[j];
            file->tensors[file->tensor_count++] = (struct model_tensor){tensor, shard->bytes + tensor->offset};
        }
    }
    if (file->shard_count == 1)
        return 0;
    if (gguf_integer(gguf_find(&file->shards[0].gguf, "split.tensors.count"), 0, &stated) && stated != count)
        return refuse(-EINVAL, why, size,
                      "%s: metadata key 'split.tensors.count' says %" PRIu64 " tensors, and the shards have %zu",
                      file->shards[0].path, stated, count);
    return check_names(file, why, size);
}

/* ---- the model ---- */

int model_file_open(const char *path, struct model_file *file, char *why, size_t size)
{
    unsigned number = 1, count = 1;
    *file = (struct model_file){0};
    if (shard_of(path, &number, &count) && (number < 1 || number > count))
        return refuse(-EINVAL, why, size, "%s: is named shard %u of %u", path, number, count);
    file->shards = calloc(count, sizeof *file->shards);
    int error =
        file->shards ? open_shards(file, path, count, why, size) : refuse(-ENOMEM, why, size, "%s: no memory", path);
    if (!error)
        error = list_tensors(file, why, size);
    if (error)
        model_file_close(file);
    return error;
}

void model_file_close(struct model_file *file)
{
    for (size_t i = 0; i < file->shard_count; i++) {
        struct model_shard *shard = &file->shards[i];
        gguf_free(&shard->gguf);
        if (shard->bytes)
            munmap((void *)(uintptr_t)shard->bytes, shard->length);
        free(shard->path);
    }
    free(file->shards);
    free(file->tensors);
    *file = (struct model_file){0};
}
