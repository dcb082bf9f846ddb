#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load measuring

@test "gemv: cold and warm as JSON Lines" {
    kernel_or_skip
    kept_quiet gemv "$kernel" --shape 320x1600 --threads 1 --samples 8 --json
    lines_have gemv format isa m k n threads protocol time_s bytes_per_s ops_per_cycle roof_fraction predicted_s residual exact \
        predicted_overlap_s residual_overlap held_out omega shared_read_s core_read_s compute_s start_s sequence bits level packed_bytes binds gamma_used above_roof activations result lossless error within_bound \
        prepare_s prepare_share
    lines_have gamma accumulators gamma bound
    quantities_have time_s
    [ "$(grep -c '"type":"gemv".*"protocol":"cold"' out)" -eq 1 ]
    [ "$(grep -c '"type":"gemv".*"protocol":"warm"' out)" -eq 1 ]
    [ "$(grep '"type":"gemv"' out | grep -c '"m":320,"k":1600,"n":1,"threads":1,.*"exact":true')" -eq 2 ]
    if grep -q '"cell":\|"schedule":\|"weights":' out; then false; fi # of none
}

@test "gemv: omega of each kernel, whatever was asked for, and the cell that it is taken from has no residual" {
    kernel_or_skip
    kept_quiet gemv "$kernel" --shape 320x1600 --threads 1 --samples 8 --cold --json
    lines_have omega format isa m k threads omega gamma_used
    [ "$(grep -c '"type":"omega"' out)" -eq 1 ]
    [ "$(grep '"type":"gemv"' out | grep -c '"held_out":true')" -eq 1 ]
    kept_quiet gemv "$kernel" --shape 4096x4096 --threads 1 --samples 8 --cold --json
    [ "$(grep '"type":"gemv"' out | grep -c '"held_out":false,.*"residual_overlap":null,"residual_overlap_reason":"calibration')" -eq 1 ]
    kept_quiet gemv "$kernel" --shape 4096x4096 --threads 1 --samples 8 --cold
    grep -qE '^omega, from 4096x4096 cold with one thread' out
    tr '\n' ' ' <out | grep -q ' omega: how much of the shorter of reading and computing overlaps the longer: 1 all of it, 0 nothing\. from: '
    grep -qE "^$kernel +(-?[0-9.]+ +-?[0-9.]+ +-?[0-9.]+ +[0-9]+ (wall|chain|pmu)|- .* unknown: )" out
}

@test "gemv: a table; only one protocol; shapes of a model" {
    kernel_or_skip
    kept_quiet gemv "$kernel" --shape 33x77 --threads 1 --samples 4 --warm
    grep -qE "^$kernel +33x77 +1 L[0-9] .* exact" out
    if grep -qE "^$kernel .* cold " out; then false; fi
}

@test "gemv: the fastest first, in one line above the table, and what columns mean only where they are shown" {
    command -v script >/dev/null || skip "not on this machine: no script(1)"
    mapfile -t kernels < <("$KNEEPOINT" list kernels --json | grep '"runs":true' | grep '"gemv":true' | grep '"result":"int32"' |
        sed -n 's/.*"name":"\([^"]*\)".*/\1/p' | head -n 2)
    [ "${#kernels[@]}" -eq 2 ] || skip "not on this machine: no two kernels run here"
    kept_quiet gemv "${kernels[@]}" --shape 256x1024 --samples 8 --cold --threads 1
    head -n 1 out | grep -qE '^fastest here: [^ ]+, .*[0-9]+% of the roof'
    tr '\n' ' ' <out | grep -qE '^fastest here: [^;]*; next: [^ ]+, (as fast within the noise|[0-9.]+ times as long).* \(256x1024, cold, 1 thread\)  kernel '
    fastest=$(sed -nE '1s/^fastest here: ([^ ]+),.*/\1/p' out)
    [ "$(grep ' 256x1024 ' out | head -n 1 | cut -d ' ' -f 1)" = "$fastest" ]
    grep ' 256x1024 ' out | awk '{ print $5 }' | sort -C -g
    tr '\n' ' ' <out | grep -q ' error: largest distance from the format.s definition'
    script -qec "stty cols 80; TERM=xterm NO_COLOR=1 '$KNEEPOINT' gemv ${kernels[*]} --shape 256x1024 --samples 8 --cold --threads 1" /dev/null \
        </dev/null | sed 's/\r$//; s/.*\r//; s/\x1b\[K//g' >out
    if LC_ALL=C.UTF-8 grep -E '^.{81,}' out; then false; fi
    grep -qE '^kernel .* time us +GB/s roof model limit' out
    grep -q -- '--wide shows them' out
    tr '\n' ' ' <out | grep -q ' roof: attained over the read roof'
    if grep -q 'error: largest' out; then false; fi
}

@test "gemv: results in floats have an error, not exactness; their operands are not prepared" {
    "$KNEEPOINT" list kernels --json | grep '"name":"f32.dot.avx2"' | grep -q '"runs":true' || skip "not on this machine: no AVX2"
    kept_quiet gemv f32.dot.avx2 --shape 40x100 --threads 1 --samples 4 --json
    [ "$(grep '"type":"gemv"' out | grep -cE '"result":"f32".*"exact":false,"error":[0-9.]+e-0?[5-9],"within_bound":true,"prepare_s":0.0')" -eq 2 ]
}

@test "gemv: each GEMV finds its prefetch distance before its first sample; --tuning=none leaves it the kernel's own" {
    "$KNEEPOINT" list kernels --json | grep '"name":"f32.dot.avx2"' | grep -q '"runs":true' || skip "not on this machine: no AVX2"
    kept_quiet gemv f32.dot.avx2 --shape 64x256 --shape 512x1024 --threads 1 --samples 6 --json
    [ "$(grep -cE '"type":"gemv".*"prefetch_bytes":[0-9]+,"settings":"self-tuned"' out)" -eq 4 ]
    kept_quiet gemv f32.dot.avx2 --shape 64x256 --threads 1 --samples 6 --json --tuning=none
    [ "$(grep -c '"type":"gemv".*"prefetch_bytes":2048,"settings":"default"' out)" -eq 2 ]
    kept_quiet gemv f32.dot.avx2 --shape 64x256 --threads 1 --samples 6
    grep -q '^The prefetch distance of each GEMV is the fastest of those tried' out
}

@test "gemv: activations are prepared in some share of the time" {
    kernel_or_skip
    kept_quiet gemv "$kernel" --shape 64x1024 --threads 1 --samples 4 --warm --json
    grep -qE '"type":"prepare","name":"[a-z0-9.]+",.*"k":1024,' out
    [ "$(grep '"type":"gemv"' out | grep -cE '"prepare_s":[0-9.e-]+,"prepare_share":[0-9.e-]+')" -eq 1 ]
    if grep '"type":"gemv"' out | grep -q '"result":"int32"'; then
        [ "$(grep -cE '"type":"dequantize","name":"rows.(f32|bf16)",.*"m":64,' out)" -eq 2 ]
        grep '"type":"gemv"' out | grep -qE '"dequantize_s":[0-9.e-]+,"dequantize_share":[0-9.e-]+'
    fi
}

@test "gemv: an interleaved order is repacked to from rows, on the first shape of 1 MiB and more" {
    "$KNEEPOINT" list kernels --json | grep '"name":"q4_0_m16.offset.avx2"' | grep -q '"runs":true' || skip "not on this machine: no AVX2"
    kept_quiet gemv q4_0_m16.offset.avx2 --shape 64x128 --shape 2048x2048 --threads 1 --samples 4 --cold --json
    lines_have repack rows m k threads packed_bytes bytes_held_twice time_s bytes_per_s rows_kernel rows_gemv_s order_kernel \
        order_gemv_s pays_after_tokens pays_after_tokens_reason exact
    quantities_have time_s
    [ "$(grep -c '"type":"repack".*"rows":"q4_0","m":2048,"k":2048,.*"exact":true' out)" -eq 1 ]
    [ "$(grep -c '"type":"repack"' out)" -eq 1 ]
    kept_quiet gemm q4_0_m16.tile.avx2 --shape 2048x2048 --threads 1 --tokens 1 --samples 4
    grep -qE '^q4_0_m16 +q4_0 +2048x2048 +1 +[0-9.]+ +[0-9.]+ +2\.36 +- +- +-  GEMVs of the rows' out
    tr '\n' ' ' <out | grep -q ' MB twice: packed weights that memory holds twice meanwhile\. .* pays: GEMVs after which '
}

@test "gemv: a rendering is measured as published, with our prefetch beside it, and says what differs from its original" {
    "$KNEEPOINT" list kernels --json | grep '"name":"tq1_0.reference.avx2"' | grep -q '"runs":true' || skip "not on this machine: no AVX2"
    kept_quiet gemv int2_vnni4.envelope.avx2 int2_vnni4.mask.avx2 tq1_0.reference.avx2 --cold -t 1 -s 64x512 --samples 8
    [ "$(grep -c '^int2_vnni4.envelope.avx2 .*64x512 ' out)" -eq 2 ]
    grep -q '^int2_vnni4.envelope.avx2 .*  with our prefetch, 4096 bytes ahead' out
    if grep -q '^int2_vnni4.mask.* with our prefetch' out; then false; fi
    grep -q '^tq1_0.reference.avx2: bitnet-cpp: .*more time than its original' out
    kept_quiet gemv int2_vnni4.envelope.avx2 --cold -t 1 -s 64x512 --samples 8 --json
    [ "$(grep -c '"settings":"our prefetch"' out)" -eq 1 ]
    grep '"type":"gemv"' out | grep -q '"prefetch_bytes":0,.*"settings":"default"'
    kept_quiet gemv int2_vnni4.envelope.avx2 --cold -t 1 -s 64x512 --samples 8 --json --prefetch=64
    if grep -q '"settings":"our prefetch"' out; then false; fi
}

@test "gemv: beside each cold one a read of as many bytes, where it is asked for" {
    kernel_or_skip
    kept_quiet gemv "$kernel" --shape 320x1600 --shape 64x256 --threads 1 --samples 8 --cold --reads --json
    lines_have read level threads bytes time_s bytes_per_s roof_fraction roof_stream
    [ "$(grep -c '"type":"read"' out)" -eq 2 ]
    bytes=$(sed -nE 's/.*"type":"gemv".*"m":320,.*"packed_bytes":([0-9]+).*/\1/p' out)
    [ "$(grep -c "\"type\":\"read\",.*\"bytes\":$bytes," out)" -eq 1 ]
    [ "$(grep '"type":"gemv"' out | grep -cE '"read_s":[0-9.e-]+,"read_roof_fraction":[0-9.]+,')" -eq 2 ]
    kept_quiet gemv "$kernel" --shape 64x256 --threads 1 --samples 8 --cold --reads
    grep -qE "^$kernel +64x256 .* [0-9.]+ of a read of its bytes, which attains [0-9.]+ of the roof" out
    kept_quiet gemv "$kernel" --shape 64x256 --threads 1 --samples 8 --cold --json
    if grep -q '"type":"read"\|"read_s"' out; then false; fi
    refuses "--reads needs cold GEMVs" gemv "$kernel" --warm --reads
}

@test "gemv: what does not exist is named" {
    refuses "no kernel 'int9'; \`kneepoint list kernels\`" gemv int9
    refuses "no kernel 'q4_k_m'; \`kneepoint list kernels\` shows them; q4_k_m is a kind of file, not a format: name q4_k and q6_k, or run \`kneepoint decode --type=q4_k_m\`" gemv q4_k_m
    kernel_or_skip
    refuses "no model 'gpt'; \`kneepoint list shapes\`" gemv --model gpt
    refuses "no model 'llama-3-8b'; \`kneepoint list shapes\` shows them; did you mean 'llama3-8b'?" gemv --model llama-3-8b
    refuses "unrecognized option '--modle=llama3-8b'; \`kneepoint gemv --help\` lists the options; did you mean '--model'?" gemv --modle=llama3-8b
}

@test "gemv: names in upper case" {
    kernel_or_skip
    kept_quiet gemv "${kernel^^}" --shape 64x256 --threads 1 --samples 8 --warm --json
    grep -q "\"type\":\"gemv\",\"name\":\"$kernel\"" out
}

@test "gemv: what cannot run here says what the CPU lacks" {
    kernel=$(one_that_does_not_run kernels '"gemv":true')
    [ -n "$kernel" ] || skip "not on this machine: every kernel runs here"
    refuses "$kernel cannot run on this CPU: it " gemv "$kernel"
}

@test "gemv: malformed shapes" {
    for shape in 33x x33 33 0x5 5x0 -1x5 1x5x6 '' '1x 5' 1.5x2 99999999999x1; do
        refuses "--shape takes MxK such as 4096x4096, not '$shape'" gemv --shape "$shape"
    done
}

@test "gemv: K beyond what a format's sums hold" {
    kernel_or_skip
    refuses "--shape 64x99999999: K = 99999999 is beyond ${kernel%%.*}, whose 32-bit sums are exact up to K = " gemv "$kernel" \
        --shape 64x99999999
}

@test "gemv: not enough memory is refused with the amount, before anything is measured" {
    kernel_or_skip
    refuses "2000000000x60000 with 1 thread needs " gemv "$kernel" --shape 2000000000x60000 --threads 1
    grep -qE 'needs [0-9]{4,}\.[0-9]+ GB more memory and [0-9.]+ GB may be used' err
    refuses "GB more memory" gemv "$kernel" --shape 2000000000x60000 --warm --threads 1
}

@test "gemv: an address space that is too small is refused, not a crash" {
    kernel_or_skip
    case $KNEEPOINT in */san/*) skip "not on this machine: a sanitizer needs the address space" ;; esac
    status=0
    (ulimit -v 150000 && exec "$KNEEPOINT" gemv "$kernel" --shape 40000x40000 --threads 1 --samples 2) >out 2>err || status=$?
    cat err
    [ "$status" -eq 2 ]
    [ "$(wc -l <err)" -eq 1 ]
    [ ! -s out ]
}

@test "gemv: more threads than allowed CPUs" {
    refuses "threads asked" gemv --threads $(($(most_threads) + 1))
}

@test "gemv: a run is saved, and another measurement added to it" {
    kernel_or_skip
    kept_quiet gemv "$kernel" --shape 64x1024 --threads 1 --samples 4 --cold --json --results runs
    run=$(sed -n 's/.*"type":"run","name":"gemv","path":"\([^"]*\)".*/\1/p' out)
    [ -f "$run/meta.json" ]
    for type in machine clock samples beta gamma gemv end; do
        grep -q "\"type\":\"$type\"" "$run/records.jsonl"
    done
    grep -q '"type":"gemv".*"copies":[1-9][0-9]*,"one_layer":false' "$run/records.jsonl"
    kept_quiet gemv "$kernel" --shape 32x1024 --threads 1 --samples 4 --warm --into "$run"
    grep -q "^saved: $run\$" out
    grep -q '"type":"samples".*"block":2,' "$run/records.jsonl"
    [ "$(grep '"type":"gemv"' "$run/records.jsonl" | grep -cE '"m":(64|32),"k":1024,')" -eq 2 ]
    [ "$(grep -c '"type":"end"' "$run/records.jsonl")" -eq 1 ]
    # what the first process measured of memory, the pool, gamma and omega the second has not measured again
    grep -q '"type":"samples","name":"beta/memory/t1/roof",.*"block":1,' "$run/records.jsonl"
    [ "$(grep '"type":"samples"' "$run/records.jsonl" | grep '"block":2,' | grep -cE '"name":"(beta/memory|pool|gamma|gemv/[^"]*(4096x4096|128x1024))')" -eq 0 ]
    [ "$(grep '"type":"omega"' "$run/records.jsonl" | sed 's/.*"omega":\([^,]*\),.*/\1/' | sort -u | wc -l)" -eq 1 ]
    [ "$(sed -n 's/.*"type":"beta","name":"roof","level":"memory".*"stream":"\([^"]*\)".*/\1/p' "$run/records.jsonl" | sort -u | wc -l)" -eq 1 ]
}

@test "gemv: runs that cannot be saved" {
    kernel_or_skip
    refuses "--results makes a new run and --into adds to an existing one; choose one" gemv "$kernel" --results a --into b
    refuses "no run at nowhere" gemv "$kernel" --into nowhere
    mkdir -p other
    echo '{"kneepoint":"0","cpu":{"name":"another CPU"}}' >other/meta.json
    echo '{"type":"end","name":"x"}' >other/records.jsonl
    status=0
    "$KNEEPOINT" gemv "$kernel" --into other >out 2>err || status=$?
    cat err
    [ "$status" -eq 4 ]
    grep -q "other was measured with another CPU, 'another CPU'" err
    # another CPU with the same name: model, core, features and caches are looked at
    kept_quiet gemv "$kernel" --shape 64x1024 --threads 1 --samples 2 --warm --results runs
    run=$(ls -d runs/runs/*/*)
    # is_another WORDS FILTER: what is said of the run whose meta.json has been through jq so
    is_another() {
        rm -rf another
        cp -r "$run" another
        jq "$2" "$run/meta.json" >another/meta.json
        exit=4 refuses "another was measured with $1" gemv "$kernel" --shape 64x1024 --threads 1 --samples 2 --warm --into another
    }
    is_another "another CPU: model 999 there, " '.cpu.model = 999'
    is_another "another CPU: stepping 99 there, " '.cpu.stepping = 99'
    is_another "another CPU: microarchitecture 'Test Cove' there, " '.cpu.microarchitecture = "Test Cove"'
    is_another "another CPU: features amx_fp1 only there, and" '.cpu.features += ["amx_fp1"]'
    is_another "another CPU: caches " '.topology.caches[-1].bytes |= (. / 3 | floor)'
    is_another "a CPU that may be a different one: features unknown there, and cannot be continued here; start a new run" 'del(.cpu.features)'
    kept_quiet gemv "$kernel" --shape 64x1024 --threads 1 --samples 2 --warm --into "$run"
}

@test "gemv: the shapes of every model are accepted" {
    kernel_or_skip
    kept_quiet gemv "$kernel" --model mobilellm-1.5b --threads 1 --samples 1 --warm --json
    [ "$(grep -c '"type":"gemv".*"models":\["mobilellm-1.5b"\]' out)" -eq 5 ]
}

@test "gemv: a kernel that several names mean is measured once" {
    kernel_or_skip
    kept_quiet gemv "$kernel" "$kernel" "${kernel%.*}.*" --isa="${kernel##*.}" --shape 64x256 --threads 1 --samples 6 --warm --csv
    [ "$(grep -c "^gemv,$kernel," out)" -eq 1 ]
    refuses "has --bits=99; \`kneepoint list kernels\` shows them" gemv "$kernel" --bits 99
    refuses "--isa=avx3: no kernel or sequence here has that instruction set" gemv "$kernel" --isa avx3
    refuses "--bits takes a number or a range such as 2, 1..2 or 4.., not '2..1'" gemv "$kernel" --bits 2..1
    refuses "--sort: no column 'speed'; the columns are kernel, shape," gemv "$kernel" --sort speed
}

@test "gemv --from: the table of a saved run, of any CPU, without measuring" {
    run=$BATS_TEST_DIRNAME/../../reports/fixtures/run
    kept_quiet gemv --from="$run"
    cp out all
    grep -qE ', run run$' out
    grep -qE '^(fastest )?here: ' out
    kernel=$(sed -n 's/.*"type":"gemv","name":"\([^"]*\)".*/\1/p' "$run/records.jsonl" | head -n 1)
    kept_quiet gemv --from="$run" "$kernel" --json
    [ "$(grep -c '"type":"gemv"' out)" -eq "$(grep -c "\"type\":\"gemv\",\"name\":\"$kernel\"" "$run/records.jsonl")" ]
    if grep '"type":"gemv"' out | grep -qv "\"name\":\"$kernel\""; then false; fi
    refuses '--from prints what a run has and measures nothing; leave out --results' gemv --from="$run" --results results
    refuses '--from prints what a run has and measures nothing; leave out --peers' gemv --from="$run" --peers
    refuses '--from prints what a run has and measures nothing; leave out --best' gemv --from="$run" --best
    refuses '--from prints what a run has and measures nothing; leave out --schedule' gemv --from="$run" --schedule=dynamic
    refuses "no kernel 'int2_vnni5'; \`kneepoint list kernels\` shows them; did you mean 'int2_vnni4'?" gemv --from="$run" int2_vnni5
    refuses "no model 'no-such-model'" gemv --from="$run" --model no-such-model
    refuses 'no-run' gemv --from=no-run
    exit=3 refuses 'has no GEMV of what is asked for' gemv --from="$run" --shape 3x5
}
