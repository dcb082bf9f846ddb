/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_DISASSEMBLY_EXECUTE_H
#define MICRO_DISASSEMBLY_EXECUTE_H

#include "micro/disassembly.h"
#include "micro/sequence.h"

/**
 * For tests and while the tool is built: how often each instruction of a function runs, found by following its integers, which is what its loops are
 * counted with. Vectors are not computed. A place in memory is known once an integer has been written to it, as a counter that was spilled. One text for
 * x86-64 and aarch64, which name their registers differently.
 */
enum {
    EXECUTE_MOST = 1 << 20,
    EXECUTE_WORDS = 512,
    EXECUTE_REGISTERS = 51,
    EXECUTE_OPERANDS = sizeof(struct sequence_operands) / sizeof(void *),
    /* numbers of registers: those of x86-64 first, then x0 to x30 of aarch64 */
    EXECUTE_RAX = 0,
    EXECUTE_RCX = 1,
    EXECUTE_RDX = 2,
    EXECUTE_RSP = 4,
    EXECUTE_RSI = 6,
    EXECUTE_RDI = 7,
    EXECUTE_R8 = 8,
    EXECUTE_R11 = 11,
    EXECUTE_X0 = 16,
    EXECUTE_X18 = 34,
    EXECUTE_X30 = 46,
    EXECUTE_SP = 47,
    EXECUTE_ZERO = 48,
    EXECUTE_NONE = 50, /* of vectors, or no register */
};

struct execute_value {
    bool known;
    uint64_t bits;
};

static inline struct execute_value execute_known(uint64_t bits)
{
    return (struct execute_value){true, bits};
}

struct execute_state {
    struct execute_value at[EXECUTE_REGISTERS];
    struct execute_word {
        uint64_t address;
        struct execute_value value;
    } word[EXECUTE_WORDS]; /* known places in memory */
    size_t words;
    /* of the last result; below: the borrow of a subtraction */
    bool flags_known, zero, negative, below, overflow;
};

/* ---- registers ---- */

struct execute_register {
    int number;
    unsigned bits, shift;
};

