package rewrite

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
)

// Write writes the change into the tree: each file whole or not at all, and none if one of them is
// no longer as it was when the change was made. No link leads it out of the module.
//
// Errors: fail.BadInput if a file has changed; fail.Storage or fail.Environment if one cannot be written.
func (c *Change) Write() error {
	if err := c.Unchanged(); err != nil {
		return err
	}
	for _, f := range c.Files {
		err := outfile.WriteBelow(c.options.Module, f.Name, 0o644, func(w io.Writer) error {
			_, err := w.Write(f.After)
			return err
		})
		if err != nil {
			return fail.New(fail.Or(fail.Environment, err), "write %s: %w", f.Path, err)
		}
	}
	return nil
}

// Unchanged refuses a change whose files are no longer as they were when it was made.
func (c *Change) Unchanged() error {
	for _, f := range c.Files {
		now, err := os.ReadFile(f.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Equal(now, f.Before):
			return fail.New(fail.BadInput, "%s has changed since it was measured: nothing is written", f.Name).
				WithHint("measure it again with hone run, and try the finding of that run")
		case err != nil:
			return fail.New(fail.Or(fail.Environment, err), "read %s: %w", f.Path, err)
		}
	}
	return nil
}
