package machine

import (
	"fmt"
	"time"

	"github.com/gohone/hone/internal/sys/cgroup"
)

// Quotas is what the kernel has counted so far of the control groups that a process is in and that have a quota of CPU
// time, its own and those around it, added up; zero without one.
func Quotas(pid int) (sum cgroup.Counters) { return quotasBelow("/", pid) }

// quotasBelow takes the place of the root directory, for tests.
func quotasBelow(root string, pid int) (sum cgroup.Counters) {
	for _, p := range groupsWithQuota(root, pid) {
		if c, err := (cgroup.Group{CPU: p}).Read(); err == nil {
			sum = sum.Plus(c)
		}
	}
	return sum
}

// groupsWithQuota are those groups.
func groupsWithQuota(root string, pid int) (all []cgroup.Part) {
	groups, version1 := cgroup.Around(readText(fmt.Sprintf("%sproc/%d/cgroup", root, pid)),
		readText(root+"proc/self/mountinfo"), "cpu")
	for _, dir := range groups {
		if dir = root + dir; hasQuota(readText(dir+"/cpu.max"), readText(dir+"/cpu.cfs_quota_us")) {
			all = append(all, cgroup.Part{Dir: dir, Version1: version1})
		}
	}
	return all
}

// throttledOf is for how long the quota of a group has held threads back so far.
func throttledOf(p cgroup.Part) time.Duration { return parseThrottled(readText(p.Dir + "/cpu.stat")).n }
