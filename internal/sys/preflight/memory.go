package preflight

import (
	"bufio"
	"bytes"
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
)

// checkMemory compares the estimate with what the machine and the control group of this
// process can still give.
func (m machine) checkMemory(n Need) *fail.Error {
	free, known := m.memAvailable()
	group, grouped := m.groupMemory()
	if !(known && n.MemoryBytes > free) && !(grouped && n.MemoryBytes > group.free) {
		return nil
	}
	have, hint := "this machine has "+bytesOf(free)+" available", "use fewer connections with -c"
	if !known {
		have = "what this machine has is not known"
	}
	if grouped {
		have += ", and its control group allows " + bytesOf(group.free) + " more (limit " + bytesOf(group.limit) + ")"
		if n.MemoryBytes > group.free {
			hint += ", or raise the memory limit of " + group.path
		}
	}
	return fail.New(fail.Environment, "%d connections need about %s of memory; %s", n.Connections,
		bytesOf(n.MemoryBytes), have).
		WithHint("%s", hint)
}

func bytesOf(n uint64) string { return units.Bytes(float64(n)) }

// memAvailable is the kernel's estimate of what can be taken without swapping, in
// bytes: MemAvailable of proc_meminfo(5).
func (m machine) memAvailable() (free uint64, ok bool) {
	kB, ok := m.field("proc/meminfo", "MemAvailable:")
	if kB > math.MaxUint64>>10 {
		return 0, false
	}
	return kB << 10, ok
}

// memoryGroup is the control group that leaves the least memory.
type memoryGroup struct {
	path        string // of its directory
	limit, free uint64 // bytes
}

// hierarchy is where a version of control groups keeps its memory numbers.
type hierarchy struct{ root, limit, used, cache string }

var (
	version1 = hierarchy{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
		"total_inactive_file"}
	version2 = hierarchy{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"}
)

// groupMemory finds the tightest of the control groups that hold this process, both
// versions; false where none has a limit. A path that is not visible in this namespace
// is passed over for those above it.
func (m machine) groupMemory() (tightest memoryGroup, ok bool) {
	list, err := fs.ReadFile(m.files, "proc/self/cgroup")
	if err != nil {
		return memoryGroup{}, false
	}
	for line := range strings.Lines(string(list)) {
		part := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3) // cgroups(7): ID:controllers:path
		if len(part) < 3 {
			continue
		}
		h := version2
		if part[0] != "0" {
			if part[1] != "memory" && !strings.Contains(","+part[1]+",", ",memory,") {
				continue
			}
			h = version1
		}
		for dir := path.Clean("/" + part[2]); ; dir = path.Dir(dir) {
			if g, found := m.groupAt(h, path.Join(h.root, dir)); found && (!ok || g.free < tightest.free) {
				tightest, ok = g, true
			}
			if dir == "/" {
				break
			}
		}
	}
	return tightest, ok
}

// groupAt reads one group; false if it is not there or has no limit. The cache of files
// that are not in use counts as free, for the kernel drops it first.
func (m machine) groupAt(h hierarchy, dir string) (memoryGroup, bool) {
	limit, ok := m.number(path.Join(dir, h.limit))
	if !ok || limit >= math.MaxInt64>>12<<12 { // version 1 writes "none" as the last whole page
		return memoryGroup{}, false
	}
	used, ok := m.number(path.Join(dir, h.used))
	if !ok {
		return memoryGroup{}, false
	}
	cache, _ := m.field(path.Join(dir, "memory.stat"), h.cache)
	used -= min(cache, used)
	return memoryGroup{path: "/" + dir, limit: limit, free: limit - min(used, limit)}, true
}

// number reads a file that holds one number.
func (m machine) number(name string) (uint64, bool) {
	text, err := fs.ReadFile(m.files, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
	return n, err == nil
}

// field reads the number that stands after a key at the beginning of a line.
func (m machine) field(name, key string) (uint64, bool) {
	text, err := fs.ReadFile(m.files, name)
	if err != nil {
		return 0, false
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) >= 2 && words[0] == key {
			n, err := strconv.ParseUint(words[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
