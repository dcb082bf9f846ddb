#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause

load ../measuring
load ../comparing

@test "compare: nothing changed passes, exit 0" {
    stored_run base
    stored_run head seed=2
    ends_with 0 compare base head
    [ ! -s err ]
    [ "$(head -n 1 out)" = "pass: 0 of 3 cells failed, 3 passed, 0 inconclusive" ]
    [ "$(grep -c ' pass$' out)" -eq 3 ]
    grep -q '11 and 11 processes, unpaired' out
    grep -q '^quiet host: a loss counts from 1% (core) and 2% (memory)$' out
    grep -q '^geometric mean of 3 cells: [-+]*0.0[0-9]%, 95% interval ' out
    [ -z "$(grep weaker out)" ]
}

@test "compare: a planted loss awaits its confirmation, exit 3, and says how" {
    stored_run base
    stored_run head seed=2 slow=1.05
    ends_with 3 compare base head
    grep -qE 'gemv/synthetic.step.avx2/1024x1024/t1/warm +20 us +\+(4\.9|5\.0).% .*suspected +slower, not confirmed yet' out
    grep -q 'a loss that is not confirmed yet' out
    [ "$(wc -l <err)" -eq 1 ]
    grep -q -- '--confirm-base=RUN and --confirm-run=RUN' err
}

@test "compare: a confirmed loss fails, exit 1, and is the first row" {
    stored_run base
    stored_run head seed=2 slow=1.05
    stored_run again seed=3 slow=1.05
    stored_run base_again seed=4
    ends_with 1 compare base head --confirm-base base_again --confirm-run again
    [ ! -s err ]
    grep -q 'losses confirmed by again against base_again' out
    [ "$(grep '^gemv\|^gamma' out | head -n 1 | grep -cE 'fail +slower, confirmed')" -eq 1 ]
    ends_with 1 compare base head --allow=unconfirmed
    grep -q 'confirmed by nothing: --allow=unconfirmed' out
}

@test "compare: another HEAD against the same BASE confirms nothing, exit 3, and says what would" {
    stored_run base
    stored_run head seed=2 slow=1.05
    stored_run again seed=3 slow=1.05
    ends_with 3 compare base head --confirm-run again
    grep -qE 'suspected +slower in two runs of HEAD, but against the same BASE' out
    [ "$(wc -l <err)" -eq 1 ]
    grep -q -- '--confirm-base=RUN (or --allow=same-base)' err
    ends_with 3 compare base head --confirm-run again --output-format junit
    grep -q 'failures="0" errors="0" skipped="1"' out
    ends_with 1 compare base head --confirm-run again --allow=same-base
    grep -q 'losses confirmed by again against the same BASE: --allow=same-base' out
    grep -qE 'fail +slower in two runs of HEAD, but against the same BASE' out
}

# one BASE that was measured in a lucky hour: every HEAD is slower than that
@test "compare: a lucky BASE raises no alarm where a fresh one does not agree" {
    stored_run lucky slow=0.95
    stored_run head seed=2
    stored_run again seed=3
    stored_run base_again seed=4
    ends_with 3 compare lucky head --confirm-run again
    ends_with 3 compare lucky head --confirm-base base_again --confirm-run again
    grep -qE 'inconclusive +slower, but a fresh comparison did not agree' out
}

@test "compare: a loss that a fresh run does not show is inconclusive, exit 3" {
    stored_run base
    stored_run head seed=2 slow=1.05
    stored_run again seed=3
    ends_with 3 compare base head --confirm-run again
    grep -qE 'inconclusive +slower, but a fresh comparison did not agree' out
    [ ! -s err ]
}

@test "compare: HEAD does not confirm itself, nor does a run of another machine" {
    stored_run base
    stored_run head seed=2 slow=1.05
    stored_run again2 seed=5 slow=1.05
    stored_run again seed=3 slow=1.05 cpu='Other CPU'
    refuses "--confirm-run=./head is HEAD itself" compare base head --confirm-run ./head
    refuses "--confirm-base=./base is BASE itself" compare base head --confirm-run again --confirm-base ./base
    refuses "give that run as --confirm-run" compare base head --confirm-base again
    # under another name it is the same measurement, and so is the baseline that was saved from it
    cp -r head copy
    ends_with 0 baseline save main base
    refuses "--confirm-run=copy holds the same measurement as HEAD" compare base head --confirm-run copy
    refuses "--confirm-base=base holds the same measurement as BASE" compare main head --confirm-run again2 --confirm-base base
    exit=4 refuses "again as HEAD: cpu: name 'Test CPU' in BASE, 'Other CPU' in HEAD" compare base head --confirm-run again
    refuses "no run at nowhere/there" compare base head --confirm-run nowhere/there
}

