// Package proftest makes profiles that are small in a file and large in memory or on a
// screen, for tests. It writes the wire format itself: no encoder would write most of them.
package proftest

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
)

// Bomb is a small file that asks for much.
type Bomb struct {
	Name string
	// File makes what is read.
	File func() []byte
	// Refused says that it is not a profile, or over a limit. The others are read, and what
	// views make of them has to be bounded.
	Refused bool
}

// Bombs are the shapes that are known.
func Bombs() []Bomb {
	return []Bomb{
		{"one stack of two million frames", func() []byte { return pack(deep(2_000_000, true)) }, true},
		{"one stack of two million frames, not packed", func() []byte { return pack(deep(2_000_000, false)) }, true},
		{"a location of a million inlined calls", func() []byte { return pack(inlined(1_000_000, 1)) }, true},
		{"a stack of 4000 frames", func() []byte { return pack(deep(4000, true)) }, false},
		{"2000 callers of one location with 4000 calls", func() []byte { return pack(inlined(4000, 2000)) }, false},
		{"1500 functions that all call each other", func() []byte { return pack(strides(1500, 400)) }, false},
		{"4000 frames with a name of 900 kB", func() []byte { return pack(named(4000, 900<<10)) }, false},
		{"a name of 2 MB", func() []byte { return pack(named(1, 2<<20)) }, true},
		{"200,000 labelled samples", func() []byte { return pack(labelled(200_000)) }, true},
		{"10,000 sample types", func() []byte { return pack(repeated(1, 10_000)) }, true},
		{"a million empty samples", func() []byte { return pack(append(header(), repeated(2, 1_000_000)...)) }, true},
		{"a million empty mappings", func() []byte { return pack(append(header(), repeated(3, 1_000_000)...)) }, true},
		{"a million empty locations", func() []byte { return pack(append(header(), repeated(4, 1_000_000)...)) }, true},
		{"a million empty functions", func() []byte { return pack(append(header(), repeated(5, 1_000_000)...)) }, true},
		{"four million empty names", func() []byte { return pack(append(header(), repeated(6, 4_000_000)...)) }, true},
		{"a million empty samples, not gzipped", func() []byte { return append(header(), repeated(2, 1_000_000)...) },
			true},
		{"80 MB of unknown fields", func() []byte {
			return pack(append(header(), bytes.Repeat(message(99, make([]byte, 1<<20)), 80)...))
		}, true},
		{"a gigabyte of zeros", func() []byte { return Zeros(1<<30, 1<<30) }, true},
		{"a gigabyte of zeros that says it is small", func() []byte { return Zeros(1<<30, 1000) }, true},
		{"a gzip in a gzip", func() []byte { return pack(pack(deep(10, true))) }, true},
		{"two gzip members", func() []byte { return append(pack(deep(10, true)), pack(deep(10, true))...) }, true},
		{"a thousand empty gzip members", func() []byte { return bytes.Repeat(pack(nil), 1000) }, true},
		{"a text profile", func() []byte {
			return pack([]byte("heap profile: 1: 2 [3: 4] @ heap/1048576\n" +
				strings.Repeat("1: 2 [3: 4] @ 0x1 0x2\n", 100_000)))
		}, true},
	}
}

// deep is one stack of n frames of two functions in turns.
func deep(n int, packed bool) []byte {
	m := functions(2)
	ids := make([]byte, 0, n)
	for i := range n {
		ids = append(ids, byte(1+i%2))
	}
	if packed {
		return append(m, sample(message(1, ids))...)
	}
	var plain []byte
	for _, id := range ids {
		plain = append(plain, 1<<3, id)
	}
	return append(m, sample(plain)...)
}

// inlined is callers of one location with n inlined calls: in a tree of all stacks each
// caller has them all below it.
func inlined(n, callers int) []byte {
	m := functions(callers + 1)
	line := message(4, varint(1, 1))
	m = append(m, message(4, append(varint(1, uint64(callers+2)), bytes.Repeat(line, n)...))...)
	for i := range callers {
		m = append(m, sample(message(1, binary.AppendUvarint(binary.AppendUvarint(nil, uint64(callers+2)),
			uint64(2+i))))...)
	}
	return m
}

// strides is stacks in which every function calls every other one: in stack number k
// each calls the one k further on.
func strides(n, stacks int) []byte {
	m := functions(n)
	for k := 1; k <= stacks; k++ {
		var ids []byte
		for i := range n {
			ids = binary.AppendUvarint(ids, uint64(1+i*k%n))
		}
		m = append(m, sample(message(1, ids))...)
	}
	return m
}

// named is one stack of n frames of a function with a name of so many bytes.
func named(n, length int) []byte {
	m := append(header(), message(6, bytes.Repeat([]byte{'f'}, length))...)
	m = append(m, message(5, append(varint(1, 1), varint(2, 3)...))...)
	m = append(m, message(4, append(varint(1, 1), message(4, varint(1, 1))...))...)
	return append(m, sample(message(1, bytes.Repeat([]byte{1}, n)))...)
}

// labelled is samples with a label of their own each.
func labelled(n int) []byte {
	m := functions(1)
	for i := range n {
		label := message(3, append(varint(1, 1), varint(3, uint64(i))...))
		m = append(m, message(2, append(append(varint(1, 1), message(2, []byte{1})...), label...))...)
	}
	return m
}

// header is a profile with one sample type and their names.
func header() []byte {
	m := message(1, append(varint(1, 1), varint(2, 2)...))
	for _, name := range []string{"", "goroutine", "count"} {
		m = append(m, message(6, []byte(name))...)
	}
	return m
}

// functions is a header and n functions with a location each; the numbers begin at 1.
func functions(n int) []byte {
	m := header()
	for i := range n {
		id := uint64(i + 1)
		m = append(m, message(6, fmt.Appendf(nil, "main.function%d", i))...)
		m = append(m, message(5, append(varint(1, id), varint(2, uint64(3+i))...))...)
		m = append(m, message(4, append(varint(1, id), message(4, varint(1, id))...))...)
	}
	return m
}

// sample is a sample of one with these fields.
func sample(fields []byte) []byte { return message(2, append(message(2, []byte{1}), fields...)) }

// repeated is n empty fields.
func repeated(number uint64, n int) []byte { return bytes.Repeat(message(number, nil), n) }

func message(number uint64, content []byte) []byte {
	m := binary.AppendUvarint(nil, number<<3|2)
	return append(binary.AppendUvarint(m, uint64(len(content))), content...)
}

func varint(number, value uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, number<<3), value)
}

func pack(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		panic(err) // a buffer does not fail
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Zeros is a gzip of size zero bytes that says it unpacks to claim bytes. It
// packs one megabyte and repeats the packed block, since packing all takes seconds.
func Zeros(size, claim int) []byte {
	const chunk = 1 << 20
	zeros := make([]byte, chunk)
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		panic(err)
	}
	flush := func() []byte {
		packed.Reset()
		w.Write(zeros)
		w.Flush()
		return bytes.Clone(packed.Bytes())
	}
	b := []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")
	b = append(b, flush()...)
	b = append(b, bytes.Repeat(flush(), size/chunk-1)...)
	b = append(b, 0x03, 0x00) // an empty last block
	sum := crc32.NewIEEE()
	for range size / chunk {
		sum.Write(zeros)
	}
	b = binary.LittleEndian.AppendUint32(b, sum.Sum32())
	return binary.LittleEndian.AppendUint32(b, uint32(claim))
}
