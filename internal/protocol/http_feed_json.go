package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

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