@test "compare: noise is inconclusive, exit 3" {
    stored_run base noise=0.2
    stored_run head noise=0.2 seed=2
    ends_with 3 compare base head
    grep -qE 'inconclusive +too noisy to tell' out
    grep -q '^shared host, the blocks of core cells of BASE scatter by [0-9.]*%: a loss counts from 3% (core) and 2% (memory)$' out
    stored_run base
    ends_with 3 compare base head
    grep -q '^quiet host: ' out
}

# The gate of HEAD is not HEAD's to widen: where it scatters it cannot be told, which is no pass.
@test "compare: a loss in a noisier HEAD does not pass, exit 3; in a quiet one it is seen" {
    stored_run base noise=0.004
    stored_run quiet seed=2 noise=0.004 slow=1.05
    ends_with 1 compare base quiet --allow=unconfirmed
    for noise in 0.02 0.05 0.08; do
        stored_run noisy seed=2 noise=$noise slow=1.05
        apart "$KNEEPOINT" compare base noisy --allow=unconfirmed --cell '*/warm' --cell 'gamma/*'
        cat out
        [ "$status" -eq 1 ] || [ "$status" -eq 3 ]
        grep -q '^quiet host: a loss counts from 1% (core) and 2% (memory)$' out
        [ -z "$(grep '/warm .* pass$' out)" ]
    done
}

@test "compare: a loss below the threshold of the host passes, or says that it may be more" {
    stored_run base
    stored_run head seed=2 slow=1.007
    ends_with 0 compare base head
    # more of it where the controls say that the host is shared
    stored_run base control=0.05
    stored_run head seed=2 slow_cold=1.05 control=0.05
    ends_with 0 compare base head
    grep -q '^shared host, the memory controls of BASE scatter by [0-9.]*%: a loss counts from 1% (core) and 8% (memory)$' out
}

@test "compare: a roof that moved says nothing about the code" {
    stored_run base
    stored_run head seed=2 roof=1.05
    ends_with 3 compare base head
    grep -qE 'cold .* inconclusive +the roof beside it moved' out
}

@test "compare: a different CPU, flags, pages, clock and cells are named, exit 4, unless allowed" {
    stored_run base
    stored_run cpu seed=2 cpu='Other CPU'
    stored_run flags seed=2 flags=-O3
    stored_run pages seed=2 pages=small
    stored_run clock seed=2 grade=pmu
    stored_run cells seed=2 extra=gemv/other/64x64/t1/cold
    exit=4 refuses "cpu: name 'Test CPU' in BASE, 'Other CPU' in HEAD; --allow=WHAT" compare base cpu
    stored_run features seed=2 feature=avx512f
    stored_run caches seed=2 cache=11184810
    exit=4 refuses "cpu: features avx512f only in HEAD; --allow=WHAT" compare base features
    exit=4 refuses "cpu: caches 'L3 32 MiB' in BASE, 'L3 10922 KiB' in HEAD; --allow=WHAT" compare base caches
    sed -i 's/"model":143/"model":207/; s/"microarchitecture":"Test"/"microarchitecture":"Raptor Cove (server)"/' caches/meta.json
    exit=4 refuses "cpu: model 143 in BASE, 207 in HEAD, microarchitecture 'Test' in BASE, 'Raptor Cove (server)' in HEAD, caches" compare base caches
    for side in base caches features; do
        "$KNEEPOINT" baseline save kept_$side $side
    done
    exit=4 refuses "cpu: model 143 in BASE, 207 in HEAD" compare kept_base kept_caches
    exit=4 refuses "cpu: features avx512f only in HEAD" compare kept_base kept_features
    exit=4 refuses "flags: flags '-O2' in BASE, '-O3' in HEAD" compare base flags
    exit=4 refuses "pages: cold pool on thp 1.00 of huge pages in BASE, on small 1.00 in HEAD" compare base pages
    exit=4 refuses "clock: core cycles by chain in BASE, by pmu in HEAD" compare base clock
    exit=4 refuses "cells: 1 cell only in HEAD (gemv/other/64x64/t1/cold)" compare base cells
    for what in cpu flags pages clock cells; do
        ends_with 0 compare base $what --allow=$what
        ends_with 0 compare base $what --allow=all
        grep -q '^differs, as allowed: ' out
        [ "$(grep -c '^gemv\|^gamma' out)" -eq 3 ]
    done
    exit=4 refuses "cpu:" compare base cpu --allow=flags,pages
    ends_with 0 compare base cpu --allow=flags,cpu
    ends_with 0 compare base cells --cell 'gamma/*'
}

