package gctrace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// Log is what the output of programs says of their collections.
type Log struct {
	// Processes are the programs' processes, in the order of their first lines.
	Processes []Process
	// Damaged counts the lines that other output has torn. They are left out.
	Damaged int
}

// Largest is the index of the process with the most collections, the first of several; 0 if there is none.
func (l Log) Largest() int {
	largest := 0
	for i, p := range l.Processes {
		if len(p.Cycles) > len(l.Processes[largest].Cycles) {
			largest = i
		}
	}
	return largest
}

// Left says how many lines were left out, and why; empty if there are none.
func (l Log) Left() string {
	switch l.Damaged {
	case 0:
		return ""
	case 1:
		return "1 line of gctrace is torn by other output, and left out"
	default:
		return fmt.Sprintf("%d lines of gctrace are torn by other output, and left out", l.Damaged)
	}
}

// maxLine bounds how much of a line is kept; those of gctrace have about 200 bytes.
const maxLine = 4 << 10

// Read returns the collections in the output of one or more processes, and passes over all other lines. The error is
// the reader's.
func Read(from io.Reader) (Log, error) {
	r := bufio.NewReaderSize(from, maxLine)
	var all []entry
	var torn Torn
	for {
		line, err := r.ReadSlice('\n')
		if err == nil || errors.Is(err, io.EOF) {
			text := string(line)
			c, before, parseErr := parse(text)
			if parseErr == nil {
				all = append(all, entry{cycle: c, source: sourceOf(before, text)})
			}
			torn.Line(text, parseErr == nil)
		}
		for errors.Is(err, bufio.ErrBufferFull) { // the rest of a line that is too long
			_, err = r.ReadSlice('\n')
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return Log{split(all), torn.Count}, err
		}
	}
}

var (
	// head and tail are how a line of gctrace begins and ends, wherever it is torn.
	head = regexp.MustCompile(`gc \d+ @\d`)
	tail = regexp.MustCompile(`\d+ MB goal, (?:.*, )?\d+ P\b`)
)

// Torn counts lines of gctrace that other output has torn. The two parts of a line count once.
type Torn struct {
	Count int
	open  bool // the begin of a torn line was seen, and not its end
}

// Line takes the next line; read says that Parse has read one collection of it.
func (t *Torn) Line(text string, read bool) {
	heads, ends := len(head.FindAllStringIndex(text, -1)), len(tail.FindAllStringIndex(text, -1))
	if read {
		heads, ends = heads-1, ends-1
	}
	switch {
	case heads > 0:
		t.Count += heads
		t.open = ends < heads
	case ends > 0 && t.open:
		t.open = false
	case ends > 0:
		t.Count++
	}
}
