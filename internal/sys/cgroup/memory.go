package cgroup

import (
	"fmt"
	"math"
	"path"
	"strings"
)

// Memory is what is charged to a control group, bytes. It has the pages of files that its processes have read and
// written, too, whether they are mapped or not.
type Memory struct {
	// Path is where the group is.
	Path string `json:"path"`
	// Charged is the sum (memory.current). Limit is 0 without one.
	Charged int64 `json:"current_bytes"`
	Limit   int64 `json:"limit_bytes,omitempty"`
	// Anonymous belongs to no file, Shared is of tmpfs and shared mappings: without swap neither can be dropped. Cached
	// are all other pages of files, which the kernel drops before it kills, Inactive those of them that were not used
	// lately, Dirty those that have to be written first. Kernel is the kernel's own for these processes.
	Anonymous int64 `json:"anonymous_bytes"`
	Shared    int64 `json:"shared_bytes"`
	Cached    int64 `json:"page_cache_bytes"`
	Inactive  int64 `json:"inactive_file_bytes"`
	Dirty     int64 `json:"dirty_bytes"`
	Kernel    int64 `json:"kernel_bytes"`
	// Processes are those in it, without groups below it.
	Processes int   `json:"processes"`
	OOMKills  int64 `json:"oom_kills,omitempty"`
}

// Kept is what the kernel cannot drop: over the limit it kills.
func (m Memory) Kept() int64 { return m.Anonymous + m.Shared + m.Kernel }

// MemoryOf reads the group that limits the memory of a process: the nearest one around it with a limit, and where there
// is none its own; false where no group counts memory.
func MemoryOf(pid int) (Memory, bool) { return here.memoryOf(pid) }

func (h host) memoryOf(pid int) (m Memory, known bool) {
	dirs, version1 := Around(h.text(fmt.Sprintf("proc/%d/cgroup", pid)), h.text("proc/self/mountinfo"), "memory")
	for _, dir := range dirs {
		here, counts := h.memoryIn(dir, version1)
		if !counts {
			continue
		}
		if !known || here.Limit > 0 {
			m, known = here, true
		}
		if m.Limit > 0 {
			break
		}
	}
	return m, known
}

// memoryIn reads one group (cgroup-v2.rst, "Memory Interface Files"; cgroup-v1/memory.rst).
func (h host) memoryIn(dir string, version1 bool) (m Memory, counts bool) {
	read := func(file string) string { return h.text(path.Join(dir, file)) }
	figure := func(file string) int64 { return number(strings.TrimSpace(read(file))) }
	m = Memory{Path: dir, Processes: len(processesIn(h.in(dir)))}
	stat := read("memory.stat")
	if version1 {
		m.Charged, m.Limit = figure("memory.usage_in_bytes"), figure("memory.limit_in_bytes")
		if m.Limit > math.MaxInt64/2 { // without a limit it is the highest number of whole pages
			m.Limit = 0
		}
		m.Anonymous, m.Shared, m.Kernel = keyed(stat, "total_rss"), keyed(stat, "total_shmem"),
			figure("memory.kmem.usage_in_bytes")
		m.Cached, m.Inactive = keyed(stat, "total_cache"), keyed(stat, "total_inactive_file")
		m.Dirty, m.OOMKills = keyed(stat, "total_dirty"), keyed(read("memory.oom_control"), "oom_kill")
	} else {
		m.Charged, m.Limit = figure("memory.current"), figure("memory.max")
		m.Anonymous, m.Shared = keyed(stat, "anon"), keyed(stat, "shmem")
		m.Kernel = max(keyed(stat, "kernel")-keyed(stat, "slab_reclaimable"), 0)
		m.Cached, m.Inactive = keyed(stat, "file"), keyed(stat, "inactive_file")
		m.Dirty, m.OOMKills = keyed(stat, "file_dirty"), keyed(read("memory.events"), "oom_kill")
	}
	m.Cached = max(m.Cached-m.Shared, 0)
	return m, m.Charged > 0
}