@test "compare: visits of one process are weaker blocks, and it says so" {
    stored_run base blocks=1 visits=9
    stored_run head seed=2 blocks=1 visits=9
    ends_with 0 compare base head
    grep -q '9 and 9 visits, unpaired' out
    grep -q '^weaker evidence: the blocks are visits within one process.*; `kneepoint characterize --for=compare` measures in several$' out
    "$KNEEPOINT" compare base head --output-format json | grep -q '"replicate":"visit"'
}

@test "compare: default runs have too few visits in one process: the error names the runs that can be compared" {
    stored_run base blocks=1 visits=1
    stored_run head seed=2 blocks=1 visits=1
    exit=4 refuses "no cell can fail, however slow: a run of fewer than 4 processes has too few visits of each cell; measure BASE and HEAD with \`kneepoint characterize --for=compare\`" compare base head
    stored_run base blocks=3
    stored_run head seed=2 blocks=3
    exit=4 refuses "no cell can fail, however slow: with 3 and 3 blocks at most 1 cell can be compared, and these are 3; choose 1 with --cell, or measure 4 blocks per side with \`kneepoint characterize --for=compare\`" compare base head
}

@test "compare: where no cell could fail that is an error, exit 4, which says how many blocks or cells would do" {
    stored_run base blocks=4 extra=gemv/other/64x64/t1/cold
    stored_run head seed=2 slow=1.5 blocks=4 extra=gemv/other/64x64/t1/cold
    exit=4 refuses "no cell can fail, however slow: with 4 and 4 blocks at most 3 cells can be compared, and these are 4; choose up to 3 with --cell, or measure 5 blocks per side with \`kneepoint characterize --for=compare\`" \
        compare base head
    ends_with 4 compare base head --allow=all
    ends_with 4 compare base head --output-format junit
    grep -q 'failures="0" errors="1" skipped="0"' out
    grep -q '<error message="no cell can fail, however slow' out
    # alone it can: 1 in 70 orders
    ends_with 1 compare base head --cell '*/warm' --allow=unconfirmed
}

@test "compare: why a GEMV is slower is said in parts, which add up" {
    stored_run base
    stored_run head seed=2 slow=1.05 slow_gamma=1.05
    ends_with 1 compare base head --allow=unconfirmed
    grep -qE '^gemv/synthetic.step.avx2/1024x1024/t1/warm \+(4.9|5.0)[0-9]%: gamma \+(4.9|5.0)[0-9]% \((99|100|101)%\), clock 0.00% \(0%\), unexplained [-+]?0.[0-9]*% \([01]%\)$' out
    ends_with 1 compare base head --allow=unconfirmed --json
    sed -n '/1024x1024/p' out | python3 -c '
import json, sys
why = json.loads(sys.stdin.read())["why"]
assert abs(sum(part["share"] for part in why.values() if part) - 1) < 1e-6, why
assert why["gamma"]["share"] > 0.95 and why["roof"] is None and why["omega"] is None and why["start"] is None, why'
    # memory: neither gamma nor the clock nor the roof beside it moved
    stored_run head seed=2 slow_cold=1.05
    ends_with 1 compare base head --allow=unconfirmed --output-format markdown
    grep -qE '^- gemv/synthetic.*4096x4096.*cold.* omega' out
    # a baseline keeps what it takes
    ends_with 0 baseline save main base
    ends_with 1 compare main head --allow=unconfirmed
    grep -q '^gemv/synthetic.step.avx2/4096x4096/t1/cold .* omega' out
}

