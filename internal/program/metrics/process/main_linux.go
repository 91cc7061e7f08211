package process

import "github.com/prometheus/procfs"

// tellsAll says that usage.Reading has all its fields on this system.
const tellsAll = true

// readMain reads what is told about one process. known is what was learned before.
func readMain(pid int, known *start) (mainProcess, error) {
	proc, err := procfs.NewProc(pid)
	if err != nil {
		return mainProcess{}, err
	}
	stat, err := proc.Stat()
	if err != nil {
		return mainProcess{}, err
	}
	if known.pid != pid || known.ticks != stat.Starttime {
		seconds, err := stat.StartTime()
		if err != nil {
			return mainProcess{}, err
		}
		*known = start{pid: pid, ticks: stat.Starttime, seconds: seconds}
	}
	limits, err := proc.Limits()
	if err != nil {
		return mainProcess{}, err
	}
	return mainProcess{
		start:    known.seconds,
		virtual:  float64(stat.VirtualMemory()),
		maxFDs:   float64(limits.OpenFiles),
		maxBytes: float64(limits.AddressSpace),
	}, nil
}
