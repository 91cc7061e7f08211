package host

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/prometheus/procfs"
	"github.com/prometheus/procfs/blockdevice"
	"golang.org/x/sys/unix"
)

// New returns a collector of this machine's metrics. It fails only where there is no /proc.
func New() (*Collector, error) {
	return open(system{
		proc:     procfs.DefaultMountPoint,
		sys:      "/sys",
		pageSize: os.Getpagesize(),
		now:      time.Now,
		uname:    unix.Uname,
		statfs:   statfs,
		patience: mountPatience,
	})
}

// system is where the metrics come from.
type system struct {
	proc, sys string // directories
	pageSize  int    // bytes
	now       func() time.Time
	uname     func(*unix.Utsname) error
	statfs    func(path string, to *unix.Statfs_t) error
	patience  time.Duration // with all file systems together
}

// machine is what the sources share, and what they remember from one scrape to the next.
type machine struct {
	system
	fs     procfs.FS
	stat   func() (procfs.Stat, error) // /proc/stat, read once in a scrape
	clocks map[int64]cpuClocks

	disks    blockdevice.FS
	disksErr error

	throttles []throttle
	mounts    mounts

	meminfo, vmstat, netstat *family
}

func open(sys system) (*Collector, error) {
	fs, err := procfs.NewFS(sys.proc)
	if err != nil {
		return nil, fmt.Errorf("open metrics of the host: %w", err)
	}
	m := &machine{
		system:    sys,
		fs:        fs,
		clocks:    map[int64]cpuClocks{},
		throttles: findThrottles(sys.sys),
		mounts:    mounts{statfs: sys.statfs, patience: sys.patience},
		meminfo:   newFamily("node_memory_", ""),
		vmstat:    newFamily("node_vmstat_", vmstatFields),
		netstat:   newFamily("node_netstat_", netstatFields),
	}
	m.disks, m.disksErr = blockdevice.NewFS(sys.proc, sys.sys)
	return &Collector{
		begin: func() { m.stat = sync.OnceValues(m.fs.Stat) },
		sources: []source{
			{"time", m.readTime},
			{"cpu", m.readCPU},
			{"stat", m.readStat},
			{"loadavg", m.readLoad},
			{"schedstat", m.readSchedule},
			{"pressure", m.readPressure},
			{"meminfo", m.readMemory},
			{"vmstat", m.readVM},
			{"diskstats", m.readDisks},
			{"filesystem", m.readFilesystems},
			{"filefd", m.readFiles},
			{"netdev", m.readDevices},
			{"netstat", m.readNetwork},
			{"sockstat", m.readSockets},
			{"softnet", m.readSoftnet},
			{"uname", m.readName},
		},
	}, nil
}
