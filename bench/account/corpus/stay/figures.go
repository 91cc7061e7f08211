package stay

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strconv"
	"strings"
)

// Figures are what a program knows of its memory, in bytes.
type Figures struct {
	// RSS is what /proc/self/smaps says in sum. Exe, Files and Shared are the parts of it that are mapped from the program,
	// from other files, and from memory with a name (memfd, /dev/shm). Anonymous is the rest.
	RSS       int64 `json:"rss"`
	Exe       int64 `json:"exe"`
	Files     int64 `json:"files"`
	Shared    int64 `json:"shared"`
	Anonymous int64 `json:"anonymous"`
	// What follows is runtime/metrics, of which not all bytes are resident. Objects are live ones and garbage, Live those
	// that the last collection found.
	Objects int64 `json:"objects"`
	Live    int64 `json:"live"`
	Unused  int64 `json:"unused"` // in spans that are in use
	Free    int64 `json:"free"`   // in spans that are not
	Stacks  int64 `json:"stacks"`
	Runtime int64 `json:"runtime"`
	// Cycles are collections so far.
	Cycles int64 `json:"cycles"`
}

// classes are the metrics that Figures sum up.
var classes = []struct {
	name string
	to   func(*Figures) *int64
}{
	{"/memory/classes/heap/objects:bytes", func(f *Figures) *int64 { return &f.Objects }},
	{"/gc/heap/live:bytes", func(f *Figures) *int64 { return &f.Live }},
	{"/memory/classes/heap/unused:bytes", func(f *Figures) *int64 { return &f.Unused }},
	{"/memory/classes/heap/free:bytes", func(f *Figures) *int64 { return &f.Free }},
	{"/memory/classes/heap/stacks:bytes", func(f *Figures) *int64 { return &f.Stacks }},
	{"/memory/classes/metadata/mcache/inuse:bytes", runtimes}, {"/memory/classes/metadata/mcache/free:bytes", runtimes},
	{"/memory/classes/metadata/mspan/inuse:bytes", runtimes}, {"/memory/classes/metadata/mspan/free:bytes", runtimes},
	{"/memory/classes/metadata/other:bytes", runtimes}, {"/memory/classes/profiling/buckets:bytes", runtimes},
	{"/memory/classes/other:bytes", runtimes},
	{"/gc/cycles/total:gc-cycles", func(f *Figures) *int64 { return &f.Cycles }},
}

func runtimes(f *Figures) *int64 { return &f.Runtime }

func figures() (f Figures, err error) {
	samples := make([]metrics.Sample, len(classes))
	for i, c := range classes {
		samples[i].Name = c.name
	}
	metrics.Read(samples)
	for i, c := range classes {
		if samples[i].Value.Kind() != metrics.KindUint64 {
			return f, fmt.Errorf("no metric %s", c.name)
		}
		*c.to(&f) += int64(samples[i].Value.Uint64())
	}
	return f, f.readMaps()
}

// readMaps sums up /proc/self/smaps (proc_pid_smaps(5)). Each mapping has a line ADDRESSES PERMISSIONS OFFSET DEVICE INODE
// [PATH], and a line Rss: N kB.
func (f *Figures) readMaps() error {
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return err
	}
	defer maps.Close()
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	to := &f.Anonymous
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		rss, ok := bytes.CutPrefix(lines.Bytes(), []byte("Rss:"))
		if ok {
			kilobytes, err := strconv.ParseInt(string(bytes.TrimSpace(bytes.TrimSuffix(rss, []byte("kB")))), 10, 64)
			if err != nil {
				return err
			}
			*to += kilobytes << 10
			f.RSS += kilobytes << 10
		} else if first, _, _ := bytes.Cut(lines.Bytes(), []byte(" ")); bytes.Contains(first, []byte("-")) {
			words := strings.Fields(lines.Text())
			to = f.of(append(words, "")[5], exe)
		}
	}
	return lines.Err()
}

// of is where a mapping with a path counts; "" is one without.
func (f *Figures) of(path, exe string) *int64 {
	switch {
	case path == exe || filepath.Base(path) == filepath.Base(exe):
		return &f.Exe
	case strings.HasPrefix(path, "/memfd:"), strings.HasPrefix(path, "/dev/shm/"), strings.HasPrefix(path, "/dev/zero"):
		return &f.Shared
	case strings.HasPrefix(path, "/"):
		return &f.Files
	}
	return &f.Anonymous
}
