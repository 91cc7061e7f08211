package machine

import (
	"errors"
	"os"
	"time"

	"github.com/gohone/hone/internal/sys/cgroup"
)

// Gauge reads the conditions of the machine often: it keeps the files of /proc and of
// the control groups open and takes about 20 us per reading on a machine of few CPUs
// (BenchmarkGauge), nearly all of it the kernel's.
type Gauge struct {
	stat, load, cpu, memory, io *os.File   // nil if unavailable
	throttles                   []*os.File // cpu.stat of the groups that have a quota
	throttling                  bool       // whether throttling is known at all
	buffer                      [1 << 10]byte
}

// OpenGauge prepares the readings. It never fails: what cannot be read is unknown.
// Control groups that have no quota now are taken to stay without one.
func OpenGauge() *Gauge { return openGauge("/") }

// openGauge takes the place of the root directory, for tests.
func openGauge(root string) *Gauge {
	open := func(name string) *os.File {
		f, err := os.Open(root + name)
		if err != nil {
			return nil
		}
		return f
	}
	g := &Gauge{
		stat: open("proc/stat"), load: open("proc/loadavg"),
		cpu: open("proc/pressure/cpu"), memory: open("proc/pressure/memory"), io: open("proc/pressure/io"),
	}
	groups, _ := cgroup.Around(readText(root+"proc/self/cgroup"), readText(root+"proc/self/mountinfo"), "cpu")
	for _, dir := range groups {
		if !parseThrottled(readText(root + dir + "/cpu.stat")).known {
			continue
		}
		g.throttling = true
		if hasQuota(readText(root+dir+"/cpu.max"), readText(root+dir+"/cpu.cfs_quota_us")) {
			g.throttles = append(g.throttles, open(dir+"/cpu.stat"))
		}
	}
	return g
}

// Read takes a reading. Not safe for concurrent use.
func (g *Gauge) Read() Conditions {
	c := Conditions{at: time.Now(), cpu: parseCPUTimes(g.text(g.stat)), load1: parseLoad1(g.text(g.load))}
	c.pressure.cpu, _ = parsePressure(g.text(g.cpu))
	c.pressure.memory, c.pressure.memoryFull = parsePressure(g.text(g.memory))
	c.pressure.io, _ = parsePressure(g.text(g.io))
	c.throttled.known = g.throttling
	for _, f := range g.throttles {
		one := parseThrottled(g.text(f))
		c.throttled.n += one.n
		c.throttled.known = c.throttled.known && one.known
	}
	return c
}

// text reads the start of a file afresh; all that is wanted stands in its first lines.
func (g *Gauge) text(f *os.File) string {
	if f == nil {
		return ""
	}
	n, _ := f.ReadAt(g.buffer[:], 0) // io.EOF, or an error with nothing read
	return string(g.buffer[:n])
}

// Close closes the files. Read must not be called afterwards.
func (g *Gauge) Close() error {
	var errs []error
	for _, f := range append([]*os.File{g.stat, g.load, g.cpu, g.memory, g.io}, g.throttles...) {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
