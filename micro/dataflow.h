/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_DATAFLOW_H
#define MICRO_DATAFLOW_H

#include "micro/disassembly.h"

/**
 * For tests only: the arithmetic of a piece of vector code, of x86-64 or aarch64, without the names of its registers. Loads,
 * copies, zeros, prefetches and scalar instructions are left out; what remains is an operation and, for each operand, where its
 * value is from.
 */
enum source_kind {
    SOURCE_NONE,        /* an immediate: `name` is its text */
    SOURCE_RESULT,      /* of operation `index` */
    SOURCE_INPUT,       /* from outside: memory, or a register as it was before; `name` tells them apart */
    SOURCE_ACCUMULATOR, /* a register that is added to */
};

struct source {
    enum source_kind kind;
    size_t index;
    char name[OPERAND_MAX];
};

struct operation {
    const char *mnemonic;
    struct source source[OPERANDS_MAX + 1];
    int sources;
};

enum { DATAFLOW_REGISTERS = 32 + 8, OPERATIONS_MAX = 1024 };

struct dataflow {
    struct operation at[OPERATIONS_MAX];
    size_t count;
};

/** Number of a register: 0 … 31 of xmm, ymm and zmm alike, 32 … of k; -1 none. */
static inline int register_of(const char *operand)
{
    const char *number = operand_vector_number(operand);
    if (number)
        return atoi(number);
    return operand[0] == 'k' && operand[1] >= '0' && operand[1] <= '7' ? 32 + operand[1] - '0' : -1;
}

/** Of x86-64, whose vector instructions alone begin so. */
static inline bool is_of_x86(const struct instruction *instruction)
{
    return instruction->mnemonic[0] == 'v';
}

static inline bool is_load_or_copy(const struct instruction *instruction)
{
    if (!is_of_x86(instruction))
        return mnemonic_begins(instruction, "ld") || mnemonic_begins(instruction, "mov");
    return mnemonic_begins(instruction, "vmov") || mnemonic_begins(instruction, "vbroadcast") ||
           mnemonic_begins(instruction, "vpbroadcast");
}

static inline bool is_vector_arithmetic(const struct instruction *instruction)
{
    if (!is_of_x86(instruction))
        return instruction->operands > 0 && operand_is_vector(instruction->operand[0]) &&
               !mnemonic_begins(instruction, "st") && !is_jump(instruction); /* to d490, which no register is */
    return instruction->operands > 0 && !mnemonic_begins(instruction, "vzero");
}

/** Reads its destination, too. */
static inline bool reads_destination(const struct instruction *instruction)
{
    static const char *const names[] = {"vpdp", "vpternlog", "vfmadd", "vfnmadd", "vfmsub", "vpermi2", "vpermt2"};
    static const char *const names_of_aarch64[] = {"sdot", "udot", "usdot", "smmla", "ummla",  "usmmla", "fmla", "fmls",
                                                   "mla",  "mls",  "smlal", "umlal", "sadalp", "uadalp", "ssra", "usra",
                                                   "sli",  "sri",  "bsl",   "bit",   "bif",    "tbx"};
    bool x86 = is_of_x86(instruction);
    const char *const *all = x86 ? names : names_of_aarch64;
    size_t count = x86 ? sizeof names / sizeof *names : sizeof names_of_aarch64 / sizeof *names_of_aarch64;
    for (size_t i = 0; i < count; i++) {
        if (mnemonic_begins(instruction, all[i]))
            return true;
    }
    return false;
}

/**
 * How an instruction of aarch64 sees its registers: ".4s.16b.16b". The lanes are not part of its mnemonic there. An element of a register,
 * "v18.4b[0]", is as good as a register that is loaded with it in every place, and written like the operand before it.
 */
