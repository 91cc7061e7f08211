package bisect

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// carryTests gives a directory the test files, and the test data, of another one instead of its own. A directory that is not there
// stays so, which the build says.
func carryTests(from, to string) error {
	if _, err := os.Stat(to); err != nil {
		return nil
	}
	const pattern = "*_test.go"
	old, err := filepath.Glob(filepath.Join(to, pattern))
	if err != nil {
		return err
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	tests, err := filepath.Glob(filepath.Join(from, pattern))
	if err != nil {
		return err
	}
	for _, file := range tests {
		if err := copyFile(file, filepath.Join(to, filepath.Base(file))); err != nil {
			return err
		}
	}
	const data = "testdata"
	if _, err := os.Stat(filepath.Join(from, data)); err != nil {
		return nil
	}
	if err := os.RemoveAll(filepath.Join(to, data)); err != nil {
		return err
	}
	return os.CopyFS(filepath.Join(to, data), os.DirFS(filepath.Join(from, data)))
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
