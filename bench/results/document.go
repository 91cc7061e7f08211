package results

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// TableHead writes the head of a table.
func TableHead(w io.Writer, heads ...string) {
	TableRow(w, heads...)
	fmt.Fprintln(w, "|"+strings.Repeat("---|", len(heads)))
}

// TableRow writes a row of a table.
func TableRow(w io.Writer, cells ...string) { fmt.Fprintln(w, "| "+strings.Join(cells, " | ")+" |") }

// Publish makes the document at path from a file of results, and says so.
func Publish[R Record](from, schema, path string, write func(io.Writer, []R)) error {
	records, err := Read[R](from, schema)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		return fmt.Errorf("write %s: no results in %s: measure first", path, from)
	}
	var text strings.Builder
	write(&text, records)
	if err := WriteDocument(path, text.String()); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "wrote", path)
	return nil
}

// WriteDocument puts a document into a file, whole or not at all.
func WriteDocument(path, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".document-")
	if err != nil {
		return fmt.Errorf("write document: %w", err)
	}
	defer os.Remove(f.Name()) // is gone by then if all is well
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write document: %w", err)
	}
	return nil
}