static inline struct execute_register execute_register_x86_64(const char *name)
{
    if (!strchr("reabcds", *name)) /* of vectors, or no register */
        return (struct execute_register){EXECUTE_NONE, 64, 0};
    static const char *const names[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
    static const char *const low[] = {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"};
    static const char *const high[] = {"ah", "ch", "dh", "bh"};
    if (!*name || !strchr("abcders", *name)) /* most operands are vectors, numbers and memory */
        return (struct execute_register){EXECUTE_NONE, 64, 0};
    for (int i = 0; i < 8; i++) {
        if ((*name == 'r' || *name == 'e') && strcmp(name + 1, names[i]) == 0)
            return (struct execute_register){i, *name == 'r' ? 64 : 32, 0};
        if (strcmp(name, names[i]) == 0)
            return (struct execute_register){i, 16, 0};
        if (strcmp(name, low[i]) == 0 || (i < 4 && strcmp(name, high[i]) == 0))
            return (struct execute_register){i, 8, strcmp(name, low[i]) == 0 ? 0 : 8};
    }
    char *end;
    long number = *name == 'r' ? strtol(name + 1, &end, 10) : 0;
    if (number < 8 || number > 15)
        return (struct execute_register){EXECUTE_NONE, 64, 0};
    return (struct execute_register){(int)number, *end == 'd' ? 32 : *end == 'w' ? 16 : *end == 'b' ? 8 : 64, 0};
}

static inline struct execute_register execute_register(const char *name)
{
    unsigned bits = *name == 'w' ? 32 : 64;
    if (strcmp(name, "sp") == 0)
        return (struct execute_register){EXECUTE_SP, 64, 0};
    if (strcmp(name, "xzr") == 0 || strcmp(name, "wzr") == 0)
        return (struct execute_register){EXECUTE_ZERO, bits, 0};
    if ((*name == 'x' || *name == 'w') && name[1] >= '0' && name[1] <= '9')
        return (struct execute_register){EXECUTE_X0 + atoi(name + 1), bits, 0};
    return execute_register_x86_64(name);
}

static inline uint64_t execute_mask(unsigned bits)
{
    return ~(uint64_t)0 >> (64 - bits);
}

static inline uint64_t execute_extended(uint64_t value, unsigned bits)
{
    return (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits));
}

static inline struct execute_value execute_get(const struct execute_state *state, struct execute_register from)
{
    struct execute_value value = state->at[from.number];
    value.bits = value.bits >> from.shift & execute_mask(from.bits);
    return value;
}

/** Where 8 or 16 bits are written, what the others are stays as known as the register was; a counter has no others. */
static inline void execute_set(struct execute_state *state, struct execute_register to, struct execute_value value)
{
    struct execute_value *at = &state->at[to.number];
    uint64_t mask = execute_mask(to.bits) << to.shift, kept = to.bits < 32 ? at->bits & ~mask : 0;
    if (to.number < EXECUTE_ZERO)
        *at = (struct execute_value){value.known, kept | (value.bits << to.shift & mask)};
}

/* ---- memory ---- */

static inline struct execute_value execute_load(const struct execute_state *state, uint64_t address)
{
    for (size_t i = state->words; i-- > 0;) {
        if (state->word[i].address == address)
            return state->word[i].value;
    }
    return (struct execute_value){false, 0};
}

static inline void execute_store(struct execute_state *state, uint64_t address, struct execute_value value)
{
    size_t i = 0;
    while (i < state->words && state->word[i].address != address)
        i++;
    if (i == state->words && state->words < EXECUTE_WORDS && value.known)
        state->words++;
    if (i < state->words)
        state->word[i] = (struct execute_word){address, value};
}

/* ---- operands ---- */

/** A number, "0x20" or "#32". */
static inline struct execute_value execute_number(const char *text)
{
    char *end;
    text += *text == '#';
    uint64_t bits = *text == '-' ? -strtoull(text + 1, &end, 0) : strtoull(text, &end, 0);
    return (struct execute_value){end > text && !*end, bits};
}

/** One that a shift or an extension follows: "lsl #3", "sxtw", "uxtw #2". */
static inline uint64_t execute_modified(uint64_t value, const char *how)
{
    const char *number = strchr(how, '#');
    value = strncmp(how, "sxtw", 4) == 0 ? execute_extended(value, 32) : value;
    value = strncmp(how, "uxtw", 4) == 0 ? value & execute_mask(32) : value;
    unsigned by = number ? (unsigned)strtoul(number + 1, NULL, 0) & 63 : 0;
    return strncmp(how, "lsr", 3) == 0   ? value >> by
           : strncmp(how, "asr", 3) == 0 ? (uint64_t)((int64_t)value >> by)
                                         : value << by;
}

/** A term of an address: a number, a register, or one times 1, 2, 4 or 8. */
static inline struct execute_value execute_term(const struct execute_state *state, char *term)
{
    char *times = strchr(term, '*');
    uint64_t scale = times ? strtoull(times + 1, NULL, 0) : 1;
    if (times)
        *times = '\0';
    struct execute_register name = execute_register(term);
    struct execute_value value = name.number == EXECUTE_NONE ? execute_number(term) : execute_get(state, name);
    value.bits *= scale;
    return value;
}

/** Of "DWORD PTR [rax+rcx*8-0x20]" or "[x0, w1, sxtw #3]". */
static inline struct execute_value execute_address(const struct execute_state *state, const char *operand)
{
    struct execute_value sum = {true, 0}, value = sum;
    char sign = '+', term[OPERAND_MAX];
    for (const char *at = strchr(operand, '[') + 1; sign && sign != ']'; at++) {
        size_t length = strcspn(at, *at == '#' ? ",]" : "+-,]");
        snprintf(term, sizeof term, "%.*s", (int)length, at);
        bool modifies = strncmp(term, "lsl", 3) == 0 || strncmp(term, "sxtw", 4) == 0 || strncmp(term, "uxtw", 4) == 0;
        uint64_t before = value.bits;
        if (modifies)
            value.bits = execute_modified(before, term) - before; /* the register itself is in the sum */
        else
            value = execute_term(state, term);
        sum.bits += sign == '-' ? -value.bits : value.bits;
        sum.known &= value.known;
        at += length;
        sign = *at;
        at += sign == ',' ? strspn(at + 1, " ") : 0;
    }
    return sum;
}

static inline unsigned execute_bits(const char *operand)
{
    return strncmp(operand, "DWORD", 5) == 0  ? 32
           : strncmp(operand, "WORD", 4) == 0 ? 16
           : strncmp(operand, "BYTE", 4) == 0 ? 8
                                              : 64;
}

/** What an operand is. Not known: of a vector, or memory that was not written. */
static inline struct execute_value execute_operand(const struct execute_state *state, const char *operand)
{
    struct execute_register name = execute_register(operand);
    if (name.number != EXECUTE_NONE)
        return execute_get(state, name);
    if (!operand_is_memory(operand))
        return execute_number(operand);
    struct execute_value at = execute_address(state, operand);
    struct execute_value value = at.known ? execute_load(state, at.bits) : (struct execute_value){false, 0};
    value.bits &= execute_mask(execute_bits(operand));
    return value;
}

static inline void execute_result(struct execute_state *state, const char *operand, struct execute_value value)
{
    if (!operand_is_memory(operand)) {
        execute_set(state, execute_register(operand), value);
        return;
    }
    struct execute_value at = execute_address(state, operand);
    if (at.known)
        execute_store(state, at.bits, value);
}

/* ---- instructions ---- */

enum execute_operation {
    EXECUTE_UNKNOWN,
    EXECUTE_MOVE,
    EXECUTE_ADD,
    EXECUTE_SUB,
    EXECUTE_AND,
    EXECUTE_OR,
    EXECUTE_XOR,
    EXECUTE_LEFT,
    EXECUTE_RIGHT,
    EXECUTE_RIGHT_SIGNED,
    EXECUTE_MULTIPLY,
};

static inline enum execute_operation execute_operation(const char *mnemonic)
{
    static const struct {
        const char *names;
        enum execute_operation is;
    } of[] = {
        {" mov movabs movzx movz ldur uxtb uxth uxtw ", EXECUTE_MOVE},
        {" add adds cmn inc ", EXECUTE_ADD},
        {" sub subs cmp dec neg ", EXECUTE_SUB},
        {" and ands test tst ", EXECUTE_AND},
        {" or orr ", EXECUTE_OR},
        {" xor eor ", EXECUTE_XOR},
        {" shl sal shlx lsl ", EXECUTE_LEFT},
        {" shr shrx lsr ", EXECUTE_RIGHT},
        {" sar sarx asr ", EXECUTE_RIGHT_SIGNED},
        {" imul mul ", EXECUTE_MULTIPLY},
    };
    char name[32];
    if (*mnemonic == 'v') /* of x86-64's vectors, most of a kernel */
        return EXECUTE_UNKNOWN;
    snprintf(name, sizeof name, " %s ", mnemonic);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        if (strstr(of[i].names, name))
            return of[i].is;
    }
    return EXECUTE_UNKNOWN;
}

