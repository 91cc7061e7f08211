package cli

import (
	"bytes"
	"encoding/json"
	"io"
)

// JSON writes v with indentation. A stored document may hold bytes that are
// no UTF-8, which encoding/json passes on: as other readers do, it takes them for U+FFFD.
func JSON(w io.Writer, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(bytes.ToValidUTF8(text, []byte("\ufffd")), '\n'))
	return err
}
