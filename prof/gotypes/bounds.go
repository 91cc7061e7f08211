package gotypes

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// A program's file may be anyone's. Package debug/elf reads what a file says it has; these bounds keep that near the
// size of the file.
const (
	// mostUnpacked is how many times as large as in the file a compressed section may be: those of Go's DWARF are up to
	// 4 times.
	mostUnpacked = 16
	// longestName is the longest name that is kept: those of generic functions have some kilobytes.
	longestName = 1 << 13
	// leastFunction is what the table of lines has at least for a function: its entry and its record
	// (GOROOT/src/cmd/link/internal/ld/pcln.go).
	leastFunction = 8 + 40
)

// section is one of a program's file: its bytes there, and what they unpack to.
type section struct {
	name             string
	inFile, unpacked uint64
	read             func([]byte) (int, error) // from its beginning on
}

// checkSections refuses sections that together are larger than the file, or that unpack to much more than they have
// there.
func checkSections(all []section, size int64) error {
	var sum uint64
	for _, s := range all {
		if s.inFile > uint64(size) || sum+s.inFile > uint64(size) {
			return fmt.Errorf("its sections have more bytes than the file: %s has %d", s.name, s.inFile)
		}
		sum += s.inFile
		if strings.Contains(s.name, "zdebug_") { // "ZLIB", and the size as a big-endian number
			var head [12]byte
			if n, _ := s.read(head[:]); n == len(head) {
				s.unpacked = max(s.unpacked, binary.BigEndian.Uint64(head[4:]))
			}
		}
		if s.unpacked/mostUnpacked > s.inFile {
			return fmt.Errorf("section %s has %d bytes, and unpacks to %d: more than %d times as many",
				s.name, s.inFile, s.unpacked, mostUnpacked)
		}
	}
	return nil
}

func sectionsOfELF(e *elf.File) (all []section) {
	for _, s := range e.Sections {
		if s.Type != elf.SHT_NOBITS && s.Type != elf.SHT_NULL {
			all = append(all, section{s.Name, s.FileSize, s.Size,
				func(b []byte) (int, error) { return s.ReadAt(b, 0) }})
		}
	}
	return all
}

func sectionsOfMachO(m *macho.File) (all []section) {
	const zeroFill = 1 // S_ZEROFILL: it has no bytes in the file
	for _, s := range m.Sections {
		if s.Flags&0xff != zeroFill {
			all = append(all, section{s.Name, s.Size, s.Size, func(b []byte) (int, error) { return s.ReadAt(b, 0) }})
		}
	}
	return all
}

// symbolsOfELF are the symbols of a program. debug/elf copies the name of each, also where all are parts of one text.
func symbolsOfELF(e *elf.File) (all []Global) {
	s := e.SectionByType(elf.SHT_SYMTAB)
	if s == nil || int(s.Link) >= len(e.Sections) {
		return nil
	}
	table, err := s.Data()
	if err != nil {
		return nil
	}
	names, err := e.Sections[s.Link].Data()
	if err != nil {
		return nil
	}
	text, size := string(names), 24
	if e.Class == elf.ELFCLASS32 {
		size = 16
	}
	for i := size; i+size <= len(table); i += size { // the first has no name
		b := table[i:]
		g := Global{Name: nameAt(text, uint64(e.ByteOrder.Uint32(b)))}
		if size == 16 {
			g.Address, g.Size = uint64(e.ByteOrder.Uint32(b[4:])), uint64(e.ByteOrder.Uint32(b[8:]))
		} else {
			g.Address, g.Size = e.ByteOrder.Uint64(b[8:]), e.ByteOrder.Uint64(b[16:])
		}
		all = append(all, g)
	}
	return all
}

// nameAt is the name that begins at an offset of a table of names; empty if it is not in it, or longer than any.
func nameAt(table string, at uint64) string {
	if at >= uint64(len(table)) {
		return ""
	}
	rest := table[at:min(at+longestName, uint64(len(table)))]
	end := strings.IndexByte(rest, 0)
	return rest[:max(0, end)]
}

// lines120 is how a table of lines of Go 1.20 and later begins (GOROOT/src/debug/gosym/pclntab.go).
const lines120 = 0xfffffff1

// checkLines refuses a table of lines that has more functions, or more bytes of their names, than its own bytes can
// have. It begins with lines120.
func checkLines(b []byte, order binary.ByteOrder) error {
	if b[7] != 4 && b[7] != 8 {
		return errors.New("its table of lines is damaged")
	}
	var head [8]uint64 // functions, files, the text, then offsets: names, units, files, tables, functions
	for i := range head {
		at := 8 + i*int(b[7])
		if at+int(b[7]) > len(b) {
			return errors.New("its table of lines is cut off")
		}
		if b[7] == 4 {
			head[i] = uint64(order.Uint32(b[at:]))
		} else {
			head[i] = order.Uint64(b[at:])
		}
	}
	functions, size := head[0], uint64(len(b))
	for _, offset := range head[3:] {
		if offset > size {
			return errors.New("its table of lines is damaged")
		}
	}
	if functions > size/leastFunction || head[1] > size || 8*functions > size-head[7] {
		return fmt.Errorf("its table of lines has %d bytes, and says that it has %d functions of %d files", size,
			functions, head[1])
	}
	names, table, sum := b[head[3]:], b[head[7]:], 0
	for i := range functions {
		record := uint64(order.Uint32(table[8*i+4:]))
		if record+8 > uint64(len(table)) {
			return errors.New("its table of lines is damaged")
		}
		at := uint64(order.Uint32(table[record+4:]))
		if at >= uint64(len(names)) {
			return errors.New("its table of lines is damaged")
		}
		end := bytes.IndexByte(names[at:min(at+longestName, uint64(len(names)))], 0)
		if sum += end; end < 0 || sum > len(b) {
			return errors.New("the names in its table of lines are longer than the table")
		}
	}
	return nil
}
