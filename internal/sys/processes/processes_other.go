//go:build !linux

package processes

import (
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Below lists the processes below root and those of the subject's process
// group. A process that left both (double fork and setsid) is not found.
func Below(root, group int) []int {
	table, err := ReadPS()
	if err != nil {
		return nil
	}
	return table.belowOrGrouped(root, group)
}

func Name(pid int) (string, bool) {
	table, err := ReadPS()
	if err != nil {
		return "", false
	}
	row, ok := table[pid]
	return row.name, ok && !row.zombie
}

// psRow is a process as ps shows it.
type psRow struct {
	parent, group int
	zombie        bool
	RSS           int64 // bytes
	CPU           time.Duration
	name          string
}

type psTable map[int]psRow

func ReadPS() (psTable, error) {
	cmd := exec.Command("ps", "-A", "-o", "pid=,ppid=,pgid=,stat=,rss=,time=,comm=")
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("run ps: %w", err)
	}
	_ = cmd.Wait() // in the guard the reaper may have been faster
	table := parsePS(out.String())
	delete(table, cmd.Process.Pid)
	return table, nil
}

func parsePS(text string) psTable {
	table := psTable{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 7 {
			continue
		}
		pid, err := strconv.Atoi(f[0])
		if err != nil {
			continue
		}
		var row psRow
		row.parent, _ = strconv.Atoi(f[1])
		row.group, _ = strconv.Atoi(f[2])
		row.zombie = strings.HasPrefix(f[3], "Z")
		kB, _ := strconv.ParseInt(f[4], 10, 64)
		row.RSS = kB << 10
		row.CPU = parsePSTime(f[5])
		row.name = strings.Join(f[6:], " ")
		table[pid] = row
	}
	return table
}

// parsePSTime reads [[hours:]minutes:]seconds[.fraction]; 0 if it is none of that.
func parsePSTime(text string) time.Duration {
	var seconds float64
	for part := range strings.SplitSeq(text, ":") {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0
		}
		seconds = seconds*60 + n
	}
	return time.Duration(seconds * float64(time.Second))
}

// belowOrGrouped lists the descendants of root and the members of the process group.
func (t psTable) belowOrGrouped(root, group int) []int {
	children := map[int][]int{}
	for pid, row := range t {
		children[row.parent] = append(children[row.parent], pid)
	}
	var all []int
	seen := map[int]bool{root: true}
	queue := []int{root}
	if _, ok := t[group]; ok && group != 0 {
		queue = append(queue, group)
	}
	for pid, row := range t {
		if row.group == group && group != 0 {
			queue = append(queue, pid)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if pid := queue[0]; !seen[pid] {
			seen[pid] = true
			all = append(all, pid)
		}
		below := children[queue[0]]
		delete(children, queue[0])
		queue = append(queue, below...)
	}
	slices.Sort(all)
	return all
}

func All() []int {
	table, _ := ReadPS()
	return slices.Sorted(maps.Keys(table))
}
