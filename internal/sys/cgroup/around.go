package cgroup

import (
	"path"
	"strings"
)

// Around returns the directories of the control groups of this process with a controller (cpu, memory): its own and
// those around it, as far up as they can be seen. The texts are /proc/self/cgroup and /proc/self/mountinfo (cgroups(7),
// proc_pid_mountinfo(5)). Where version 1 has the controller it counts, also beside version 2.
func Around(cgroup, mountinfo, controller string) (dirs []string, version1 bool) {
	own, version1 := ownGroup(cgroup, controller)
	if own == "" {
		return nil, version1
	}
	root, top := groupMount(mountinfo, controller, version1)
	if top == "" {
		return nil, version1
	}
	inside, seen := strings.CutPrefix(own, strings.TrimSuffix(root, "/"))
	if !seen || (inside != "" && inside[0] != '/') {
		inside = "" // of the groups above a container only its own top can be seen
	}
	for dir := path.Clean("/" + inside); dir != "/"; dir = path.Dir(dir) {
		dirs = append(dirs, top+dir)
	}
	return append(dirs, top), version1
}

// ownGroup finds the line with the controller (ID:controllers:path), else that of
// version 2, which has none.
func ownGroup(cgroup, controller string) (group string, version1 bool) {
	for line := range strings.Lines(cgroup) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) < 3 {
			continue
		}
		if hasWord(parts[1], ",", controller) {
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
func groupMount(mountinfo, controller string, version1 bool) (root, top string) {
	for line := range strings.Lines(mountinfo) {
		before, after, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " - ")
		fields, kind := strings.Split(before, " "), strings.Split(after, " ")
		if len(fields) < 5 || len(kind) < 3 {
			continue
		}
		if (version1 && kind[0] == "cgroup" && hasWord(kind[2], ",", controller)) ||
			(!version1 && kind[0] == "cgroup2") {
			return unescape.Replace(fields[3]), unescape.Replace(fields[4])
		}
	}
	return "", ""
}

// unescape undoes what the kernel writes for white space and backslash in paths.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

func hasWord(list, separator, word string) bool {
	for w := range strings.SplitSeq(strings.TrimSpace(list), separator) {
		if w == word {
			return true
		}
	}
	return false
}
