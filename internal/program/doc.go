// Package program is a room: the measured program: built, started, watched and ended, with what it needs and what it
// says of itself.
//
// A measurement of programs is in internal/conduct; what a user asks for a program is in internal/spec.
//
//   - continuous: profiles from the stores of continuous profilers: Pyroscope, Parca
//   - doctor: what the machine lacks for measurements, and what to do about it
//   - gctrace: lines of GODEBUG=gctrace=1
//   - loadcmd: a load generator of the user's own: executed for each slice, its operations counted
//   - metricname: what the name and labels of a metric say about it
//   - metrics: what a run's targets show of themselves: scraped, and kept in one file for each run
//   - metrics/goruntime: runtime/metrics of the subject under client_golang's names
//   - metrics/host: the host, under node_exporter's names
//   - metrics/metricstest: what was recorded, for tests
//   - metrics/process: its processes, under the same
//   - needs: programs that a subject cannot do without: started before it, watched, ended after it
//   - objfile: the archives of compiled packages: symbols, and what they refer to
//   - pprofhttp: profiles from the pages of net/http/pprof
//   - recorder: the child process that records the metrics of runs, and hone's end of it
//   - routes: the paths that a program's source registers
//   - samecode: whether a benchmark can run anything that differs between two builds
//   - sources: the source files that a program's profiles name, and no others
//   - sqltrace: a database/sql whose statements stand in execution traces
//   - subject: build, start, probe, watch and stop the measured program
package program
