// Package goruntime shows the runtime of a Go program that hone measures to Prometheus, from
// values of runtime/metrics that were read in that program.
//
// The metrics are those of client_golang v1.24.1's Go collector with all runtime metrics
// (collectors.WithGoCollectorRuntimeMetrics(collectors.MetricsAll)): the same names, types,
// help and histogram buckets, so that dashboards and queries do not notice whether a
// service exposes them itself or hone looks inside it. Of what that collector shows besides
// runtime/metrics there are go_goroutines, go_threads (before Go 1.26 the runtime does not
// tell) and go_memstats_*, each only if the program's Go release has all that it is the
// sum of.
//
// Not there: go_info, go_gc_duration_seconds and go_memstats_last_gc_time_seconds, which
// nothing in runtime/metrics tells. go_threads is the number of threads that live, where
// client_golang has those that were ever started.
//
// hone_subject_runtime_up is hone's own: whether the program answered.
package goruntime
