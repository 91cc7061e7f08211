package imported

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// document is a text of JSON that is decoded part by part, so that each part has its line.
type document struct {
	file  *file
	text  []byte // of the whole file
	from  int    // where the JSON begins in it
	parts *json.Decoder
	// counted is up to where line breaks were counted, and line how many there were.
	counted, line int
}

// document begins to decode what is behind an offset of a file.
func (f *file) document(text []byte, from int) (*document, error) {
	if err := f.meter.JSON(text[from:]); err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	return &document{file: f, text: text, from: from, parts: json.NewDecoder(bytes.NewReader(text[from:]))}, nil
}

// lineAt is the line of an offset of the JSON. Offsets do not decrease but for a few errors.
func (d *document) lineAt(offset int64) int {
	at := min(len(d.text), d.from+int(max(0, offset)))
	if at < d.counted {
		return 1 + bytes.Count(d.text[:at], []byte{'\n'})
	}
	d.line += bytes.Count(d.text[d.counted:at], []byte{'\n'})
	d.counted = at
	return 1 + d.line
}

// here is the line at which the next part begins.
func (d *document) here() int {
	at := min(len(d.text), d.from+int(d.parts.InputOffset()))
	rest := d.text[at:]
	return d.lineAt(int64(at - d.from + len(rest) - len(bytes.TrimLeft(rest, " \t\r\n,:"))))
}

// refuse is an error of the decoder with its line; start is where the part begins that it was decoding.
func (d *document) refuse(err error, start int64) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return d.file.refuse(d.lineAt(int64(len(d.text))), "the file ends in the middle")
	case errors.As(err, &syntax):
		return d.file.refuse(d.lineAt(syntax.Offset), "%v", err)
	case errors.As(err, &kind):
		return d.file.refuse(d.lineAt(start), "%q is a %s", kind.Field, kind.Value)
	}
	return d.file.refuse(d.lineAt(start), "%v", err)
}

// open reads the bracket that begins an object or a list.
func (d *document) open(bracket json.Delim) error {
	start := d.parts.InputOffset()
	t, err := d.parts.Token()
	if err == nil && t != bracket {
		return d.file.refuse(d.here(), "want %q, have %v", bracket.String(), t)
	}
	if err != nil {
		return d.refuse(err, start)
	}
	return nil
}

// each calls do for each key of an object, or each place of a list, which has to read its value.
func (d *document) each(bracket json.Delim, do func(key string) error) error {
	if err := d.open(bracket); err != nil {
		return err
	}
	for d.parts.More() {
		key := ""
		if bracket == '{' {
			t, err := d.parts.Token()
			if err != nil {
				return d.refuse(err, d.parts.InputOffset())
			}
			key, _ = t.(string)
		}
		if err := do(key); err != nil {
			return err
		}
	}
	start := d.parts.InputOffset()
	if _, err := d.parts.Token(); err != nil {
		return d.refuse(err, start)
	}
	return nil
}

// decode decodes the next value.
func (d *document) decode(into any) error {
	start := d.parts.InputOffset()
	if err := d.parts.Decode(into); err != nil {
		return d.refuse(err, start)
	}
	return nil
}

// end says that nothing follows.
func (d *document) end() error {
	if rest := bytes.TrimSpace(d.text[min(len(d.text), d.from+int(d.parts.InputOffset())):]); len(rest) > 0 {
		return d.file.refuse(d.here(), "something follows the data: %q", cut(string(rest[:min(len(rest), 20)])))
	}
	return nil
}