static inline uint64_t execute_compute(enum execute_operation operation, uint64_t left, uint64_t right, unsigned bits)
{
    unsigned by = (unsigned)right & (bits - 1);
    switch (operation) {
    case EXECUTE_ADD: return left + right;
    case EXECUTE_SUB: return left - right;
    case EXECUTE_AND: return left & right;
    case EXECUTE_OR: return left | right;
    case EXECUTE_XOR: return left ^ right;
    case EXECUTE_LEFT: return left << by;
    case EXECUTE_RIGHT: return left >> by;
    case EXECUTE_RIGHT_SIGNED: return (uint64_t)((int64_t)execute_extended(left, bits) >> by);
    case EXECUTE_MULTIPLY: return left * right;
    default: return right;
    }
}

static inline void execute_flags(struct execute_state *state, enum execute_operation operation, uint64_t left,
                                 uint64_t right, uint64_t result, unsigned bits)
{
    uint64_t sign = (uint64_t)1 << (bits - 1), differ = operation == EXECUTE_SUB ? left ^ right : ~(left ^ right);
    bool adds = operation == EXECUTE_ADD || operation == EXECUTE_SUB;
    state->zero = !(result & execute_mask(bits));
    state->negative = result & sign;
    state->below = operation == EXECUTE_SUB && (left & execute_mask(bits)) < (right & execute_mask(bits));
    state->overflow = adds && differ & (left ^ result) & sign;
}

static inline unsigned execute_width(const char *operand)
{
    return operand_is_memory(operand) ? execute_bits(operand) : execute_register(operand).bits;
}