@test "compare: why a GEMM is slower is said in parts: gamma(N) of its own, clock and the roof beside it" {
    stored_run base slow_gemm=1
    stored_run head seed=2 slow_gemm=1.1
    ends_with 1 compare base head --allow=unconfirmed
    grep -qE '^gemm/synthetic.tile.avx2/4096x4096/n64/t1/cold \+(9.9|10.0)[0-9]%: gamma \+(9.9|10.0)[0-9]% \((99|100|101)%\), ' out
    grep -qE '^gemm/.* clock 0.00% \(0%\), roof 0.00% \(0%\), unexplained 0.00% \(0%\)$' out
    # memory that became slower is not what holds it up
    stored_run slow seed=2 slow_gemm=1.1 roof=1.01
    ends_with 1 compare base slow --allow=unconfirmed --json
    sed -n '/"name":"gemm/p' out | python3 -c '
import json, sys
why = json.loads(sys.stdin.read())["why"]
assert abs(sum(part["share"] for part in why.values() if part) - 1) < 1e-6, why
assert why["gamma"]["share"] > 0.95 and abs(why["roof"]["share"]) < 0.02 and why["start"] is None, why'
    # a baseline keeps what it takes
    ends_with 0 baseline save main base
    ends_with 1 compare main head --allow=unconfirmed
    grep -qE '^gemm/synthetic.tile.*: gamma \+(9.9|10.0)' out
}

@test "compare: cells are chosen by pattern" {
    stored_run base
    stored_run head seed=2 slow=1.05
    ends_with 0 compare base head --cell 'gamma/*' --cell '*/cold'
    [ "$(grep -c '^gemv\|^gamma' out)" -eq 2 ]
    exit=4 refuses "BASE and HEAD share none of the cells asked for" compare base head --cell 'no/such'
}

@test "compare: Markdown for a pull request" {
    stored_run base
    stored_run head seed=2 slow=1.05
    ends_with 1 compare base head --output-format markdown --allow=unconfirmed
    grep -q '^### Kneepoint: fail: 1 of 3 cells failed, 2 passed, 0 inconclusive$' out
    grep -qE '^\| gemv/synthetic\.step\.avx2/1024x1024/t1/warm \| 20 us \| \+(4\.9|5\.0).% \| .* \| \*\*fail\*\*' out
    stored_run bars seed=2 extra='gemv/a|b<i>`*/1x1/t1/cold'
    ends_with 4 compare base bars --output-format markdown
    grep -q '^### Kneepoint: cannot be compared$' out
    [ -z "$(grep "<i>" out)" ]
}

