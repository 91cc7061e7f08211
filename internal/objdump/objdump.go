// Package objdump disassembles functions of a Go program with the go command's own tool.
package objdump

import (
	"bytes"
	"context"
	"debug/elf"
	"debug/macho"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/gohone/hone/prof"
)

// Binary is an executable on this machine.
type Binary struct {
	ctx      context.Context
	path     string
	segments []segment
}

// segment is a part of the file and where it is loaded.
type segment struct{ offset, size, address uint64 }

// Open reads where a binary's code lies. The context ends later calls, too.
func Open(ctx context.Context, path string) (*Binary, error) {
	b := &Binary{ctx: ctx, path: path}
	if f, err := elf.Open(path); err == nil {
		defer f.Close()
		for _, p := range f.Progs {
			if p.Type == elf.PT_LOAD {
				b.segments = append(b.segments, segment{p.Off, p.Filesz, p.Vaddr})
			}
		}
		return b, nil
	}
	f, err := macho.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open binary %s: neither ELF nor Mach-O", path)
	}
	defer f.Close()
	for _, l := range f.Loads {
		if s, ok := l.(*macho.Segment); ok {
			b.segments = append(b.segments, segment{s.Offset, s.Filesz, s.Addr})
		}
	}
	return b, nil
}

var _ prof.Assembler = (*Binary)(nil)

// Disassemble runs go tool objdump on the functions whose symbols match.
func (b *Binary) Disassemble(functions *regexp.Regexp) ([]prof.Assembly, error) {
	cmd := exec.CommandContext(b.ctx, "go", "tool", "objdump", "-s", functions.String(), b.path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("disassemble %s: %w: %s", b.path, err, strings.TrimSpace(stderr.String()))
	}
	found, err := parse(string(out))
	if err != nil {
		return nil, fmt.Errorf("disassemble %s: %w", b.path, err)
	}
	for _, f := range found {
		for i := range f.Instructions {
			f.Instructions[i].Offset = b.offset(f.Instructions[i].Address)
		}
	}
	return found, nil
}

// offset is where an address lies in the file.
func (b *Binary) offset(address uint64) uint64 {
	for _, s := range b.segments {
		if address >= s.address && address < s.address+s.size {
			return address - s.address + s.offset
		}
	}
	return address
}

// parse reads what go tool objdump prints:
//
//	TEXT main.main(SB) /home/me/main.go
//	  main.go:5		0x45f4a0		493b6610		CMPQ SP, 0x10(R14)
func parse(text string) ([]prof.Assembly, error) {
	var all []prof.Assembly
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if symbol, ok := strings.CutPrefix(line, "TEXT "); ok {
			name, file, _ := strings.Cut(symbol, "(SB)")
			all = append(all, prof.Assembly{Function: name, File: strings.TrimSpace(file)})
			continue
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("line %q before any function", line)
		}
		in, err := parseInstruction(line)
		if err != nil {
			return nil, err
		}
		f := &all[len(all)-1]
		f.Instructions = append(f.Instructions, in)
	}
	return all, nil
}

var errLine = errors.New("not a line of go tool objdump")

func parseInstruction(line string) (in prof.Instruction, err error) {
	var columns []string
	for c := range strings.SplitSeq(line, "\t") {
		if c = strings.TrimSpace(c); c != "" {
			columns = append(columns, c)
		}
	}
	if len(columns) < 4 {
		return in, fmt.Errorf("%w: %q", errLine, line)
	}
	file, number, _ := strings.Cut(columns[0], ":")
	in.File = file
	in.Line, _ = strconv.ParseInt(number, 10, 64) // "?" where it is not known
	if in.Address, err = strconv.ParseUint(strings.TrimPrefix(columns[1], "0x"), 16, 64); err != nil {
		return in, fmt.Errorf("%w: %q", errLine, line)
	}
	in.Size = uint64(len(columns[2]) / 2)
	in.Text = strings.Join(columns[3:], " ")
	return in, nil
}
