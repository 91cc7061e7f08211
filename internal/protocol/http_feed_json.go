package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// field is one key of an object and its value as text.
type field struct{ name, value string }

// readObject reads a text that is one JSON object. at is the offset of its end, or of
// the error.
func readObject(text []byte) (fields []field, at int, err error) {
	in := json.NewDecoder(bytes.NewReader(text))
	where := func() int { return int(in.InputOffset()) }
	open, err := in.Token()
	if err != nil {
		return nil, offsetOf(err, where()), err
	}
	if open != json.Delim('{') {
		return nil, 0, fmt.Errorf("want an object, got %v", open)
	}
	seen := map[string]bool{}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return nil, offsetOf(err, where()), err
		}
		name, _ := key.(string) // the decoder lets no other key pass
		if seen[name] {
			return nil, where(), fmt.Errorf("key %q stands there twice", name)
		}
		seen[name] = true
		value, err := readValue(in)
		if err != nil {
			return nil, offsetOf(err, where()), err
		}
		fields = append(fields, field{name, value})
	}
	if _, err := in.Token(); err != nil {
		return nil, offsetOf(err, where()), err
	}
	at = where()
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, at, errors.New("something stands behind the object")
	}
	return fields, at, nil
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

// offsetOf is where err is, or else other.
func offsetOf(err error, other int) int {
	var s *json.SyntaxError
	if errors.As(err, &s) && s.Offset > 0 {
		return int(s.Offset) - 1
	}
	return other
}
