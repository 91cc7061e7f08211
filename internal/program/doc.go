// Package program is a room: the measured program: built, started, watched and ended, with what it needs and what it
// says of itself.
//
// A measurement of programs is in internal/conduct; what a user asks for a program is in internal/spec.
//
//   - build: the executables of variants: from source, with the probe
//   - continuous: profiles from the stores of continuous profilers: Pyroscope, Parca
//   - decisions: what the compiler decided about functions, and what it decided otherwise in another build
//   - doctor: what the machine lacks for measurements, and what to do about it
//   - earlyend: what to do about a program that ended before it was ready
//   - gctrace: lines of GODEBUG=gctrace=1
//   - gocommand: the go command: questions, flags, toolchains, full disks
//   - gocommand/toolchaintest: releases of Go that tests need
//   - gotest: go test: which tests fail, and why
//   - guard: the parent of the program: it starts it, and ends all that it has started
//   - lifetime: processes that end with hone, and those that a killed hone has left
//   - listeners: sockets that accept connections, and who holds them
//   - memory: where a process's resident memory is: parts that add up to it
//   - metricname: what the name and labels of a metric say about it
//   - metrics: what a run's targets show of themselves: scraped, and kept in one file for each run
//   - metrics/goruntime: runtime/metrics of the subject under client_golang's names
//   - metrics/host: the host, under node_exporter's names
//   - metrics/metricstest: what was recorded, for tests
//   - metrics/process: its processes, under the same
//   - needs: programs that a subject cannot do without: started before it, watched, ended after it
//   - objfile: the archives of compiled packages: symbols, and what they refer to
//   - output: what a program writes: its beginning and its end
//   - plant: a slow-down in a function, to prove that a gate can fail
//   - plant/loop: what a planted function calls
//   - pprofhttp: profiles from the pages of net/http/pprof
//   - probeclient: the probes in the program, asked for profiles, traces and metrics
//   - reach: the functions that differ between two builds, and which of them a load, benchmarks or tests execute
//   - recorder: the child process that records the metrics of runs, and hone's end of it
//   - release: what of a release of Go can be switched off
//   - routes: the paths that a program's source registers
//   - samecode: what differs between two builds, and whether a benchmark can run any of it
//   - source: the main package that a user names, also at a git ref
//   - sources: the source files that a program's profiles name, and no others
//   - sqltrace: a database/sql whose statements stand in execution traces
//   - subject: the measured program while it runs: started, ready, stopped
//   - templates: {port}, {dir} and {socket} of one start
//   - touches: what a change touches besides code
//   - usage: what the processes of a program use
package program
