// Package elftest writes programs for tests: ELF files of 64 bits with DWARF that no compiler would write.
package elftest

import (
	"bytes"
	"encoding/binary"
)

// Section is a section of a program.
type Section struct {
	Name    string
	Type    uint32
	Flags   uint64
	Address uint64
	Data    []byte
	Link    uint32
	Entry   uint64 // bytes of one
}

// The segments of the programs: their one segment of variables, and where the descriptions of types are.
const (
	Data, DataSize = 0x8000, 0x20
	Types          = 0x9000
	// RuntimeType is where the runtime describes the first type of Describe.
	RuntimeType = Types + 0x40
)

// Program is an executable of a release of Go, with the symbols of its segments and these sections.
func Program(version string, more ...Section) []byte {
	info := append([]byte("\xff Go buildinf:"), 8, 2)
	info = append(info, make([]byte, 16)...)
	info = append(append(binary.AppendUvarint(info, uint64(len(version))), version...), 0)
	info = append(info, make([]byte, 16)...)
	names, symbols := symbols()
	all := append([]Section{
		{}, {Name: ".go.buildinfo", Type: 1, Flags: 3, Address: 0x4000, Data: info},
		{Name: ".strtab", Type: 3, Data: names}, {Name: ".symtab", Type: 2, Data: symbols, Link: 2, Entry: 24},
	}, more...)
	return write(all, 0x4000, uint64(len(info)))
}

// symbols are the marks of the segments, and the variable main.g at the begin of the first.
func symbols() (names, table []byte) {
	names, table = []byte{0}, make([]byte, 24)
	for _, s := range []struct {
		name string
		at   uint64
	}{
		{"runtime.data", Data}, {"runtime.edata", Data + DataSize}, {"runtime.bss", Data + DataSize},
		{"runtime.ebss", Data + DataSize}, {"runtime.types", Types}, {"main.g", Data},
	} {
		table = binary.LittleEndian.AppendUint32(table, uint32(len(names)))
		table = append(table, 0x11, 0, 1, 0)
		table = binary.LittleEndian.AppendUint64(table, s.at)
		table = append(table, make([]byte, 8)...)
		names = append(append(names, s.name...), 0)
	}
	return names, table
}

// write lays out the file: its header, one loaded segment, the sections, their headers. The segment is section 1.
func write(all []Section, address, size uint64) []byte {
	const header, segment = 64, 56
	body, headers, titles := []byte{}, []byte{}, []byte{0}
	all = append(all, Section{Name: ".shstrtab", Type: 3})
	starts := make([]uint32, len(all))
	for i, s := range all {
		if s.Name != "" {
			starts[i] = uint32(len(titles))
			titles = append(append(titles, s.Name...), 0)
		}
	}
	all[len(all)-1].Data = titles
	le := binary.LittleEndian
	for i, s := range all {
		at := uint64(header + segment + len(body))
		if s.Type == 0 {
			at = 0
		}
		headers = le.AppendUint32(le.AppendUint32(headers, starts[i]), s.Type)
		for _, v := range []uint64{s.Flags, s.Address, at, uint64(len(s.Data))} {
			headers = le.AppendUint64(headers, v)
		}
		headers = le.AppendUint32(le.AppendUint32(headers, s.Link), 1)
		headers = le.AppendUint64(le.AppendUint64(headers, 1), s.Entry)
		body = append(body, s.Data...)
	}
	var b bytes.Buffer
	b.WriteString("\x7fELF\x02\x01\x01")
	b.Write(make([]byte, 9))
	put := func(v any) { _ = binary.Write(&b, le, v) } // a buffer takes all
	put([]uint16{2, 62})
	put(uint32(1))
	put([]uint64{0x1000, header, uint64(header + segment + len(body))})
	put(uint32(0))
	put([]uint16{header, segment, 1, 64, uint16(len(all)), uint16(len(all) - 1)})
	put([]uint32{1, 6})
	put([]uint64{header + segment, address, address, size, size, 16})
	b.Write(body)
	b.Write(headers)
	return b.Bytes()
}
