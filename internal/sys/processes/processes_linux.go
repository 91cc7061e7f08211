package processes

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/gohone/hone/internal/sys/machine"
)

// Below lists the processes below root, parents before children. It may miss
// a child whose sibling ends at the same moment: callers that must not miss any
// ask again.
func Below(root, _ int) []int {
	if _, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d/children", root, root)); err != nil {
		return belowByParent(root)
	}
	return walk(root, childrenOf)
}

// Name returns the name of a process, and false if it has ended.
func Name(pid int) (string, bool) {
	s, err := machine.ReadProcessStat(pid)
	if err != nil {
		return "", false
	}
	return s.Name, !s.Ended()
}

// walk lists the descendants of root, parents before children, each once.
func walk(root int, childrenOf func(pid int) []int) (all []int) {
	seen := map[int]bool{root: true}
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		for _, child := range childrenOf(queue[0]) {
			if !seen[child] {
				seen[child] = true
				all = append(all, child)
				queue = append(queue, child)
			}
		}
	}
	return all
}

// childrenOf lists the children of all threads of pid (proc_pid_task(5): children).
func childrenOf(pid int) []int {
	tasks := fmt.Sprintf("/proc/%d/task", pid)
	var pids []int
	for _, tid := range Numbers(tasks) {
		text, err := os.ReadFile(fmt.Sprintf("%s/%d/children", tasks, tid))
		if err != nil {
			continue
		}
		for _, field := range bytes.Fields(text) {
			if child, err := strconv.Atoi(string(field)); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}

// belowByParent is the way of kernels without children files: it reads the
// parent of every process there is.
func belowByParent(root int) []int {
	children := map[int][]int{}
	for _, pid := range All() {
		if s, err := machine.ReadProcessStat(pid); err == nil {
			children[s.Parent] = append(children[s.Parent], pid)
		}
	}
	return walk(root, func(pid int) []int { return children[pid] })
}

// All lists the processes of the machine in ascending order.
func All() []int {
	pids := Numbers("/proc")
	slices.Sort(pids)
	return pids
}

// Numbers lists the entries of a directory that are numbers; none if it is gone.
func Numbers(dir string) []int {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1) // what was read before an error is still right
	var list []int
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil {
			list = append(list, n)
		}
	}
	return list
}
