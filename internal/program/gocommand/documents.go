package gocommand

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/gohone/hone/internal/text/fail"
)

// Documents reads the JSON documents that a go command prints one after the other, as go list -json does. With an error
// it returns those before it.
func Documents[T any](answer []byte) (all []T, err error) {
	for d := json.NewDecoder(bytes.NewReader(answer)); ; {
		var one T
		switch err := d.Decode(&one); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return all, fail.New(fail.Environment, "read the answer of the go command: %w", err)
		}
		all = append(all, one)
	}
}
