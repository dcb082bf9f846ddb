/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A run is a folder: meta.json (provenance, written once, atomically) and records.jsonl (append-only).
 *
 *     results/runs/<platform>/<run>/meta.json
 *     results/runs/<platform>/<run>/records.jsonl
 *
 * gzip may have packed the records of one that is kept: records.jsonl.gz is read as they are, and nothing is added to it.
 *
 * Each record is appended with one write(2) on an O_APPEND descriptor, so an interrupted run loses at most nothing and
 * a killed one at most its last line, which the reader tolerates and reports.
 *
 * Errors: 0 or negative errno, with one line in why that names the path and the remedy.
 */
/** What meta.json calls the form of the records beside it; a run of another is refused. */
enum { RECORD_SCHEMA = 2 };

struct run; /* being written */

/**
 * Create folder (parents too) and meta.json, which needs a "kneepoint" key (else -EINVAL). -EEXIST if it already holds
 * a run. An unwritable place is refused before anything is made.
 */
int run_create(const char *path, const json_t *meta, struct run **run, char *why, size_t size);

/**
 * The same for <folder>/<name>, or for <name>-2, <name>-3… where that is taken: on a folder that machines share, two
 * may have begun in the same second with the same process number.
 */
int run_create_unique(const char *folder, const char *name, const json_t *meta, struct run **run, char *why,
                      size_t size);

/**
 * Reopen an existing run for appending (resume). A truncated last line is cut off first (moved to
 * records.jsonl.truncated). -EBUSY while another process writes the run.
 */
int run_reopen(const char *path, struct run **run, char *why, size_t size);

/** Append one record, in the process that made or reopened the run, not in a fork of it. -EINVAL if it is not a valid one (record_is_valid); a line that the disk took only half of is taken back. */
int run_append(struct run *run, const json_t *record);

/**
 * What was appended reaches the disk, and is where the run's path says: -ENOENT if its folder was removed or another lies in its
 * place.
 */
int run_commit(const struct run *run, char *why, size_t size);

/** Bytes of its records so far, those of former processes included; 0 if the system does not say. */
uint64_t run_bytes(const struct run *run);

/** Its folder, as given or as run_create_unique chose it; lives as long as the run. */
const char *run_path(const struct run *run);

/** Close and free; every record is written when it is appended. NULL is fine. */
void run_close(struct run *run);

/** A run in memory. */
struct run_records {
    json_t *meta;               /* object */
    json_t *records;            /* array of objects, in order */
    bool truncated;             /* the last line was incomplete and left out */
    size_t bad_lines;           /* lines that are no records or have a wrong field, left out */
    size_t first_bad_line;      /* 1-based, 0 if none */
    char first_bad_reason[320]; /* "time_s.median is \"x\", but must be number" */
};

/** What emulated the machine that a run is of, by its meta.json or else by a record: no time of it is a machine's. "" where it is one. */
const char *run_emulator(const struct run_records *records);

/** Refuse, where runs are held against each other, one that an emulator timed. @return 0, or -EXDEV with one line in why */
int run_needs_machine(const char *path, const struct run_records *records, char *why, size_t size);

/** What of a run could not be read. */
struct run_damage {
    bool empty;       /* there is no record */
    bool truncated;   /* as in struct run_records */
    size_t bad_lines; /* as there */
};

/** All zero for a run that is whole. */
struct run_damage run_damage_of(const struct run_records *records);

/**
 * Read a run folder (or a bare records.jsonl: then meta is an empty object).
 * -ENOENT no such run; -EINVAL not a Kneepoint run: no "kneepoint" key in meta.json, or a bare file whose first line is
 * no record or that holds no whole one; other errno from the system. why names the path, the line and the remedy. On
 * failure records is empty and needs no run_records_free.
 */
int run_read(const char *path, struct run_records *records, char *why, size_t size);
void run_records_free(struct run_records *records);

/** Where a results folder has the runs of a platform: <results>/runs/<platform>. @return 0, -ENAMETOOLONG */
int run_folder(const char *results, const char *platform, char *path, size_t size);

/**
 * Newest run below a results folder (by the name of the run folder, which begins with a UTC timestamp): in
 * runs/<platform>, or in <platform> where the folder of the runs itself is named. A run that an emulator timed is
 * taken only where it is named.
 * @return 0, -ENOENT if there is none, -EXDEV if there are none but emulated ones.
 */
int run_find_newest(const char *results_folder, char *path, size_t size);

/** The newest of those that hold this file, too: "platform.json" of a characterization. */
int run_find_newest_with(const char *results_folder, const char *file, char *path, size_t size);
