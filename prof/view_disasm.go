package prof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"

	"github.com/google/pprof/profile"
)

var disasmView = &View{
	Name: "disasm", Summary: "the instructions of the functions that match, with the cost of each", OfFunctions: true,
	show: (*selected).disasm,
}

// Assembler disassembles the program that a profile is of.
type Assembler interface {
	// Disassemble returns the functions whose names match, their instructions in the
	// order of their addresses. The error says what is missing.
	Disassemble(functions *regexp.Regexp) ([]Assembly, error)
}

// Assembly is the instructions of one function.
type Assembly struct {
	Function     string        `json:"function"`
	File         string        `json:"file,omitempty"`
	Flat         int64         `json:"flat"`
	Cum          int64         `json:"cum"`
	Instructions []Instruction `json:"instructions"`
}

// Instruction is one machine instruction.
type Instruction struct {
	Address uint64 `json:"address"`
	// Offset is where it lies in the binary's file, in bytes; this is what samples are
	// matched by, as addresses of a running process may be moved.
	Offset uint64 `json:"-"`
	Size   uint64 `json:"size"`
	Text   string `json:"text"`
	File   string `json:"file,omitempty"`
	Line   int64  `json:"line,omitempty"`
	Flat   int64  `json:"flat,omitempty"`
	Cum    int64  `json:"cum,omitempty"`
}

// Disassembly is functions with the cost of each instruction, the dearest first. A call
// counts for the function that it is in, also if that was inlined.
type Disassembly struct {
	Head
	Functions []Assembly `json:"functions"`
}

func (s *selected) disasm(l ViewOptions) (Document, error) {
	if l.Assembler == nil {
		return nil, errors.New("the binary is missing")
	}
	functions, err := l.Assembler.Disassemble(l.Function)
	if err != nil {
		return nil, err
	}
	flat, cum := s.byOffset()
	offsets := slices.Sorted(maps.Keys(cum))
	var found []Assembly
	var shown int64
	for _, f := range functions {
		for i := range f.Instructions {
			in := &f.Instructions[i]
			at, _ := slices.BinarySearch(offsets, in.Offset)
			for ; at < len(offsets) && offsets[at] < in.Offset+in.Size; at++ {
				in.Flat += flat[offsets[at]]
				in.Cum += cum[offsets[at]]
			}
			f.Flat += in.Flat
			f.Cum += in.Cum
		}
		if f.Cum != 0 {
			shown += f.Flat
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no function with samples matches %q: top lists the functions", l.Function)
	}
	slices.SortStableFunc(found, func(x, y Assembly) int {
		return byFlat(&node{flat: x.Flat, cum: x.Cum}, &node{flat: y.Flat, cum: y.Cum})
	})
	return &Disassembly{Head: s.head("disasm", shown, 0), Functions: found}, nil
}

// byOffset sums the samples by where in the binary's file their frames are; cum counts
// each offset once for a sample.
func (s *selected) byOffset() (flat, cum map[uint64]int64) {
	flat, cum = map[uint64]int64{}, map[uint64]int64{}
	counted := map[*profile.Location]int{} // in which sample last, from 1 on
	for n, sample := range s.profile.Sample {
		v := sample.Value[s.column]
		for i, l := range sample.Location {
			offset := fileOffset(l)
			if i == 0 {
				flat[offset] += v
			}
			if counted[l] != n+1 {
				counted[l] = n + 1
				cum[offset] += v
			}
		}
	}
	return flat, cum
}

// fileOffset is where a location lies in the file that it was mapped from.
func fileOffset(l *profile.Location) uint64 {
	if l.Mapping == nil {
		return l.Address
	}
	return l.Address - l.Mapping.Start + l.Mapping.Offset
}

// WriteText writes each function's instructions with flat and cum.
func (d *Disassembly) WriteText(w io.Writer) error {
	return d.write(w, func(b *bufio.Writer) {
		for _, f := range d.Functions {
			d.writeFunction(b, f.Function, f.File, f.Flat, f.Cum)
			table := columns(b)
			for _, in := range f.Instructions {
				fmt.Fprintf(table, "%s\t%s\t%x\t  %s:%d\t  %s\n", d.cost(in.Flat), d.cost(in.Cum), in.Address, ShortFile(in.File), in.Line, in.Text)
			}
			table.Flush()
		}
	})
}
