// Package metrics is an embedded Prometheus: its scraper, its time series database and
// its query engine as a library, with one store for all runs of a ledger.
//
//	.hone/metrics/
//	    RUN/              a run's series: blocks of Prometheus' database, as it writes them
//	        01JD.../      chunks, index, meta.json (tsdb/docs/format)
//	        metadata.json type, unit and help of each metric
//	    RUN.part/         of a run that goes on or died: a write-ahead log
//
// A run has a database of its own. So runs are kept and removed as runs, never by the age
// of their samples, a run that is being recorded needs no lock that readers would wait
// for, and the directory of a run is a snapshot that any Prometheus serves: it is what
// db.Snapshot wrote. Queries over several runs merge their blocks.
//
// Every series has the labels run, job and instance. The jobs are "subject" (the
// subject's own /metrics), "go" (its runtime and its process as hone sees them), "node"
// (the host) and "hone" (the load).
package metrics
