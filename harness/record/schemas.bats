#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# The schemas in the eyes of another validator, so that "JSON Schema" means what it means elsewhere. results/schema is
# what the tool itself uses; this needs python3-jsonschema (Debian) and is skipped without it.

load ../cmd/comparing

setup() {
    cd "$BATS_TEST_DIRNAME/../.."
    python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null || skip "not on this machine: no python3-jsonschema"
}

judge() {
    python3 -W ignore - "$@"
}

@test "schemas: both are valid JSON Schema, draft 2020-12" {
    judge <<'PYTHON'
import json
from jsonschema import Draft202012Validator
for path in "platforms/platform.schema.json", "results/record.schema.json":
    Draft202012Validator.check_schema(json.load(open(path)))
PYTHON
}

@test "schemas: another validator judges the platform fixtures as the loader does" {
    judge <<'PYTHON'
import json
from jsonschema import Draft202012Validator
validator = Draft202012Validator(json.load(open("platforms/platform.schema.json")))
for line in open("platforms/fixtures/described/accepted.jsonl"):
    assert validator.is_valid(json.loads(line)["file"]), line
for line in open("platforms/fixtures/described/refused.jsonl"):
    fixture = json.loads(line)
    assert validator.is_valid(fixture["file"]) == (fixture.get("schema") == "accepts"), line
PYTHON
}

@test "schemas: another validator accepts the platform files and records here, and refuses damaged ones" {
    judge <<'PYTHON'
import glob, json
from jsonschema import Draft202012Validator
platform = Draft202012Validator(json.load(open("platforms/platform.schema.json")))
for path in glob.glob("platforms/known/*.json") + ["results/fixtures/run/platform.json"]:
    platform.validate(json.load(open(path)))
schema = json.load(open("results/record.schema.json"))
record = Draft202012Validator(schema)
seen = {}
for path in ["reports/fixtures/run/records.jsonl", "results/fixtures/run/records.jsonl"]:
    for line in open(path):
        kind = json.loads(line)["type"]
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] > 12:  # of a kind; a slow validator need not see them all
            continue
        whole = json.loads(line)
        record.validate(whole)
        for field in schema["$defs"].get("record_" + kind, {}).get("properties", {}):
            if field in whole:
                damage = {} if isinstance(whole[field], (str, int, float, list)) else []
                assert not record.is_valid({**whole, field: damage}), (kind, field)
assert len(seen) > 8
PYTHON
}

@test "schemas: what the commands print fits the schema of records" {
    KNEEPOINT=${KNEEPOINT:-$BATS_TEST_DIRNAME/../../build/kneepoint-steady}
    cd "$BATS_TEST_TMPDIR"
    "$KNEEPOINT" info --json >out
    for list in sequences kernels shapes platforms figures; do
        "$KNEEPOINT" list $list --json >>out
    done
    "$KNEEPOINT" predict --json --shape=64x64 >>out
    "$KNEEPOINT" papers --json >>out
    "$KNEEPOINT" model --type=q4_k_m llama3-8b --json >>out
    "$KNEEPOINT" gamma --json --samples=2 --accumulators=4 int8_vnni4 int1_planes >>out || true # where one can run
    stored_run base
    stored_run head slow=1.2 seed=2 flags=-O3
    "$KNEEPOINT" compare base head --json >>out || [ $? -eq 4 ] # told apart, and judged nevertheless
    "$KNEEPOINT" compare base head --allow=flags --json >>out || [ $? -eq 3 ] # unconfirmed
    "$KNEEPOINT" baseline save main base --json >>out
    "$KNEEPOINT" baseline list --json >>out
    "$KNEEPOINT" baseline show main --json >>out
    cd "$BATS_TEST_DIRNAME/../.."
    judge "$BATS_TEST_TMPDIR/out" <<'PYTHON'
import json, sys
from jsonschema import Draft202012Validator
validator = Draft202012Validator(json.load(open("results/record.schema.json")))
types = set()
for line in open(sys.argv[1]):
    kind = json.loads(line)["type"]
    types.add(kind)
    assert "record_" + kind in validator.schema["$defs"], kind
    for error in validator.iter_errors(json.loads(line)):
        raise SystemExit(f"{line[:120]}: {error.json_path} {error.message}")
assert {"machine", "isa", "sequence", "platform", "prediction", "model", "model_type", "model_part", "claim", "comparison", "verdict", "baseline", "baseline_cell"} <= types, types
PYTHON
}
