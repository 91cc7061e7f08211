// Package metrics records what a run's targets show of themselves: the program's own page of metrics, its runtime and
// processes, the host, and the load. Nothing is evaluated here: hone-metrics reads the files into a Prometheus.
//
//	.hone/metrics/
//	    RUN         the scrapes of a run, compressed (see File)
//	    RUN.part    of a run that goes on or died: the same, a record for each scrape
//
// A run has a file of its own. So runs are kept and removed as runs, never by the age of their samples, and a run that
// is being recorded needs no lock that readers would wait for.
//
// Every series has the labels run, job and instance. The jobs are "subject" (the program's own page), "go" (its runtime
// and its processes as hone sees them), "node" (the host) and "hone" (the load).
package metrics
