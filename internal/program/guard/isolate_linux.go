package guard

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolations lists the ways to give a guard a network namespace of its own, the
// best first: a plain one for root, one inside a user namespace for everybody else
// (and for a root without capabilities, as in a container). The user namespace maps
// the user and group to themselves, so that files look as usual.
func isolations() []*syscall.SysProcAttr {
	plain := &syscall.SysProcAttr{Setsid: true, Cloneflags: unix.CLONE_NEWNET}
	uid, gid := os.Geteuid(), os.Getegid()
	user := &syscall.SysProcAttr{
		Setsid:      true,
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}},
		// The exec of the guard would lose the right to bring the loopback up.
		AmbientCaps: []uintptr{unix.CAP_NET_ADMIN},
	}
	if uid == 0 {
		return []*syscall.SysProcAttr{plain, user}
	}
	return []*syscall.SysProcAttr{user}
}

// loopbackUp brings lo up in the calling process's network namespace. The kernel
// gives it 127.0.0.1 and ::1 by itself.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	req, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, req); err != nil {
		return err
	}
	req.SetUint16(req.Uint16() | unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, req)
}
