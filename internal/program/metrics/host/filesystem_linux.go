package host

import (
	"errors"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

var (
	// noMountPoint and noFilesystem are node_exporter's defaults.
	noMountPoint = regexp.MustCompile(
		`^/(dev|proc|run/credentials/.+|sys|var/lib/docker/.+|var/lib/containers/storage/.+)($|/)`)
	noFilesystem = regexp.MustCompile(`^(autofs|binfmt_misc|bpf|cgroup2?|configfs|debugfs|devpts|devtmpfs|fusectl|hugetlbfs|iso9660|mqueue|nsfs|overlay|proc|procfs|pstore|rpc_pipefs|securityfs|selinuxfs|squashfs|erofs|sysfs|tracefs)$`)
	// remote are hone's own addition: file systems behind which there is another machine, or
	// a program. To ask one puts load on what is not measured, and may take for ever.
	remote = regexp.MustCompile(
		`^(nfs\d?|cifs|smb\d?|smbfs|ncpfs|afs|coda|ceph|lustre|gpfs|beegfs|pvfs2|orangefs|9p|davfs|fuse|fuse\..+)$`)
)

// mountPatience is how long a scrape waits for file systems. One that works answers within
// microseconds, and a scrape has to end well before the next one, a second later.
const mountPatience = 250 * time.Millisecond

// mount is a file system at its place.
type mount struct {
	point    string // as the system calls want it
	labels   [3]label
	readOnly bool
}

// mounts asks file systems for their sizes.
type mounts struct {
	statfs   func(path string, to *unix.Statfs_t) error
	patience time.Duration

	busy sync.Map // of mount points whose statfs has not returned
}

// sizes is the answer of a mount, or the reason why it has not answered.
type sizes struct {
	unix.Statfs_t
	err error
}

var errMountTimeout = errors.New("mountpoint timeout") // node_exporter's word in the label device_error

func statfs(path string, to *unix.Statfs_t) error {
	for {
		if err := unix.Statfs(path, to); err != unix.EINTR {
			return err
		}
	}
}

func (m *machine) readFilesystems(s *scrape) error {
	infos, err := m.fs.GetMounts()
	if err != nil {
		return err
	}
	list := localMounts(infos)
	for i, answer := range m.mounts.ask(list) {
		mnt := list[i]
		reason := ""
		if answer.err != nil {
			reason = answer.err.Error()
		}
		labels := append(mnt.labels[:], label{"device_error", reason})
		send := func(name, help string, value float64) {
			s.gauge("node_filesystem_"+name, help, value, labels...)
		}
		send("device_error", "Whether the file system did not answer.", one(answer.err != nil))
		send("readonly", "Whether the file system is mounted to be read only.", one(mnt.readOnly))
		if answer.err != nil {
			continue
		}
		block := float64(answer.Bsize)
		send("size_bytes", "Size of the file system.", float64(answer.Blocks)*block)
		send("free_bytes", "Free space of the file system.", float64(answer.Bfree)*block)
		send("avail_bytes", "Free space of the file system for users other than root.", float64(answer.Bavail)*block)
		send("files", "Most files that the file system can have.", float64(answer.Files))
		send("files_free", "Files that the file system can have besides those it has.", float64(answer.Ffree))
	}
	return nil
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// localMounts picks the mounts that are wanted: the topmost at each mount point, since it is
// the one that answers there.
func localMounts(infos []*procfs.MountInfo) []mount {
	var list []mount
	at := map[string]int{}
	for _, info := range infos {
		point := mountEscapes.Replace(info.MountPoint)
		if i, covered := at[point]; covered {
			list[i].point = ""
		}
		_, ro := info.Options["ro"]
		_, superRO := info.SuperOptions["ro"]
		_, emergencyRO := info.SuperOptions["emergency_ro"]
		at[point] = len(list)
		list = append(list, mount{
			point: point,
			labels: [3]label{
				{"device", mountEscapes.Replace(info.Source)},
				{"mountpoint", point},
				{"fstype", info.FSType},
			},
			readOnly: ro || superRO || emergencyRO,
		})
	}
	wanted, seen := list[:0], map[string]bool{}
	for _, m := range list {
		kind, shown := m.labels[2].value, valid(m.point)
		if m.point == "" || noMountPoint.MatchString(m.point) || noFilesystem.MatchString(kind) ||
			remote.MatchString(kind) {
			continue
		}
		if seen[shown] {
			continue // differs in bytes that no label can show; a second one would fail the whole scrape
		}
		seen[shown] = true
		wanted = append(wanted, m)
	}
	return wanted
}

// mountEscapes are what the kernel writes as a backslash and three octal digits: space, tab,
// newline, # and backslash (mangle in fs/proc_namespace.c).
var mountEscapes = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\043`, "#", `\134`, `\`)

// ask asks all mounts at once and returns their answers in the same order. Each question has
// a goroutine, since nothing can end a system call that hangs in a file system; it ends with
// the call. While it does, that mount is not asked again, so that there is at most one such
// goroutine for each.
func (m *mounts) ask(list []mount) []sizes {
	type indexed struct {
		index int
		sizes
	}
	all := make([]sizes, len(list))
	answers := make(chan indexed, len(list)) // the receiver may be gone
	asked := 0
	for i, mnt := range list {
		all[i].err = errMountTimeout
		if _, busy := m.busy.LoadOrStore(mnt.point, true); busy {
			continue
		}
		asked++
		go func() {
			answer := indexed{index: i}
			answer.err = m.statfs(mnt.point, &answer.Statfs_t)
			m.busy.Delete(mnt.point)
			answers <- answer
		}()
	}
	timeout := time.NewTimer(m.patience)
	defer timeout.Stop()
	for ; asked > 0; asked-- {
		select {
		case answer := <-answers:
			all[answer.index] = answer.sizes
		case <-timeout.C:
			return all
		}
	}
	return all
}
