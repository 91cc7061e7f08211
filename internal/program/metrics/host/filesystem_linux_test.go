package host

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// A file system that hangs costs a scrape its patience, once; it is not asked again before
// it has answered, and the others are not affected.
func TestAHangingMount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		release := make(chan bool)
		m := mounts{
			statfs: func(path string, to *unix.Statfs_t) error {
				if path == "/hangs" {
					calls.Add(1)
					<-release
				}
				to.Blocks = 7
				return nil
			},
			patience: mountPatience,
		}
		list := []mount{{point: "/hangs"}, {point: "/works"}}
		timed := func() ([]sizes, time.Duration) {
			start := time.Now()
			answers := m.ask(list)
			return answers, time.Since(start)
		}
		for i, want := range []time.Duration{mountPatience, 0, 0} {
			answers, took := timed()
			if took != want {
				t.Errorf("scrape %d took %v, want %v", i, took, want)
			}
			if !errors.Is(answers[0].err, errMountTimeout) || answers[1].err != nil || answers[1].Blocks != 7 {
				t.Errorf("scrape %d: %+v", i, answers)
			}
		}
		if n := calls.Load(); n != 1 {
			t.Errorf("the mount that hangs was asked %d times", n)
		}
		close(release)
		synctest.Wait()
		if answers, took := timed(); took != 0 || answers[0].err != nil || answers[0].Blocks != 7 {
			t.Errorf("after it has come back: %+v in %v", answers, took)
		}
	})
}

func TestWhichMountsAreAsked(t *testing.T) {
	info := func(point, kind string) *procfs.MountInfo {
		return &procfs.MountInfo{MountPoint: point, FSType: kind, Source: kind + " of " + point}
	}
	var got []string
	for _, m := range localMounts([]*procfs.MountInfo{
		info("/", "ext4"), info("/proc", "proc"), info("/dev/shm", "tmpfs"), info("/run", "tmpfs"),
		info("/a", "xfs"), info("/a", "btrfs"), // one over the other
		info("/b", "ext4"), info("/b", "nfs4"), // what is below answers no question any more
		info(`/tab\011space\040slash\134`, "vfat"),
		info("/net", "cifs"), info("/net9", "9p"), info("/fuse", "fuse.sshfs"), info("/plain", "fuse"),
		info("/ntfs", "fuseblk"),
		info("/\xfe", "ext4"), info("/\xff", "ext4"),
	}) {
		got = append(got, m.labels[2].value+" "+m.point)
	}
	want := []string{"ext4 /", "tmpfs /run", "btrfs /a", "vfat /tab\tspace slash\\", "fuseblk /ntfs", "ext4 /\xfe"}
	if !slices.Equal(got, want) {
		t.Errorf("asked:\n%q, want\n%q", got, want)
	}
}
