// Package process shows the processes of the program that hone measures to Prometheus.
//
// Where client_golang v1.24.1's process collector has a metric it has its name and unit
// here: process_cpu_seconds_total, process_resident_memory_bytes, process_open_fds,
// process_max_fds, process_virtual_memory_bytes, process_virtual_memory_max_bytes,
// process_start_time_seconds. process_threads is what other exporters of a process call the
// number of its threads (the Prometheus client for Rust, for one); client_golang has
// only go_threads, which the process cannot tell from outside. Calls, context switches and
// page faults have names of hone's own:
//
//	process_read_calls_total, process_write_calls_total
//	process_context_switches_total{kind="voluntary"|"involuntary"}
//	process_major_page_faults_total, process_minor_page_faults_total
//	hone_subject_process_up
//
// What can be added up is the sum over the program's whole tree of processes, also of those
// that have ended, where client_golang has one process. Start, limits and the size of the
// address space are those of its main process. client_golang's
// process_network_{receive,transmit}_bytes_total are not there: they count all of a network
// namespace, which is in hone's node_network_* already.
//
// Only Linux tells more than CPU time and resident memory.
package process

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/internal/program/usage"
)

// Collector is a prometheus.Collector of one program's processes. It has no goroutine and
// holds nothing open between scrapes. Scrapes at the same time wait for each other.
type Collector struct {
	read func() (usage.Reading, error)
	pid  func() int

	mu    sync.Mutex
	start start // of the main process
}

var _ prometheus.Collector = (*Collector)(nil)

// mainProcess is what is told about the main process alone.
type mainProcess struct {
	start            float64 // seconds since 1970
	virtual          float64 // bytes
	maxFDs, maxBytes float64 // limits; 2^64-1 for none, as client_golang has it
}

var (
	up  = desc("hone_subject_process_up", "Whether hone could read the counters of the subject's processes.")
	cpu = desc("process_cpu_seconds_total",
		"Total user and system CPU time spent in seconds, of all processes of the subject.")
	resident = desc("process_resident_memory_bytes",
		"Resident memory size in bytes, added up over the processes of the subject.")
	openFDs    = desc("process_open_fds", "Number of open file descriptors, of all processes of the subject.")
	maxFDs     = desc("process_max_fds", "Maximum number of open file descriptors of the main process.")
	virtual    = desc("process_virtual_memory_bytes", "Virtual memory size of the main process in bytes.")
	maxVirtual = desc("process_virtual_memory_max_bytes",
		"Maximum amount of virtual memory available to the main process in bytes.")
	startTime = desc("process_start_time_seconds", "Start time of the main process since unix epoch in seconds.")
	threads   = desc("process_threads", "Threads of all processes of the subject.")
	readCalls = desc("process_read_calls_total",
		"Calls of read and its relatives (syscr in proc_pid_io(5)); recv is not among them.")
	writeCalls = desc("process_write_calls_total",
		"Calls of write and its relatives (syscw in proc_pid_io(5)); send is not among them.")
	switches = desc("process_context_switches_total",
		"Times a thread left its CPU: to wait (voluntary), or for another one (involuntary).", "kind")
	majorFaults = desc("process_major_page_faults_total", "Page faults that had to read a disk.")
	minorFaults = desc("process_minor_page_faults_total", "Page faults that were served from memory.")
)

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// New returns a collector of what read counts ((*subject.Process).Usage) and of the main
// process, whose PID pid tells; 0 without one. If read fails, that costs this
// collector's metrics of that scrape and no others: hone_subject_process_up is 0 then.
func New(read func() (usage.Reading, error), pid func() int) *Collector {
	return &Collector{read: read, pid: pid}
}

// Describe tells all metrics.
func (c *Collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		up, cpu, resident, openFDs, maxFDs, virtual, maxVirtual, startTime, threads,
		readCalls, writeCalls, switches, majorFaults, minorFaults,
	} {
		out <- d
	}
}

// Collect reads the counters once.
func (c *Collector) Collect(out chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	usage, err := c.read()
	if err != nil {
		out <- gauge(up, 0)
		return
	}
	out <- gauge(up, 1)
	out <- counter(cpu, usage.AllCPU().Seconds())
	out <- gauge(resident, float64(usage.RSS))
	if !tellsAll {
		return
	}
	out <- gauge(openFDs, float64(usage.FDs))
	out <- gauge(threads, float64(usage.Threads))
	out <- counter(readCalls, float64(usage.ReadCalls))
	out <- counter(writeCalls, float64(usage.WriteCalls))
	out <- counter(switches, float64(usage.Voluntary), "voluntary")
	out <- counter(switches, float64(usage.Involuntary), "involuntary")
	out <- counter(majorFaults, float64(usage.MajorFaults))
	out <- counter(minorFaults, float64(usage.MinorFaults))

	pid := c.pid()
	if pid <= 0 {
		return
	}
	main, err := readMain(pid, &c.start)
	if err != nil {
		return // it has ended, others of the tree live on
	}
	out <- gauge(startTime, main.start)
	out <- gauge(virtual, main.virtual)
	out <- gauge(maxFDs, main.maxFDs)
	out <- gauge(maxVirtual, main.maxBytes)
}

func gauge(d *prometheus.Desc, value float64) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value)
}

func counter(d *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
}

// start remembers when a process started: to tell it takes the time of boot, which stands in
// a long file.
type start struct {
	pid     int
	ticks   uint64 // since boot; with the PID it names one process
	seconds float64
}
