#!/bin/sh
# Makes the golden files of TestCompareAgreesWithBenchstat. Run it in this directory; the
# version is the one of golang.org/x/perf in go.mod. GOFLAGS and GOWORK off, so that go
# takes that version and not the module around this directory.
set -e
V=v0.0.0-20260908200009-22c9c6c9d4da
benchstat() { go run golang.org/x/perf/cmd/benchstat@$V -format csv "$@"; }
benchstat old.txt new.txt > old_new.csv 2> old_new.warnings
benchstat old.txt few.txt new.txt > three.csv 2> three.warnings
benchstat hone-A.txt hone-B.txt > hone.csv 2> hone.warnings
benchstat -alpha 0.01 -confidence 0.99 old.txt new.txt > strict.csv 2> strict.warnings
