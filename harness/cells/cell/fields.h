/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>

#include "harness/cells/cell/summary.h"

/** Fields of the records of cells that kinds have in common. Field names are an interface. */

/** The value is taken over. */
void field_set(json_t *record, const char *field, json_t *value);

/** Null where it is not finite. */
void field_set_number(json_t *record, const char *field, double value);

/** Why a field is null, in <field>_reason. */
void field_set_reason(json_t *record, const char *field, const char *why);

/** A number, or null where it is not finite and, in <field>_reason, why; NULL: no reason is given. */
void field_set_number_or_why(json_t *record, const char *field, double value, const char *why);

/** A summarized quantity; null, with the reason in <field>_reason, where no sample was taken. */
void field_set_quantity(json_t *record, const char *field, struct graded quantity, const char *unit);

/** The same with its halves, of a quantity by which cells are chosen. */
void field_set_competing(json_t *record, const char *field, struct graded quantity, const char *unit);

/** "cpus" of a team. New reference. */
json_t *field_cpus(const struct session *session, unsigned threads);

/** A list of names between commas. New reference. */
json_t *field_names(const char *list);

/** {"irq":0,"timer":1,…}; null where this kernel cannot tell. New reference. */
json_t *field_entries(const struct os_entry_counts *counts);

/** Label of the stream of that session_stream_id, the roof of this level and team or any other; null: unknown here. */
json_t *field_roof_stream(const struct session *session, const char *level, unsigned threads, unsigned id);

/**
 * What the kernel of a cell takes and gives, and how far the results are from the definition; a cell that is further than
 * its kernel may be has no record.
 */
void field_set_correctness(json_t *record, const struct cell *cell);

/** Samples that were kept although interrupted, or why that cannot be told here. */
void field_set_interrupted(json_t *record, const struct cell *cell);

/**
 * "kept_though_switched", how many of these samples were kept although a member was switched out, and "off_core", the largest
 * share of such a sample that it was on no core: their times are up to that much too long. 0 where there are none.
 */
void field_set_switched(json_t *record, const struct sample *samples, size_t count);

/** "instructions_per_cycle" where hardware counted them. */
void field_set_instructions(json_t *record, const struct cell *cell);

/**
 * What entered the operating system inside the timed regions of a cell, rejected samples too, where --prove counted it.
 */
void field_set_proof(json_t *record, const struct cell *cell);

/** What counters say of a cell that reads memory, beside its times: instructions, misses and the proof. */
void field_set_counters(json_t *record, const struct cell *cell);
