package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// proxy DIR makes a module proxy of the modules below a directory, each in PATH@VERSION: files as the go command wants
// them (go help goproxy). The story's GOPROXY and a module cache of its own are set to it.
func proxy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: proxy DIR")
	}
	root, out := ts.MkAbs(args[0]), ts.MkAbs("proxy")
	ts.Check(filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		module, version, found := strings.Cut(strings.TrimPrefix(dir, root+"/"), "@")
		if err != nil || !d.IsDir() || !found {
			return err
		}
		to := filepath.Join(out, module, "@v")
		if err := os.MkdirAll(to, 0o700); err != nil {
			return err
		}
		packed := &bytes.Buffer{}
		w := zip.NewWriter(packed)
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		for _, add := range []func() error{
			func() error { return err },
			func() error { return addTree(w, dir, module+"@"+version) },
			w.Close,
			func() error { return appendLine(filepath.Join(to, "list"), version) },
			func() error { return os.WriteFile(filepath.Join(to, version+".mod"), mod, 0o600) },
			func() error { return os.WriteFile(filepath.Join(to, version+".zip"), packed.Bytes(), 0o600) },
			func() error {
				info := fmt.Sprintf(`{"Version": %q, "Time": "2026-01-02T03:04:05Z"}`, version)
				return os.WriteFile(filepath.Join(to, version+".info"), []byte(info), 0o600)
			},
		} {
			if err := add(); err != nil {
				return err
			}
		}
		return fs.SkipDir
	}))
	ts.Setenv("GOPROXY", "file://"+filepath.ToSlash(out))
	ts.Setenv("GOMODCACHE", ts.MkAbs("modcache"))
	ts.Setenv("GOSUMDB", "off")
	ts.Setenv("GOFLAGS", "-modcacherw")
}

// addTree adds the files of a directory to an archive, below a name.
func addTree(w *zip.Writer, dir, below string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		entry, err := w.Create(below + filepath.ToSlash(strings.TrimPrefix(path, dir)))
		if err == nil {
			_, err = entry.Write(text)
		}
		return err
	})
}

func appendLine(file, line string) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
