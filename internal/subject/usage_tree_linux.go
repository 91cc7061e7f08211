package subject

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/gohone/hone/internal/machine"
)

// childrenOf lists the children of all threads of pid (proc_pid_task(5): children).
func childrenOf(pid int) []int {
	tasks := fmt.Sprintf("/proc/%d/task", pid)
	var pids []int
	for _, tid := range numbers(tasks) {
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

// descendantsByParent is the way of kernels without children files: it reads the
// parent of every process there is.
func descendantsByParent(root int) []int {
	children := map[int][]int{}
	for _, pid := range allProcesses() {
		if s, err := machine.ReadProcessStat(pid); err == nil {
			children[s.Parent] = append(children[s.Parent], pid)
		}
	}
	var all []int
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		below := children[queue[0]]
		delete(children, queue[0])
		all = append(all, below...)
		queue = append(queue, below...)
	}
	return all
}

// allProcesses lists the processes of the machine in ascending order.
func allProcesses() []int {
	pids := numbers("/proc")
	slices.Sort(pids)
	return pids
}

// numbers lists the entries of a directory that are numbers; none if it is gone.
func numbers(dir string) []int {
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
