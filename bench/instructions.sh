#!/usr/bin/env bash
# Builds the benchmarks of some packages twice from one commit, and fails unless their instructions per
# operation agree within 0.1 %: what hone bench --instructions takes for "the same".
set -uo pipefail
cd "$(dirname "$0")/.."
differ=0
while read -r package benchmarks; do
  bin/hone bench "$package" --vs ./ --identical --instructions --bench "$benchmarks" --quiet -o bin/instructions.txt || [ $? -eq 8 ] || differ=1
  # Means of the runs, by benchmark: 1 name, 2 iterations, 3 value.
  awk -v most=0.001 '
    /^Benchmark/ && FILENAME ~ /-A/ { a[$1] += $3; na[$1]++ }
    /^Benchmark/ && FILENAME ~ /-B/ { b[$1] += $3; nb[$1]++ }
    END {
      for (name in a) {
        off = b[name] / nb[name] / (a[name] / na[name]) - 1
        bad = off > most || off < -most
        printf "%s: the builds differ by %+.3f %%%s\n", name, 100 * off, bad ? ": MORE THAN 0.1 %" : ""
        worst = worst || bad
      }
      exit worst || !length(a)
    }' bin/instructions-A.txt bin/instructions-B.txt || differ=1
done <<'PACKAGES'
./services/rpc ^BenchmarkEnvelope$/decode_by_hand
./internal/protocol ^Benchmark(HTTPAnswer|FramedAnswer)
PACKAGES
exit $differ