@test "compare: JUnit XML is well-formed and counts" {
    stored_run base extra='gemv/a&b<c>/1x1/t1/cold'
    stored_run head seed=2 slow=1.05 extra='gemv/a&b<c>/1x1/t1/cold'
    ends_with 1 compare base head --output-format junit --allow=unconfirmed
    grep -q '<testsuite name="base -&gt; head" tests="4" failures="1" errors="0" skipped="0">' out
    [ "$(grep -c '<testcase ' out)" -eq 4 ]
    [ "$(grep -c '<failure message="' out)" -eq 1 ]
    if command -v xmllint >/dev/null; then xmllint --noout out; fi
    if command -v python3 >/dev/null; then python3 -c 'import sys, xml.dom.minidom as m; m.parse("out")'; fi
    stored_run cpu cpu='Other <CPU> & more' extra='gemv/a&b<c>/1x1/t1/cold'
    ends_with 4 compare base cpu --output-format junit
    grep -q 'errors="1"' out
    grep -q '<error message="cpu: name ' out
    if command -v python3 >/dev/null; then python3 -c 'import sys, xml.dom.minidom as m; m.parse("out")'; fi
}

@test "compare: JSON Lines, and the same seed gives the same interval" {
    stored_run base
    stored_run head seed=2 slow=1.05
    ends_with 3 compare base head --output-format json
    lines_have comparison class verdict reason effect lower upper p adjusted_p threshold floor floor_from base_s change_s base_blocks head_blocks
    lines_have verdict base head cells passed failed suspected inconclusive geometric_mean geometric_mean_ci95 replicate paired shared_host controls differences seed
    [ "$(wc -l <out)" -eq 4 ]
    cp out first
    ends_with 3 compare base head --json
    cmp out first
    ends_with 3 compare base head --json --seed 5
    [ -n "$(cmp out first)" ]
}

@test "compare: --output takes the format, standard output the text" {
    stored_run base
    stored_run head seed=2
    ends_with 0 compare base head --output-format junit --output report.xml
    grep -q '^pass: ' out
    grep -q '<testsuites>' report.xml
    [ -z "$(find . -name '.*.tmp')" ]
    stored_run cpu seed=2 cpu='Other CPU'
    ends_with 4 compare base cpu --output-format junit --output cpu.xml
    grep -q '<error message="cpu' cpu.xml
    [ ! -s out ]
    refuses "cannot write absent/report.xml" compare base head --output-format junit --output absent/report.xml
}

@test "compare: a cut-off and a damaged record file are read, and it says so" {
    stored_run base
    stored_run head seed=2
    truncate -s -20 head/records.jsonl
    ends_with 0 compare base head
    grep -q "head: the last line was cut off and is left out" err
    stored_run head seed=2
    sed -i '5s/.*/{"type": broken/' head/records.jsonl
    ends_with 0 compare base head
    grep -q "head: 1 damaged line is left out" err
}

@test "compare: what is no run, or has no samples, is refused" {
    stored_run base
    mkdir empty no-samples
    cp base/meta.json no-samples
    grep -v '"type":"samples"' base/records.jsonl >no-samples/records.jsonl
    echo '{"some": "thing"}' >foreign.json
    echo 'a,b' >foreign.csv
    refuses "no baseline 'nowhere', nor any other in results/baselines" compare base nowhere
    refuses "no run at no/where" compare base no/where
    refuses "empty holds no run (no meta.json)" compare base empty
    refuses "no-samples holds no sample" compare base no-samples
    refuses "foreign.json is not a file of that kind" compare base foreign.json
    refuses "foreign.csv line 1 is not a Kneepoint record" compare foreign.csv base
    refuses "name two runs or baselines" compare
    refuses "only BASE and HEAD are compared; 'three' is a third" compare one two three
    refuses "no run below results to be HEAD" compare base
}

@test "compare: bare records know no CPU, which is not the same as the same" {
    stored_run base
    stored_run head seed=2
    exit=4 refuses "cpu: name unknown in BASE, unknown in HEAD" compare base/records.jsonl head/records.jsonl
    ends_with 0 compare base/records.jsonl head/records.jsonl --allow=cpu,flags
}

@test "compare: HEAD is the newest run by default" {
    stored_run results/runs/cpu/20260101T000000Z-1
    stored_run results/runs/cpu/20260201T000000Z-1 seed=2
    ends_with 0 compare results/runs/cpu/20260101T000000Z-1
    grep -q '^results/runs/cpu/20260101T000000Z-1 -> results/runs/cpu/20260201T000000Z-1$' out
}

@test "compare: a known noise floor holds a loss back" {
    stored_run base
    stored_run head seed=2 slow=1.05
    mkdir -p results/noise-floor
    printf '{"kneepoint_noise_floor": 1, "platform": "x", "hostname": "here", "cells": [\n{"name":"gemv/synthetic.step.avx2/1024x1024/t1/warm","p95":0.04,"blocks":11,"measured":"2026","effects":[0.04]}]}\n' \
        >$(floor_file)
    ends_with 3 compare base head --allow=unconfirmed
    grep -qE 'inconclusive +slower, but within 1.5 times the A/A noise' out
    grep -q '+4.08%' out
    echo '{' >$(floor_file)
    refuses "$(floor_file) line" compare base head
}

# biased RUN NET: what a change of layout alone did from memory in that run, a logarithm
biased() {
    printf '{"type":"bias","name":"k","subject":"cold","class":"memory","factor":"stack","layout":true,"unit":"s","levels":[],"net":%s}\n' \
        "$2" >>"$1/records.jsonl"
}

@test "compare: no loss from memory is less than a change of layout alone does, and every format says who measured that" {
    stored_run base
    stored_run head seed=2 slow_cold=1.05
    cold=gemv/synthetic.step.avx2/4096x4096/t1/cold
    ends_with 1 compare base head --allow=unconfirmed
    grep -q '^the effect of code layout on memory cells is unknown: neither ' out
    biased head 0.04 # of its own it does not count
    ends_with 1 compare base head --allow=unconfirmed
    biased base 0.04
    for format in text markdown junit; do
        ends_with 3 compare base head --allow=unconfirmed --output-format $format
        grep -q 'code layout alone adds +4.08% to memory cells, in BASE.*s run; up to 1.5 times that is no loss' out
        grep -q 'the effect of code layout on core cells is unknown' out
    done
    ends_with 3 compare base head --allow=unconfirmed --json
    grep "\"name\":\"$cold\"" out | grep -q '"layout":0.0408[0-9]*,"layout_from":"base"'
    [ "$(grep -c '"layout":null,"layout_from":null' out)" -eq 2 ]
    ends_with 3 compare base head --allow=unconfirmed --output-format csv
    grep -q "^$cold,inconclusive,.*,0.0408[0-9]*,[^,]*,11,11$" out
    # of a run that does not say, what was kept of this machine; and nothing beyond noise is known, too
    stored_run plain
    mkdir -p results/noise-floor
    for net in 0.04 0; do
        printf '{"kneepoint_noise_floor": 1, "platform": "x", "hostname": "here", "layout": {"memory": {"net": %s, "measured": "2026"}}, "cells": []}\n' \
            $net >$(floor_file)
        ends_with $([ $net = 0 ] && echo 1 || echo 3) compare plain head --allow=unconfirmed --json
        grep "\"name\":\"$cold\"" out | grep -q '"layout_from":"noise_floor"'
    done
    ends_with 1 compare plain head --allow=unconfirmed
    grep -q '^code layout has no measurable effect on memory cells, kept with ' out
}

@test "compare: a results folder that cannot be read does not matter, one that is a file does not either" {
    stored_run base
    stored_run head seed=2
    : >results
    ends_with 0 compare base head
}

@test "compare: wrong options" {
    stored_run base
    stored_run head
    refuses "--allow takes cpu, pages, flags, clock, cells, all, unconfirmed or same-base, not 'gpu'" compare base head --allow=cpu,gpu
    refuses "--allow takes" compare base head --allow=
    refuses "--output-format takes text, markdown, junit, json or csv, not 'html'" compare base head --output-format html
    for option in --quick --confirm --blocks=11 --budget=30 --noise-floor=3 --keep --shape=1x1 --model=x --cold --warm --samples=3 \
        --threads=1 --cpus=0 --kind=P --smt --counters=tsc --accumulators=4; do
        refuses "one of these options needs --live" compare base head $option
    done
    refuses "--blocks takes a whole number from 5 to 101" compare --live a b --blocks 4
    refuses "--budget takes whole seconds" compare --live a b --budget 0
    refuses "exclude each other" compare --live a b --quick --confirm
    refuses "leave --confirm-run out" compare --live a b --confirm-run c
    refuses "leave --confirm-base out" compare --live a b --confirm-base c
    refuses "--live needs BASE and HEAD; only 'a' is given" compare --live a
    refuses "name one" compare --live a b --noise-floor 2
    refuses "--shape takes MxK" compare --live a b --shape 5
}

# ---- live

@test "compare --live: names of nothing, and subjects that cannot run here" {
    kernel=$(one_that_runs kernels)
    other=$(one_that_does_not_run kernels '"gemv":true')
    refuses "BASE bees: no kernel or sequence 'bees'" compare --live bees bees
    refuses "BASE ./mine.so: cannot read plug-in ./mine.so" compare --live ./mine.so ./mine.so
    [ -n "$kernel" ] || skip "not on this machine: no kernel runs here"
    refuses "HEAD bees: no kernel or sequence 'bees'" compare --live "$kernel" bees --threads 1
    refuses "no model 'llama-3-8b'; \`kneepoint list shapes\` shows them; did you mean 'llama3-8b'?" compare --live "$kernel" "$kernel" --model llama-3-8b
    refuses "no model 'gpt'" compare --live "$kernel" "$kernel" --model gpt
    gemm=$("$KNEEPOINT" list kernels --json | jq -r 'select(.runs and .gemm and (.gemv | not)) | .name' | head -n 1)
    gemv=$("$KNEEPOINT" list kernels --json | jq -r 'select(.runs and .gemv and (.gemm | not)) | .name' | head -n 1)
    if [ -n "$gemm" ] && [ -n "$gemv" ]; then
        refuses "$gemm has no GEMV and $gemv no GEMM, so no product of theirs can be compared; name two kernels that both have one (\`kneepoint list kernels\`), or compare their steps with --cell=gamma" compare --live "$gemm" "$gemv" --threads 1
        refuses "$gemv has no GEMM and $gemm no GEMV, so no product" compare --live "$gemv" "$gemm" --threads 1
    fi
    refuses "have no cell in common that --cell asks for" compare --live "$kernel" "$kernel" --cell 'no/such' --threads 1
    format=${kernel%%.*}
    if [ "$("$KNEEPOINT" list kernels --json | grep '"runs":true' | grep -c "\"name\":\"$format\.")" -gt 1 ]; then
        refuses "BASE $format: '$format' matches " compare --live "$format" "$format"
    fi
    [ -n "$other" ] || skip "not on this machine: every kernel runs here"
    refuses "$other cannot run on this CPU: it " compare --live "$other" "$other"
}

@test "compare --live: a block is a process that writes records and nothing else" {
    kernel=$(one_that_runs kernels)
    [ -n "$kernel" ] || skip "not on this machine: no kernel runs here"
    ends_with 0 compare --block=0 "$kernel" --threads 1 --shape 320x320
    grep -q "^{\"type\":\"offer\",\"name\":\"gemv/$kernel/320x320/t1/cold\",\"label\":\"gemv/320x320/t1/cold\"" out
    ends_with 0 compare --block=3 "$kernel" --threads 1 --shape 320x320 --warm --samples 6 --only gemv/320x320/t1/warm
    [ ! -s err ]
    grep -q '"type":"samples"' out
    [ "$(grep '"type":"samples"' out | grep -cv '"block":3,')" -eq 0 ]
    [ "$(grep -c '"name":"gamma' out)" -eq 0 ]
    grep -q '"type":"gemv"' out
}

@test "compare --live: a kernel against itself, kept as runs that can be compared again" {
    kernel=$(one_that_runs kernels)
    [ -n "$kernel" ] || skip "not on this machine: no kernel runs here"
    apart "$KNEEPOINT" compare --live "$kernel" "$kernel" --blocks 5 --threads 1 --shape 320x320 --warm --samples 6 --keep \
        --cell 'gemv/*' --output-format json --seed 7
    cat err
    # on a machine that others are busy on nothing may be sure; but nothing may be wrong
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ] || [ "$status" -eq 1 ]
    lines_have comparison verdict effect
    lines_have verdict pairs_moved paired
    grep -q '"paired":true' out
    # who else could have measured a floor: nothing is kept here
    grep '"type":"comparison"' out | grep -qE '"layout":([0-9.e-]+,"layout_from":"measured"|null,"layout_from":null)'
    [ "$(ls -d results/runs/*/*-base results/runs/*/*-head | wc -l)" -eq 2 ]
    base=$(ls -d results/runs/*/*-base) head=$(ls -d results/runs/*/*-head)
    [ "$(grep -o '"block":[0-9]*' "$base/records.jsonl" | sort -u | wc -l)" -ge 5 ]
    [ "$(grep -c '^{"type":"bias",.*"subject":"warm"' "$base/records.jsonl")" -eq 4 ]
    [ "$(grep -c '"subject":"cold"' "$base/records.jsonl")" -eq 0 ]
    [ "$(grep -c '^{"type":"end","name":"compare",.*"steal_ticks"' "$base/records.jsonl")" -eq 1 ]
    apart "$KNEEPOINT" compare "$base" "$head"
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
    grep -q ' processes, unpaired' out
}

# planted FILE EXTRA: a 2-bit sequence with that many instructions too many in a group, each of which waits for the one before
# it: on no core do they cost nothing.
planted() {
    grep -q '"name":"int2_vnni4.mask.avx2".*"runs":true' <("$KNEEPOINT" list sequences --json) || skip "not on this machine: no AVX2 here"
    command -v "${CC:-cc}" >/dev/null || skip "not on this machine: no compiler"
    sed -e 's/^#define FORMAT .*/#define FORMAT "two"/' -e '/^#define ORIGIN/d' -e '/^#define CLAIMED/d' \
        "$BATS_TEST_DIRNAME/../../assemble/fixtures/sequence.S" |
        awk -v extra="$2" '{ print } /^\.macro group/ { while (extra-- > 0) print "    vpaddb ymm10, ymm10, ymm10" }' >"$1"
}

# Only the sign is looked at, not how much: that is for a quiet machine.
@test "compare --live: two files of a sequence, and a loss that was planted into one" {
    planted base.avx2.S 0
    planted head.avx2.S 16
    export TMPDIR=$PWD/made
    mkdir made
    apart "$KNEEPOINT" compare --live base.avx2.S head.avx2.S --quick --output-format json
    cat out err
    forth=$status
    [ "$forth" -eq 1 ] || [ "$forth" -eq 3 ]
    grep -q '"type":"comparison","name":"gamma"' out
    [ "$forth" -eq 3 ] || grep -q '"verdict":"fail","reason":"slower, confirmed","effect":[0-9]' out
    apart "$KNEEPOINT" compare --live head.avx2.S base.avx2.S --quick
    cat out err
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
    [ -z "$(ls made)" ]
    [ "$forth" -ne 3 ] || skip "noise: the planted loss was not confirmed: $(tail -n 1 err)"
}

@test "compare --live: a file that is missing, does not assemble or is wrong" {
    planted good.avx2.S 0
    planted wrong.avx2.S 0
    sed -i '0,/vpand ymm11/s/vpand/vpor/' wrong.avx2.S
    echo 'no such instruction' | cat good.avx2.S - >broken.avx2.S
    export TMPDIR=$PWD/made
    mkdir made
    refuses "HEAD ./nowhere.S: cannot read ./nowhere.S" compare --live good.avx2.S ./nowhere.S
    refuses "BASE broken.avx2.S: broken.avx2.S does not assemble: broken.avx2.S:" compare --live broken.avx2.S good.avx2.S
    exit=1 refuses "HEAD wrong.avx2.S: wrong.avx2.S is wrong: " compare --live good.avx2.S wrong.avx2.S
    [ -z "$(ls made)" ]
}

@test "compare --live --noise-floor: keeps what this machine shows where nothing changed" {
    kernel=$(one_that_runs kernels)
    [ -n "$kernel" ] || skip "not on this machine: no kernel runs here"
    apart "$KNEEPOINT" compare --live "$kernel" --noise-floor 2 --blocks 5 --threads 1 --shape 320x320 --warm --samples 6 --cell 'gemv/*'
    cat out err
    [ "$(grep -c '^A/A [12] of 2: ' out)" -eq 2 ]
    if [ "$status" -eq 3 ]; then # on a machine that others are busy on
        grep -q 'nothing is kept$' err
        [ -z "$(ls results/noise-floor 2>/dev/null)" ]
        return
    fi
    [ "$status" -eq 0 ] || [ "$status" -eq 1 ]
    file=$(ls results/noise-floor/*.json)
    grep -q "kept in $file" err
    grep -q "{\"name\":\"gemv/$kernel/320x320/t1/warm\",\"p95\":[0-9.e-]*,\"blocks\":5,\"measured\":\"20[0-9-]*T" "$file"
    grep -q '"net": ' "$file" || skip "noise: no level of a change of layout kept six samples"
}

@test "compare: control characters of a name reach no terminal and no format" {
    stored_run base extra='gemv/odd\\u001b[2J\\n\\u009b.step.avx2/8x8/t1/warm'
    stored_run head seed=2 extra='gemv/odd\\u001b[2J\\n\\u009b.step.avx2/8x8/t1/warm'
    grep -qF 'odd\u001b' base/records.jsonl
    for format in text markdown junit csv json; do
        ends_with 0 compare base head --output-format $format
        if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' out; then false; fi
        grep -qE 'odd\\+x1b\\*\[2J\\+x0a\\+x9b\.step' out
    done
}

@test "compare: --format of a verdict still works, and says its new name in one line" {
    stored_run base
    stored_run head seed=2
    ends_with 0 compare base head --output-format csv
    mv out new
    [ ! -s err ]
    ends_with 0 compare base head --format csv
    cmp new out
    [ "$(cat err)" = "kneepoint compare: --format=csv is now --output-format=csv; the next version takes only formats of weights" ]
    refuses "--format=html: no kernel or sequence here" compare base head --format html
}

@test "compare: --format, --isa, --origin and --bits choose the cells of kernels and sequences that have it" {
    stored_run base
    stored_run head seed=2
    exit=4 refuses "BASE and HEAD share none of the cells asked for" compare base head --isa=avx2 # of a sequence that is not known here
    sed -i 's/synthetic\.step\.avx2/int2_vnni4.mask.avx2/g' base/*.json* head/*.json*
    ends_with 0 compare base head --isa=avx2 --bits=1..2
    grep -q 'int2_vnni4\.mask\.avx2' out
    ends_with 0 compare base head --format=int2_vnni4 --csv
    grep -q '^gamma/int2_vnni4\.mask\.avx2,pass,' out
    exit=4 refuses "BASE and HEAD share none of the cells asked for" compare base head --bits=4
    refuses "--isa=nope: no kernel or sequence here" compare base head --isa=nope
    refuses "--isa=avx2: with --live, BASE and HEAD say what is measured" compare --live int2_vnni4.mask int2_vnni4.prefix --isa=avx2
}
