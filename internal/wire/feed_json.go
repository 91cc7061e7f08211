package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readJSONLines reads an object from each line that is not empty.
func readJSONLines(f *feedReader, r io.Reader) error {
	in := bufio.NewReader(r)
	for line := 1; ; line++ {
		text, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return feedError("read feed %s: %w", f.file, err)
		}
		if len(bytes.TrimSpace(text)) > 0 {
			if err := f.addObject(line, text); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

// addObject adds the row that a line of JSON holds. The first names the columns.
func (f *feedReader) addObject(line int, text []byte) error {
	fields, end, err := readObject(text)
	if err != nil {
		return feedError("%s:%d:%d: %w", f.file, line, end+1, err).
			WithHint(`every line is one object: {"name": "value"}`)
	}
	if f.Names == nil {
		var names []string
		for _, g := range fields {
			names = append(names, g.name)
		}
		if err := f.name(line, names); err != nil {
			return err
		}
	}
	row := make([]string, len(f.Names))
	for i, want := range f.Names {
		value, ok := find(fields, i, want)
		if !ok {
			return feedError("%s:%d:%d: key %q is missing, which the first line has", f.file, line, end+1, want).
				WithHint("every line needs %s", strings.Join(f.Names, ", "))
		}
		row[i] = value
	}
	return f.add(line, row)
}

// find finds a field, which mostly is at its usual place.
func find(fields []field, usual int, name string) (value string, ok bool) {
	if usual < len(fields) && fields[usual].name == name {
		return fields[usual].value, true
	}
	for _, g := range fields {
		if g.name == name {
			return g.value, true
		}
	}
	return "", false
}

// field is one key of an object and its value as text.
type field struct{ name, value string }

// readObject reads a text that is one JSON object. at is the offset of its end, or of
// the error.
func readObject(text []byte) (fields []field, at int, err error) {
	if at, err := checkJSON(text); err != nil {
		return nil, at, err
	}
	// The text is valid: from here on the decoder can only be as we expect it.
	in := json.NewDecoder(bytes.NewReader(text))
	open, err := in.Token()
	if err != nil || open != json.Delim('{') {
		return nil, 0, errors.New("want an object")
	}
	seen := map[string]bool{}
	for in.More() {
		key, err := in.Token()
		name, ok := key.(string)
		if err != nil || !ok || seen[name] {
			return nil, int(in.InputOffset()), fmt.Errorf("key %q stands there twice", name)
		}
		seen[name] = true
		value, err := readValue(in)
		if err != nil {
			return nil, int(in.InputOffset()), err
		}
		fields = append(fields, field{name, value})
	}
	return fields, int(in.InputOffset()), nil
}

// checkJSON says where a text is not one JSON value, as an offset.
func checkJSON(text []byte) (at int, err error) {
	var all json.RawMessage
	err = json.Unmarshal(text, &all)
	var s *json.SyntaxError
	if errors.As(err, &s) {
		at = max(0, int(s.Offset)-1) // Offset counts the byte at fault
	}
	return at, err
}

// readValue reads one value: a string as its text, anything else as the JSON it is.
func readValue(in *json.Decoder) (string, error) {
	var raw json.RawMessage
	if err := in.Decode(&raw); err != nil {
		return "", err
	}
	if len(raw) > 0 && raw[0] == '"' {
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	}
	return string(raw), nil
}
