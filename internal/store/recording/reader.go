package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// ReadFile reads the recording at path. A file that is unreadable, or that is no
// recording, is an error of kind fail.BadInput.
func ReadFile(path string) (*Recording, error) {
	f, err := inputs.Recording.Open(path)
	if err != nil {
		out := fail.New(fail.Or(fail.BadInput, err), "read recording: %w", err)
		if errors.Is(err, fs.ErrNotExist) {
			if _, err := os.Stat(path + ".partial"); err == nil {
				return nil, out.WithHint("an interrupted test left %s.partial, which can be read", path)
			}
		}
		return nil, out
	}
	defer f.Close()
	return Read(f, path)
}

// Read reads a recording; name stands for it in errors, with the line. It takes memory in proportion to the input,
// whatever that claims. A recording that breaks off is read up to its last whole line, see Recording.Truncated.
func Read(r io.Reader, name string) (*Recording, error) {
	p := &parser{in: bufio.NewReaderSize(inputs.Recording.Reader(name, r), 64<<10), out: &Recording{}}
	if err := p.parse(); err != nil {
		var known *fail.Error
		if errors.As(err, &known) {
			return nil, fail.New(fail.BadInput, "%s:%d: %w", name, p.line, known.Err).WithHint("%s", known.Hint)
		}
		return nil, fail.New(fail.BadInput, "%s:%d: %w", name, p.line, err).
			WithHint("give a complete file that hone load wrote")
	}
	return p.out, nil
}

type parser struct {
	in     *bufio.Reader
	out    *Recording
	line   int // number of the line that was read last, from 1
	shapes packed.Reader
	ended  bool
}

func (p *parser) parse() error {
	for {
		line, whole, err := p.next(maxBytes(p.line == 0))
		if err != nil {
			return err
		}
		if len(line) == 0 && !whole {
			return p.finish()
		}
		p.line++
		if err := p.take(line); err != nil {
			if !whole && p.line > 1 && !p.ended {
				return p.finish() // the line that a crash cut
			}
			return err
		}
	}
}

// next reads a line. whole says that it ended with a newline.
func (p *parser) next(limit int) (line []byte, whole bool, err error) {
	for {
		part, err := p.in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > limit {
			p.line++
			return nil, false, fmt.Errorf("line of more than %d bytes", limit)
		}
		switch {
		case err == nil:
			return line[:len(line)-1], true, nil
		case err == io.EOF:
			return line, false, nil
		case err != bufio.ErrBufferFull:
			return nil, false, fmt.Errorf("read line: %w", err)
		}
	}
}

// take adds what one line says.
func (p *parser) take(line []byte) error {
	if p.ended {
		return errors.New("a line after the final account")
	}
	if p.line == 1 {
		return p.header(line)
	}
	switch kindOf(line) {
	case "slice":
		return p.slice(line)
	case "final":
		return p.final(line)
	case "header":
		return errors.New("a second header: these are two recordings, which hone load merge can add up")
	default:
		return errors.New(`want a line that begins with {"slice" or {"final"`)
	}
}

// kindOf is the first key of a line.
func kindOf(line []byte) string {
	rest, ok := bytes.CutPrefix(line, []byte(`{"`))
	end := bytes.IndexByte(rest, '"')
	if !ok || end < 0 {
		return ""
	}
	return string(rest[:end])
}

func (p *parser) header(line []byte) error {
	if kindOf(line) != "header" {
		return errors.New(`not a recording: its first line does not begin with {"header"`)
	}
	// Another schema may hold what this one does not know: its number comes first.
	var loose struct {
		Header struct {
			Schema *int   `json:"schema"`
			Hone   string `json:"hone"`
		} `json:"header"`
	}
	if err := json.Unmarshal(line, &loose); err != nil {
		return fmt.Errorf("read header: %w", err)
	}
	switch v := loose.Header.Schema; {
	case v == nil || *v < 1:
		return errors.New("read header: no schema version")
	case *v != Schema:
		hint := "update hone"
		if *v < Schema {
			hint = "read it with the hone that wrote it, or measure again"
		}
		return fail.New(fail.BadInput, "recording of schema %d, written by hone %.60s; this hone reads schema %d",
			*v, loose.Header.Hone, Schema).WithHint("%s", hint)
	}
	var h headerLine
	if err := strict(line, &h); err != nil {
		return fmt.Errorf("read header: %w", err)
	}
	if err := errors.Join(h.Header.Plan.Validate(), h.Header.Schedule.Validate()); err != nil {
		return fmt.Errorf("read header: %w", err)
	}
	p.out.Header = h.Header
	return nil
}

func (p *parser) slice(line []byte) error {
	if len(p.out.Slices) >= maxSlices {
		return fmt.Errorf("more than %d slices", maxSlices)
	}
	var w sliceLine
	if err := strict(line, &w); err != nil {
		return fmt.Errorf("read slice: %w", err)
	}
	s, err := p.shapes.Check(w.Slice)
	if err != nil {
		return fmt.Errorf("read slice: %w", err)
	}
	if n := len(p.out.Slices); n > 0 && s.Offset < p.out.Slices[n-1].Offset {
		return fmt.Errorf("read slice: offset %v is before that of the slice ahead of it", s.Offset)
	}
	if stages := max(1, len(p.out.Header.Schedule.Stages)); s.Stage >= stages {
		return fmt.Errorf("read slice: stage %d, the schedule has %d", s.Stage, stages)
	}
	if n := len(s.Targets); n > 0 && n != len(p.out.Header.Targets) {
		return fmt.Errorf("read slice: it has %d targets, the header %d", n, len(p.out.Header.Targets))
	}
	p.out.Slices = append(p.out.Slices, s)
	return nil
}

func (p *parser) final(line []byte) error {
	var w finalLine
	if err := strict(line, &w); err != nil {
		return fmt.Errorf("read final account: %w", err)
	}
	if w.Final == nil {
		return errors.New("read final account: it is null")
	}
	f, err := w.Final.final()
	if err != nil {
		return fmt.Errorf("read final account: %w", err)
	}
	p.out.Final, p.out.Truncated, p.ended = f, w.Final.Truncated, true
	return nil
}

// finish ends the reading at the end of the file.
func (p *parser) finish() error {
	switch {
	case p.line == 0:
		return errors.New("the file is empty")
	case !p.ended:
		p.out.Truncated = true
		p.out.Final.Counts = counted(p.out.Slices)
	}
	return nil
}

// strict decodes one line and takes no key that it does not know.
func strict(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value on the line")
	}
	return nil
}
