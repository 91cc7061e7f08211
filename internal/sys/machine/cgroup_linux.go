package machine

import (
	"path"
	"strings"
)

// cpuGroups returns the directories of the control groups that may throttle this
// process: its own and those around it, as far up as they can be seen. The texts are
// /proc/self/cgroup and /proc/self/mountinfo (cgroups(7), proc_pid_mountinfo(5)). Where
// version 1 has the CPU controller it counts, also beside version 2.
func cpuGroups(cgroup, mountinfo string) []string {
	own, version1 := ownGroup(cgroup)
	if own == "" {
		return nil
	}
	root, top := groupMount(mountinfo, version1)
	if top == "" {
		return nil
	}
	inside, seen := strings.CutPrefix(own, strings.TrimSuffix(root, "/"))
	if !seen || (inside != "" && inside[0] != '/') {
		inside = "" // of the groups above a container only its own top can be seen
	}
	dirs := []string{}
	for dir := path.Clean("/" + inside); dir != "/"; dir = path.Dir(dir) {
		dirs = append(dirs, top+dir)
	}
	return append(dirs, top)
}

// ownGroup finds the line with the CPU controller (ID:controllers:path), else that of
// version 2, which has none.
func ownGroup(cgroup string) (group string, version1 bool) {
	for line := range strings.Lines(cgroup) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) < 3 {
			continue
		}
		if hasWord(parts[1], "cpu") {
			return parts[2], true
		}
		if parts[1] == "" {
			group = parts[2]
		}
	}
	return group, false
}

// groupMount finds where the hierarchy is mounted, and which of its groups is the root
// of the mount. The fields before " - " are: ID, parent, device, root, mount point and
// more; behind it: type, source, options.
func groupMount(mountinfo string, version1 bool) (root, top string) {
	for line := range strings.Lines(mountinfo) {
		before, after, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " - ")
		fields, kind := strings.Split(before, " "), strings.Split(after, " ")
		if len(fields) < 5 || len(kind) < 3 {
			continue
		}
		if (version1 && kind[0] == "cgroup" && hasWord(kind[2], "cpu")) || (!version1 && kind[0] == "cgroup2") {
			return unescape.Replace(fields[3]), unescape.Replace(fields[4])
		}
	}
	return "", ""
}

// unescape undoes what the kernel writes for white space and backslash in paths.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

func hasWord(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

// hasQuota says whether a group's CPU time is limited: cpu.max of version 2 is "max
// 100000" without a limit, cpu.cfs_quota_us of version 1 is -1.
func hasQuota(cpuMax, cfsQuota string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(cpuMax+cfsQuota), " ")
	return first != "" && first != "max" && !strings.HasPrefix(first, "-")
}