/** An operation of two: `add rax,rcx` and `add x0, x1, x2, lsl #3`, `neg` and `dec`, which have one less, `cmp`, which has no result. */
static inline void execute_arithmetic(struct execute_state *state, const struct instruction *at,
                                      enum execute_operation operation)
{
    static const char *const one = "1", *const none = "0";
    bool compares =
        mnemonic_is(at, "cmp") || mnemonic_is(at, "cmn") || mnemonic_begins(at, "test") || mnemonic_is(at, "tst");
    bool x86_64 = execute_register(at->operand[0]).number < EXECUTE_X0 || operand_is_memory(at->operand[0]);
    int inputs = compares || (at->operands <= 2 && !mnemonic_is(at, "neg")) ? 0 : 1;
    const char *left = at->operand[inputs], *right = at->operand[inputs + 1];
    if (at->operands == 1)
        right = one, left = at->operand[0];
    if (mnemonic_is(at, "neg"))
        right = at->operand[at->operands - 1], left = none;
    if (operation == EXECUTE_MOVE)
        left = none, right = at->operand[1];
    struct execute_value l = execute_operand(state, left), r = execute_operand(state, right);
    if (right == at->operand[inputs + 1] && at->operands > inputs + 2)
        r.bits = execute_modified(r.bits, at->operand[inputs + 2]);
    unsigned bits = execute_width(at->operand[0]);
    struct execute_value result = {l.known && r.known, execute_compute(operation, l.bits, r.bits, bits)};
    bool same = strcmp(left, right) == 0 && (operation == EXECUTE_XOR || operation == EXECUTE_SUB);
    if (same) /* xor eax,eax */
        result = (struct execute_value){true, 0};
    if (!compares)
        execute_result(state, at->operand[0], result);
    bool shifts = strchr(at->mnemonic, 'x') && operation >= EXECUTE_LEFT; /* shlx */
    bool sets =
        x86_64 ? operation != EXECUTE_MOVE && !shifts : compares || at->mnemonic[strlen(at->mnemonic) - 1] == 's';
    if (sets) {
        state->flags_known = result.known;
        execute_flags(state, operation, l.bits, r.bits, result.bits, bits);
    }
}

/** Whether what a condition of a jump or of a `cmov` says is true. */
static inline bool execute_condition(const struct execute_state *state, const char *name)
{
    static const char *const names[] = {" e eq ",    " ne ",       " l lt ",  " ge ",   " le ",   " g gt ",
                                        " b lo cc ", " ae hs cs ", " be ls ", " a hi ", " s mi ", " ns pl "};
    bool less = state->negative != state->overflow;
    const bool is[] = {state->zero,
                       !state->zero,
                       less,
                       !less,
                       less || state->zero,
                       !(less || state->zero),
                       state->below,
                       !state->below,
                       state->below || state->zero,
                       !(state->below || state->zero),
                       state->negative,
                       !state->negative};
    char word[24];
    snprintf(word, sizeof word, " %.*s ", (int)strcspn(name, " "), name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strstr(names[i], word))
            return is[i];
    }
    return false;
}

/** Writeback of aarch64: "[sp, #-32]!", and "[x0], #16", whose operands are two. */
static inline void execute_writeback(struct execute_state *state, const struct instruction *at)
{
    for (int i = 0; i < at->operands; i++) {
        const char *operand = at->operand[i];
        bool before = operand[strlen(operand) - 1] == '!';
        if (*operand != '[' || !(before || i + 1 < at->operands))
            continue;
        char base[OPERAND_MAX];
        snprintf(base, sizeof base, "%.*s", (int)strcspn(operand + 1, ",]"), operand + 1);
        struct execute_value to = execute_address(state, operand), by = {true, 0};
        if (!before)
            by = execute_operand(state, at->operand[i + 1]);
        execute_set(state, execute_register(base), (struct execute_value){to.known && by.known, to.bits + by.bits});
    }
}

/** str and stp of integers, ldp; others of memory move one. */
static inline void execute_transfer(struct execute_state *state, const struct instruction *at)
{
    bool two = mnemonic_begins(at, "stp") || mnemonic_begins(at, "ldp"), loads = mnemonic_begins(at, "ld");
    struct execute_value place = execute_address(state, at->operand[two ? 2 : 1]);
    for (int i = 0; i <= two; i++) {
        struct execute_register name = execute_register(at->operand[i]);
        uint64_t address = place.bits + (uint64_t)i * name.bits / 8;
        if (loads)
            execute_set(state, name, place.known ? execute_load(state, address) : (struct execute_value){false, 0});
        else if (place.known)
            execute_store(state, address, execute_get(state, name));
    }
}

/** Whether one that is not computed here may change the flags. */
static inline bool execute_sets_flags(const struct instruction *at)
{
    const char *name = at->mnemonic;
    bool vector = *name == 'v', compares = strstr(name, "test") || strstr(name, "comi");
    bool general = execute_register(at->operand[0]).number < EXECUTE_X0;
    return compares || (!vector && (general || strstr(name, "cmp") || strstr(name, "while")));
}

