// Command frames writes pictures of a camera into a ring that a player maps, too.
//
// planted: shared memory, 48 MB
// needs: shm
package main

import (
	"syscall"

	"resident/stay"
)

const (
	frame = 640 * 480 * 2
	ring  = 78
)

var pictures []byte

func main() {
	stay.Program{Plant: func() {
		f := stay.File("/dev/shm", 4096)
		stay.Must(0, f.Truncate(frame*ring))
		pictures = stay.Must(syscall.Mmap(int(f.Fd()), 0, frame*ring, syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_SHARED))
		for i := range ring {
			stay.Fill(pictures[i*frame : (i+1)*frame])
		}
	}}.Main()
}
