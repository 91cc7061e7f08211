// Command slots has memory for scripts, each with a page before and behind it that may not be touched.
//
// planted: anonymous outside of the runtime, 66 MB
package main

import (
	"golang.org/x/sys/unix"

	"resident/stay"
)

const (
	page = 4096
	slot = 64 << 10
)

var slots [][]byte

func open() []byte {
	all := stay.Must(unix.Mmap(-1, 0, slot+2*page, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS))
	memory := all[page : page+slot]
	stay.Must(0, unix.Mprotect(memory, unix.PROT_READ|unix.PROT_WRITE))
	return memory
}

var scripts [][]byte

func main() {
	stay.Program{
		Rest: func() {
			for range 300 {
				scripts = append(scripts, stay.Fill(make([]byte, 100e3)))
			}
		},
		Plant: func() {
			for range 1000 {
				slots = append(slots, stay.Fill(open()))
			}
		},
	}.Main()
}
