// Package memory is the account of a Go process's memory: parts that add up to what is resident (RSS), and what would
// make each large part smaller.
//
// Two sources are joined. The runtime counts what it has mapped, by use (Classes): from runtime/metrics, from
// runtime.MemStats of a page, or out of the memory of the process itself. The kernel counts what is resident, by mapping
// (/proc/PID/smaps, proc_pid_smaps(5)). The mappings of the Go heap tell how much of the former is resident; what cannot
// be told is said (Account.Missing), and what is left has a size (Account.NotAccounted).
//
//   - smaps.go, kinds.go: the mappings of a process, and what each of them is for
//   - classes.go, memstats.go, live.go: what the runtime says of its memory
//   - account.go: the parts
//   - shrink.go: what would make a part smaller here
//   - group.go, cached.go: the control group, what its OOM killer counts, the page cache of open files
//   - moment.go: what of it is read again and again beside a load, for the account over time
//   - read.go: both sources of one process, at about the same moment
//   - text.go: as text
package memory