/** All that are no jumps. What is not known here leaves its result unknown. */
static inline void execute_one(struct execute_state *state, const struct instruction *at)
{
    const char *to = at->operand[0];
    if (*at->mnemonic == 'v' && strncmp(to + 1, "mm", 2) == 0 && !execute_sets_flags(at))
        return; /* most of a kernel: to a vector register of x86-64 */
    enum execute_operation operation = execute_operation(at->mnemonic);
    const struct execute_value unknown = {false, 0};
    struct execute_register name = execute_register(to);
    bool transfers = mnemonic_begins(at, "st") || mnemonic_begins(at, "ldp") || mnemonic_begins(at, "ldr");
    if (mnemonic_is(at, "push") || mnemonic_is(at, "pop")) {
        state->at[EXECUTE_RSP].bits += mnemonic_is(at, "push") ? -(uint64_t)8 : 8;
        if (mnemonic_is(at, "pop"))
            execute_set(state, name, unknown);
    } else if (mnemonic_is(at, "lea")) {
        execute_set(state, name, execute_address(state, at->operand[1]));
    } else if (mnemonic_begins(at, "movs") || mnemonic_is(at, "sxtw")) {
        struct execute_value value = execute_operand(state, at->operand[1]);
        value.bits = execute_extended(value.bits, mnemonic_is(at, "sxtw") ? 32 : execute_width(at->operand[1]));
        execute_result(state, to, value);
    } else if (mnemonic_is(at, "movk")) {
        struct execute_value value = execute_get(state, name), part = execute_number(at->operand[1]);
        unsigned by = at->operands > 2 ? (unsigned)strtoul(strchr(at->operand[2], '#') + 1, NULL, 0) : 0;
        value.bits = (value.bits & ~((uint64_t)0xffff << by)) | part.bits << by;
        execute_set(state, name, value);
    } else if (mnemonic_begins(at, "cmov") || mnemonic_begins(at, "set")) {
        bool sets = mnemonic_begins(at, "set"), is = execute_condition(state, at->mnemonic + (sets ? 3 : 4));
        struct execute_value value =
            sets ? (struct execute_value){true, is} : execute_operand(state, at->operand[is ? 1 : 0]);
        value.known &= state->flags_known;
        execute_result(state, to, value);
    } else if (mnemonic_is(at, "csel") || mnemonic_is(at, "cset")) {
        bool selects = mnemonic_is(at, "csel"), is = execute_condition(state, at->operand[selects ? 3 : 1]);
        struct execute_value value =
            selects ? execute_operand(state, at->operand[is ? 1 : 2]) : (struct execute_value){true, is};
        value.known &= state->flags_known;
        execute_set(state, name, value);
    } else if (transfers && name.number != EXECUTE_NONE) {
        execute_transfer(state, at);
    } else if (operation) {
        execute_arithmetic(state, at, operation);
    } else if (*at->mnemonic != 'p' && !mnemonic_begins(at, "nop") && !mnemonic_is(at, "xchg") && at->operands) {
        /* a prefetch writes nothing, and nor does `xchg ax,ax` */
        execute_result(state, to, unknown);
        state->flags_known &= !execute_sets_flags(at);
    }
    execute_writeback(state, at);
}

/**
 * A function is called: registers are unknown that it need not keep, and so is what lies in memory, but for the operands, which are const. It is
 * memset() or memcpy(), by which a compiler zeroes and stores large sums, and returns its first argument.
 */
static inline void execute_call(struct execute_state *state)
{
    static const int x86_64[] = {EXECUTE_RCX, EXECUTE_RDX, EXECUTE_RSI, EXECUTE_RDI};
    state->at[EXECUTE_RAX] = state->at[EXECUTE_RDI];
    for (size_t i = 0; i < sizeof x86_64 / sizeof *x86_64; i++)
        state->at[x86_64[i]].known = false;
    for (int i = EXECUTE_R8; i <= EXECUTE_R11; i++)
        state->at[i].known = false;
    for (int i = EXECUTE_X0 + 1; i <= EXECUTE_X18; i++)
        state->at[i].known = false;
    state->at[EXECUTE_X30].known = false;
    state->flags_known = false;
    state->words = EXECUTE_OPERANDS;
}

/** Index of the instruction that a jump goes to; the end if there is none. */
static inline size_t execute_target(const struct code *code, const struct instruction *jump)
{
    uint64_t to = strtoull(jump->operand[jump->operands - 1], NULL, 16);
    size_t i = 0;
    while (i < code->count && code->at[i].address != to)
        i++;
    return i;
}