static inline struct source arrangement_of(const struct instruction *instruction)
{
    struct source source = {.kind = SOURCE_NONE};
    char former[OPERAND_MAX] = "";
    for (int i = 0; i < instruction->operands; i++) {
        const char *number = operand_vector_number(instruction->operand[i]);
        if (!number)
            continue;
        if (!strchr(number, '['))
            snprintf(former, sizeof former, "%s", number + strspn(number, "0123456789"));
        size_t length = strlen(source.name);
        snprintf(source.name + length, sizeof source.name - length, "%s", former);
    }
    return source;
}

static inline struct source input_of(const char *name)
{
    struct source source = {.kind = SOURCE_INPUT};
    snprintf(source.name, sizeof source.name, "%s", name);
    return source;
}

static inline struct source accumulator_of(int number)
{
    struct source source = {.kind = SOURCE_ACCUMULATOR};
    snprintf(source.name, sizeof source.name, "register %d", number);
    return source;
}

/** Where the value of an operand is from. `to`: the register that the instruction writes. */
static inline struct source source_of(const char *operand, const struct source *values, int to)
{
    struct source source = {.kind = SOURCE_NONE};
    int number = register_of(operand);
    snprintf(source.name, sizeof source.name, "%s", operand);
    if (operand_is_memory(operand))
        return input_of(operand);
    if (number < 0)
        return source;
    bool untouched = values[number].kind == SOURCE_NONE;
    if (number == to && (untouched || values[number].kind == SOURCE_ACCUMULATOR))
        return accumulator_of(number);
    if (!untouched)
        return values[number];
    snprintf(source.name, sizeof source.name, "register %d", number);
    source.kind = SOURCE_INPUT;
    return source;
}

/** Makes zeros of a register, whatever it held: no core waits for that. */
static inline bool is_zeroing(const struct instruction *instruction)
{
    return mnemonic_begins(instruction, "vpxor") && instruction->operands == 3 &&
           register_of(instruction->operand[1]) >= 0 && strcmp(instruction->operand[1], instruction->operand[2]) == 0;
}

static inline void dataflow_add(struct dataflow *flow, const struct instruction *instruction, struct source *values)
{
    int to = register_of(instruction->operand[0]);
    if (is_load_or_copy(instruction) || is_zeroing(instruction)) {
        char name[OPERAND_MAX];
        struct source value = instruction->operands > 1 ? source_of(instruction->operand[1], values, -1) : input_of("");
        snprintf(name, sizeof name, "load %llx", (unsigned long long)instruction->address);
        if (to >= 0)
            values[to] = instruction_has_memory(instruction) || is_zeroing(instruction) ? input_of(name) : value;
        if (mnemonic_is(instruction, "ldp") && register_of(instruction->operand[1]) >= 0) {
            snprintf(name, sizeof name, "load %llx, second", (unsigned long long)instruction->address);
            values[register_of(instruction->operand[1])] = input_of(name);
        }
        return;
    }
    struct operation *operation = &flow->at[flow->count];
    *operation = (struct operation){.mnemonic = instruction->mnemonic};
    bool accumulates = false;
    for (int i = reads_destination(instruction) ? 0 : 1; i < instruction->operands; i++) {
        struct source source = source_of(instruction->operand[i], values, to);
        accumulates = accumulates || source.kind == SOURCE_ACCUMULATOR;
        operation->source[operation->sources++] = source;
    }
    if (!is_of_x86(instruction))
        operation->source[operation->sources++] = arrangement_of(instruction);
    const char *mask = strstr(instruction->operand[0], "{k");
    if (mask)
        operation->source[operation->sources++] = source_of(mask + 1, values, -1);
    if (to >= 0)
        values[to] = accumulates ? accumulator_of(to) : (struct source){.kind = SOURCE_RESULT, .index = flow->count};
    flow->count += flow->count + 1 < OPERATIONS_MAX;
}

static inline void dataflow_of(const struct code *code, struct dataflow *flow)
{
    struct source values[DATAFLOW_REGISTERS] = {{0}};
    flow->count = 0;
    for (size_t i = 0; i < code->count; i++) {
        if (is_vector_arithmetic(&code->at[i]))
            dataflow_add(flow, &code->at[i], values);
    }
}

/* ---------------------------------------------------------------- parts of a step */

