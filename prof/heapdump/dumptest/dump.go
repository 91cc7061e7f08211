// Package dumptest writes heap dumps for tests, as debug.WriteHeapDump does.
package dumptest

import "encoding/binary"

// Dump is a dump that grows.
type Dump []byte

// New begins a dump of a program for amd64.
func New(version string) Dump {
	d := Dump("go1.7 heap dump\n")
	return d.Numbers(6, 0, 8, 0, 0).Text("amd64").Text(version).Numbers(1)
}

// Numbers appends numbers as the format writes them.
func (d Dump) Numbers(all ...uint64) Dump {
	for _, v := range all {
		d = binary.AppendUvarint(d, v)
	}
	return d
}

// Text appends a text with its length.
func (d Dump) Text(s string) Dump { return append(d.Numbers(uint64(len(s))), s...) }

// Words appends contents of 64-bit words with their length.
func (d Dump) Words(words []uint64) Dump {
	d = d.Numbers(8 * uint64(len(words)))
	for _, w := range words {
		d = binary.LittleEndian.AppendUint64(d, w)
	}
	return d
}

// Pointers appends the list of the pointers at the indices of words.
func (d Dump) Pointers(at ...int) Dump {
	for _, i := range at {
		d = d.Numbers(1, 8*uint64(i))
	}
	return d.Numbers(0)
}

// Object appends an object of words, of which some are pointers.
func (d Dump) Object(address uint64, words []uint64, pointers ...int) Dump {
	return d.Numbers(1, address).Words(words).Pointers(pointers...)
}

// Data appends the data segment.
func (d Dump) Data(address uint64, words []uint64, pointers ...int) Dump {
	return d.Numbers(12, address).Words(words).Pointers(pointers...)
}

// Goroutine appends a goroutine with one frame of words.
func (d Dump) Goroutine(g, sp uint64, function string, words []uint64, pointers ...int) Dump {
	d = d.Numbers(4, g, sp, 1, 0, 4, 0, 0, 0).Text("chan receive").Numbers(0, 0, 0, 0)
	return d.Numbers(5, sp, 0, 0).Words(words).Numbers(0x1000, 0x1010, 0x1010).Text(function).Pointers(pointers...)
}

// End appends the end.
func (d Dump) End() Dump { return d.Numbers(0) }
