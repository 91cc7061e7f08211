package cgroup

import (
	"path"
	"strings"
	"testing"
)

// FuzzControlGroups: the directories lie one in the other below the mount, whatever the
// two files hold.
func FuzzControlGroups(f *testing.F) {
	f.Add("0::/user/app\n", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
	f.Add("3:cpu,cpuacct:/a\\b\n0::/\n", mountsOfBoth)
	f.Add("0::/../x", "30 23 0:26 /docker /sys/fs/cg\\040roup rw - cgroup2 cgroup2 rw\n")
	f.Add("0::docker", "1 2 3 /do / - cgroup2 a b")
	f.Fuzz(func(t *testing.T, cgroup, mountinfo string) {
		dirs, _ := Around(cgroup, mountinfo, "cpu")
		if len(dirs) == 0 {
			return
		}
		top := dirs[len(dirs)-1]
		for i, dir := range dirs[:len(dirs)-1] {
			inside, below := strings.CutPrefix(dir, top)
			if !below || !strings.HasPrefix(inside, "/") || path.Clean(inside) != inside ||
				top+strings.TrimSuffix(path.Dir(inside), "/") != dirs[i+1] {
				t.Fatalf("%q is not in the group after it: %q", dir, dirs)
			}
		}
	})
}

const mountsOfBoth = `31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
`
