#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# kneepoint report of several saved runs, side by side. The binary is named by KNEEPOINT.

load reporting

@test "runs side by side: values and ratios to the first" {
    mkdir a b
    echo '{"kneepoint":"0.1.0"}' | tee a/meta.json > b/meta.json
    gamma='"type":"gamma","isa":"avx2","accumulators":8,"bytes_per_vector":8'
    quantity='"min":1,"mad":0,"n":9,"rejected":0,"grade":"chain"'
    {
        echo "{$gamma,\"name\":\"int2.x.avx2\",\"usable\":true,\"gamma\":{\"median\":2.0,\"ci95\":[1.9,2.1],$quantity,\"unit\":\"cycles\"}}"
        echo "{$gamma,\"name\":\"int4.x.avx2\",\"usable\":true,\"gamma\":{\"median\":4.0,\"ci95\":[3.9,4.1],$quantity,\"unit\":\"cycles\"}}"
        echo "{$gamma,\"name\":\"alone.in.a\",\"usable\":true,\"gamma\":{\"median\":4.0,\"ci95\":[3.9,4.1],$quantity,\"unit\":\"cycles\"}}"
    } > a/records.jsonl
    {
        echo "{$gamma,\"name\":\"int2.x.avx2\",\"usable\":true,\"gamma\":{\"median\":1.0,\"ci95\":[0.9,1.1],$quantity,\"unit\":\"cycles\"}}"
        echo "{$gamma,\"name\":\"int4.x.avx2\",\"usable\":false,\"gamma\":{\"median\":1.0,\"ci95\":[0.9,1.1],$quantity,\"unit\":\"cycles\"}}"
        echo "{$gamma,\"name\":\"int4.x.avx2\",\"accumulators\":4,\"usable\":true,\"gamma\":{\"median\":4.2,\"ci95\":[4.05,4.3],$quantity,\"unit\":\"cycles\"}}" | sed 's/"accumulators":8,//'
    } > b/records.jsonl
    run "$kneepoint" report a b
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" = a/report-beside/index.html ]
    grep -q '<td>int2.x.avx2</td><td>2.000</td><td>1.000</td><td>0.500</td>' "$output"
    grep -q '<td>int4.x.avx2</td><td>4.000</td><td>4.200</td><td data-v="1.05">≈ 1.050</td>' "$output"
    [ "$(grep -c alone.in.a "$output" || true)" -eq 0 ]
    grep -q '1 more were measured in A only' "$output"
    run "$kneepoint" report a b a --json -o out
    [ "$output" = '{"type":"report","name":"index.html","run":"a","path":"out/index.html"}' ]
    grep -q 'C/A' out/index.html
}

@test "runs that share nothing are incomparable, and nothing is written" {
    part_of_run gammas '"type":"gamma"'
    part_of_run betas '"type":"beta"'
    run "$kneepoint" report gammas betas -o out
    [ "$status" -eq 4 ]
    one_line_error "gammas has no read stream, sequence or GEMV cell in common"
    [ ! -e out ]
}

@test "a wrong run among several is named; so is one too many" {
    run "$kneepoint" report "$run_folder" nowhere -o out
    [ "$status" -eq 2 ]
    one_line_error nowhere
    [ ! -e out ]
    run "$kneepoint" report $(seq 1025)
    [ "$status" -eq 2 ]
    one_line_error "'1025' is one too many"
}

@test "names of a hostile file do not run in the page of several runs" {
    sed -i "s/Synthetic Golden Cove (server)/<script>alert(1)<\/script>/; s/\"name\":\"int2/\"name\":\"<b>int2/" "$run_folder/meta.json" \
        "$run_folder/records.jsonl"
    run "$kneepoint" report "$run_folder" "$run_folder" -o out
    [ "$status" -eq 0 ]
    [ "$(grep -c '<script>' out/index.html)" -eq 1 ]
    [ "$(grep -c '<b>' out/index.html || true)" -eq 0 ]
    grep -q '&lt;b&gt;int2' out/index.html
}