/** Whether a jump is taken; *known: whether that follows from what is known. */
static inline bool execute_jump(const struct execute_state *state, const struct instruction *at, bool *known)
{
    *known = true;
    if (mnemonic_is(at, "jmp") || mnemonic_is(at, "b"))
        return true;
    if (*at->mnemonic == 'c' || *at->mnemonic == 't') { /* cbz, cbnz, tbz, tbnz */
        struct execute_value value = execute_operand(state, at->operand[0]);
        uint64_t bit = *at->mnemonic == 't' ? execute_number(at->operand[1]).bits : 64;
        bool set = bit < 64 ? value.bits >> bit & 1 : value.bits != 0;
        *known = value.known;
        return value.known && set == (at->mnemonic[2] == 'n');
    }
    *known = state->flags_known;
    return state->flags_known && execute_condition(state, at->mnemonic + (*at->mnemonic == 'j' ? 1 : 2));
}

static inline bool is_call(const struct instruction *at)
{
    return mnemonic_is(at, "call") || mnemonic_is(at, "bl") || mnemonic_is(at, "blr");
}

/**
 * How often each instruction of a sequence_run (micro/sequence.h) is executed, from the first one to a return or to the end: times[code->count]. Arguments
 * that it has beside, as a loop of gamma that streams as well (micro/frames/gamma.h), are 0.
 * @return whether every jump was known, the loop called nothing, and an end was reached; a jump that is not known is not taken. One iteration does not
 * tell the loop from what surrounds it: with it nothing at all was called. What a function takes that is called beside the loop is not counted.
 */
static inline bool disassembly_execute(const struct code *code, uint64_t iterations, uint32_t *times)
{
    struct execute_state state = {0};
    bool whole = true;
    uint32_t executed = 0;
    state.at[EXECUTE_RSP] = state.at[EXECUTE_SP] = execute_known((uint64_t)1 << 40);
    state.at[EXECUTE_RDI] = state.at[EXECUTE_X0] = execute_known((uint64_t)2 << 40);
    state.at[EXECUTE_RSI] = state.at[EXECUTE_X0 + 1] = execute_known(iterations);
    state.at[EXECUTE_ZERO] = execute_known(0);
    state.at[EXECUTE_RDX] = state.at[EXECUTE_RCX] = state.at[EXECUTE_R8] = execute_known(0);
    for (int i = EXECUTE_X0 + 2; i <= EXECUTE_X0 + 4; i++)
        state.at[i] = execute_known(0);
    for (uint64_t n = 0; n < EXECUTE_OPERANDS; n++)
        execute_store(&state, ((uint64_t)2 << 40) + n * sizeof(void *), execute_known((n + 3) << 40));
    memset(times, 0, code->count * sizeof *times);
    for (size_t i = 0; i < code->count && !mnemonic_is(&code->at[i], "ret"); executed++) {
        const struct instruction *at = &code->at[i];
        bool known = true, taken = is_jump(at) && execute_jump(&state, at, &known);
        if (executed == EXECUTE_MOST)
            return false;
        if (is_call(at))
            execute_call(&state);
        else if (!is_jump(at))
            execute_one(&state, at);
        whole &= known && (!is_call(at) || (iterations > 1 && !times[i]));
        times[i]++;
        i = taken ? execute_target(code, at) : i + 1;
    }
    return whole;
}

/** The instructions between the symbols group_begin and group_end, the first group of a sequence, each as often as it is executed. */
static inline bool disassembly_group(const char *program, const char *object, struct code *code)
{
    uint64_t begin, end;
    struct code text = {0};
    *code = (struct code){0};
    char *symbols = disassembly_symbols(program, object);
    bool whole = disassembly_symbol(symbols, "group_begin", &begin) && disassembly_symbol(symbols, "group_end", &end) &&
                 disassembly_read(program, object, begin, end, &text);
    free(symbols);
    uint32_t *times = calloc(text.count + 1, sizeof *times);
    whole = whole && times && disassembly_execute(&text, 1, times);
    size_t executed = 0;
    for (size_t i = 0; whole && i < text.count; i++)
        executed += times[i];
    code->at = whole ? malloc(executed * sizeof *code->at) : NULL;
    for (size_t i = 0; code->at && i < text.count; i++) {
        for (uint32_t n = 0; n < times[i]; n++)
            code->at[code->count++] = text.at[i];
    }
    free(times);
    free(text.at);
    return code->count > 0;
}

#endif
