package memory

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/sys/processes"
)

// errNoCacheStat is the error of kernels before Linux 6.5.
var errNoCacheStat = errors.New("it takes Linux 6.5")

// cachedOf asks the kernel how many pages of each open file are in memory (cachestat(2)). mapped are the inodes of
// files that are mapped.
func cachedOf(pid int, mapped map[uint64]bool) (c *Cached, err error) {
	c = &Cached{}
	seen := map[[2]uint64]bool{}
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	numbers := processes.Numbers(dir)
	slices.Sort(numbers)
	for _, n := range numbers[:min(len(numbers), mostFiles)] {
		link := filepath.Join(dir, strconv.Itoa(n))
		info, err := os.Stat(link)
		if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
			continue
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		if !ok || mapped[stat.Ino] || seen[[2]uint64{uint64(stat.Dev), stat.Ino}] {
			continue
		}
		seen[[2]uint64{uint64(stat.Dev), stat.Ino}] = true
		name, _ := os.Readlink(link)
		if err := c.addFile(link, filepath.Base(name)); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(c.Of, compareDown)
	c.Of = c.Of[:min(len(c.Of), mostPieces)]
	return c, nil
}

// addFile asks for one file; one that cannot be opened any more is left out.
func (c *Cached) addFile(link, name string) error {
	fd, err := unix.Open(link, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	var of unix.Cachestat_t
	if err := unix.Cachestat(uint(fd), &unix.CachestatRange{}, &of, 0); err != nil { // length 0 is to the end
		if errors.Is(err, unix.ENOSYS) {
			return errNoCacheStat
		}
		return nil
	}
	if of.Cache > 0 {
		page := uint64(os.Getpagesize())
		c.add(name, of.Cache*page, of.Dirty*page)
	}
	return nil
}