/** Some of the operations of a flow, in their order. */
struct dataflow_part {
    const struct dataflow *flow;
    size_t at[OPERATIONS_MAX], count;
};

static inline size_t root_of(size_t *parent, size_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/** The operations that have results in common with operation `first`, and no others. */
static inline void dataflow_connected(const struct dataflow *flow, size_t first, struct dataflow_part *part)
{
    static size_t parent[OPERATIONS_MAX];
    for (size_t i = 0; i < flow->count; i++)
        parent[i] = i;
    for (size_t i = 0; i < flow->count; i++) {
        for (int s = 0; s < flow->at[i].sources; s++) {
            if (flow->at[i].source[s].kind == SOURCE_RESULT)
                parent[root_of(parent, i)] = root_of(parent, flow->at[i].source[s].index);
        }
    }
    *part = (struct dataflow_part){.flow = flow};
    for (size_t i = 0; i < flow->count; i++) {
        if (root_of(parent, i) == root_of(parent, first))
            part->at[part->count++] = i;
    }
}

static inline void dataflow_slice(const struct dataflow *flow, size_t first, size_t count, struct dataflow_part *part)
{
    *part = (struct dataflow_part){.flow = flow};
    for (size_t i = first; i < first + count && i < flow->count; i++)
        part->at[part->count++] = i;
}

/* ---------------------------------------------------------------- comparison */

/** Which name on one side stands for which on the other. */
struct renaming {
    struct {
        char from[OPERAND_MAX], to[OPERAND_MAX];
    } pair[OPERATIONS_MAX];
    size_t count;
};

static inline bool renamed_alike(struct renaming *renaming, const char *from, const char *to)
{
    for (size_t i = 0; i < renaming->count; i++) {
        if (strcmp(renaming->pair[i].from, from) == 0)
            return strcmp(renaming->pair[i].to, to) == 0;
    }
    if (renaming->count == OPERATIONS_MAX)
        return false;
    snprintf(renaming->pair[renaming->count].from, OPERAND_MAX, "%s", from);
    snprintf(renaming->pair[renaming->count++].to, OPERAND_MAX, "%s", to);
    return true;
}

static inline size_t position_in(const struct dataflow_part *part, size_t index)
{
    for (size_t i = 0; i < part->count; i++) {
        if (part->at[i] == index)
            return i;
    }
    return SIZE_MAX;
}

/**
 * Whether a part of a kernel's step does what a sequence's group does: the same operations in the same order on the
 * same values. What the kernel loads anew each time may stay in one register of the sequence; two accumulators of the
 * sequence may be one of the kernel; not the other way round.
 * @param where  receives the position of the first difference
 */
static inline bool dataflow_same(const struct dataflow_part *kernel, const struct dataflow_part *sequence,
                                 size_t *where)
{
    static struct renaming inputs, accumulators;
    inputs.count = accumulators.count = 0;
    for (*where = 0; *where < kernel->count && *where < sequence->count; ++*where) {
        const struct operation *a = &kernel->flow->at[kernel->at[*where]];
        const struct operation *b = &sequence->flow->at[sequence->at[*where]];
        bool same = strcmp(a->mnemonic, b->mnemonic) == 0 && a->sources == b->sources;
        for (int s = 0; same && s < a->sources; s++) {
            const struct source *from = &a->source[s], *to = &b->source[s];
            same = from->kind == to->kind;
            if (same && from->kind == SOURCE_NONE)
                same = strcmp(from->name, to->name) == 0;
            if (same && from->kind == SOURCE_RESULT)
                same = position_in(kernel, from->index) == position_in(sequence, to->index);
            if (same && from->kind == SOURCE_INPUT && strchr(from->name, '[') == NULL)
                same = renamed_alike(&inputs, from->name, to->name);
            if (same && from->kind == SOURCE_ACCUMULATOR)
                same = renamed_alike(&accumulators, to->name, from->name);
        }
        if (!same)
            return false;
    }
    return kernel->count == sequence->count;
}

#endif
