package host

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func (m *machine) readTime(s *scrape) error {
	s.gauge("node_time_seconds", "System time in seconds since 1970.", float64(m.now().UnixNano())/1e9)
	return nil
}

func (m *machine) readStat(s *scrape) error {
	stat, err := m.stat()
	if err != nil {
		return err
	}
	s.counter("node_intr_total", "Interrupts that were served.", float64(stat.IRQTotal))
	s.counter("node_context_switches_total", "Context switches.", float64(stat.ContextSwitches))
	s.counter("node_forks_total", "Processes and threads that were started.", float64(stat.ProcessCreated))
	s.gauge("node_boot_time_seconds", "When the machine was booted, in seconds since 1970.", float64(stat.BootTime))
	s.gauge("node_procs_running", "Threads that run or want to.", float64(stat.ProcessesRunning))
	s.gauge("node_procs_blocked", "Threads that wait for a disk.", float64(stat.ProcessesBlocked))
	return nil
}

func (m *machine) readLoad(s *scrape) error {
	load, err := m.fs.LoadAvg()
	if err != nil {
		return err
	}
	s.gauge("node_load1", "Load average over 1 minute.", load.Load1)
	s.gauge("node_load5", "Load average over 5 minutes.", load.Load5)
	s.gauge("node_load15", "Load average over 15 minutes.", load.Load15)
	return nil
}

// readSchedule reads /proc/schedstat, which kernels without CONFIG_SCHEDSTATS do not have.
func (m *machine) readSchedule(s *scrape) error {
	stat, err := m.fs.Schedstat()
	if err != nil {
		return err
	}
	const perSecond = 1e9 // nanoseconds
	for _, c := range stat.CPUs {
		cpu := label{"cpu", c.CPUNum}
		s.counter("node_schedstat_running_seconds_total", "Seconds the CPU ran a process.",
			float64(c.RunningNanoseconds)/perSecond, cpu)
		s.counter("node_schedstat_waiting_seconds_total", "Seconds that processes waited for the CPU, added up.",
			float64(c.WaitingNanoseconds)/perSecond, cpu)
		s.counter("node_schedstat_timeslices_total", "Time slices that the CPU ran.", float64(c.RunTimeslices), cpu)
	}
	return nil
}

// readPressure reads the stalls for want of a resource (PSI: Documentation/accounting/psi.rst
// of the kernel). "some" is the time in which a task at least waited, "full" that in
// which no task made progress.
func (m *machine) readPressure(s *scrape) error {
	found := false
	for _, resource := range []string{"cpu", "io", "memory", "irq"} {
		stalls, err := m.fs.PSIStatsForResource(resource)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.EOPNOTSUPP) {
			continue // too old, built without it, or booted with psi=0
		}
		if err != nil {
			return err
		}
		const perSecond = 1e6 // microseconds
		if stalls.Some != nil {
			found = true
			s.counter("node_pressure_"+resource+"_waiting_seconds_total",
				"Seconds in which some task waited for "+resource+".", float64(stalls.Some.Total)/perSecond)
		}
		if stalls.Full != nil && resource != "cpu" { // the machine as a whole is never without a CPU
			found = true
			s.counter("node_pressure_"+resource+"_stalled_seconds_total",
				"Seconds in which no task made progress for want of "+resource+".",
				float64(stalls.Full.Total)/perSecond)
		}
	}
	if !found {
		return errors.New("the kernel has no pressure stall information")
	}
	return nil
}

// readFiles reads the numbers of open files: open, free (always 0 since Linux 2.6), most.
func (m *machine) readFiles(s *scrape) error {
	text, err := readText(filepath.Join(m.proc, "sys/fs/file-nr"))
	if err != nil {
		return err
	}
	numbers := strings.Fields(text)
	if len(numbers) != 3 {
		return fmt.Errorf("parse file-nr: want 3 numbers in %q", text)
	}
	allocated, err1 := strconv.ParseFloat(numbers[0], 64)
	maximum, err2 := strconv.ParseFloat(numbers[2], 64)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("parse file-nr: %w", err)
	}
	s.gauge("node_filefd_allocated", "Open files of the machine.", allocated)
	s.gauge("node_filefd_maximum", "Most open files the machine may have.", maximum)
	return nil
}

func (m *machine) readName(s *scrape) error {
	var name unix.Utsname
	if err := m.uname(&name); err != nil {
		return fmt.Errorf("call uname: %w", err)
	}
	text := unix.ByteSliceToString
	s.gauge("node_uname_info", "What uname(2) tells, in labels.", 1,
		label{"sysname", text(name.Sysname[:])}, label{"release", text(name.Release[:])},
		label{"version", text(name.Version[:])}, label{"machine", text(name.Machine[:])},
		label{"nodename", text(name.Nodename[:])}, label{"domainname", text(name.Domainname[:])})
	return nil
}
