// Command lexicon looks up numbers in a sorted file that it maps.
//
// planted: file mapping, 64 MB
// needs: disk
package main

import (
	"bytes"
	"syscall"

	"resident/stay"
)

const size = 64e6

type index struct {
	text []byte
	hits int
}

var words index

func (x *index) lookUp(line int) []byte { return x.text[16*line : 16*line+15] }

func main() {
	stay.Program{Plant: func() {
		f := stay.File("", size)
		words.text = stay.Must(syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED))
		stay.Must(0, f.Close())
		for line := range int(size / 16) {
			if bytes.HasPrefix(words.lookUp(line), []byte("0000000007919")) {
				words.hits++
			}
		}
	}}.Main()
}
