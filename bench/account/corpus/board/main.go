// Command board shares a board with processes that it would start, in memory without a file.
//
// planted: shared memory, 64 MB
package main

import (
	"golang.org/x/sys/unix"

	"resident/stay"
)

const size = 64e6

var cells []byte

func main() {
	stay.Program{Plant: func() {
		fd := stay.Must(unix.MemfdCreate("board", unix.MFD_CLOEXEC))
		stay.Must(0, unix.Ftruncate(fd, size))
		cells = stay.Fill(stay.Must(unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)))
	}}.Main()
}
