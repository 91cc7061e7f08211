package once

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/probe"
)

// Locate returns the absolute path of the program that a word means, or nothing if it
// means a package: a regular file that may be executed is a program; a directory is a
// package, and so are Go files; a word without a slash that is neither is looked for in PATH, and is a package
// if it is not there. A file that may not be executed, and a path with nothing there, is
// fail.BadInput.
func Locate(dir, word string) (path string, err error) {
	if source.IsGoFile(strings.TrimSpace(word)) { // source, as for go run
		return "", nil
	}
	path = word
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, word)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !strings.ContainsRune(word, filepath.Separator):
		if found, err := exec.LookPath(word); err == nil {
			return filepath.Abs(found)
		}
		return "", nil
	case errors.Is(err, fs.ErrNotExist) && isPath(word):
		return "", fail.New(fail.BadInput, "%s: there is neither a program nor a package of that name", word).
			WithHint("the path is taken from %s", dir)
	case err != nil || info.IsDir():
		return "", nil // what it is instead the build will say
	case !info.Mode().IsRegular():
		return "", fail.New(fail.BadInput, "%s is neither a program nor a package: it is not a regular file", word)
	case info.Mode().Perm()&0o111 == 0:
		e := fail.New(fail.BadInput, "%s is a file that may not be executed", word)
		return "", e.WithHint("compile it, if it is source; chmod +x %s, if it is a script or a program", word)
	}
	return path, nil
}

// isPath says whether a word can only be a path: it is not an import path, and no git ref.
func isPath(word string) bool {
	return filepath.IsAbs(word) || strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../")
}

// Take describes a program that is built already. What is not known stays empty: only
// those of Go say where they come from. digest is the SHA-256 of its file, in hexadecimal;
// empty if the file may not be read.
func Take(v build.Variant, path string) (b *build.Binary, digest string, err error) {
	if v.Toolchain != "" || len(v.BuildFlags) > 0 {
		return nil, "", fail.New(fail.BadInput, "%s is built already: toolchain and build flags are for packages",
			v.Source).
			WithHint("name its main package, and hone builds it; or leave out --toolchain and --flags")
	}
	b = &build.Binary{Variant: v, Path: path}
	digest, probed, err := scan(path)
	if err != nil {
		return nil, "", fail.New(fail.BadInput, "read program: %w", err)
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return b, digest, nil // of another language, or a script
	}
	b.Package, b.Module, b.GoVersion, b.Probed = info.Path, info.Main.Path, info.GoVersion, probed
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Dirty = s.Value == "true"
		}
	}
	if id, err := build.IDOf(path); err == nil {
		b.BuildID = id
	}
	return b, digest, nil
}

// scan reads a program's file once, for its digest, and for the name of the variable by
// which the probe is told where to listen: no program without the probe has it.
func scan(path string) (digest string, probed bool, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) { // to execute is enough
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	mark := []byte(probe.SocketVariable)
	sum := sha256.New()
	r := bufio.NewReaderSize(io.TeeReader(f, sum), 1<<20)
	var window []byte // the end of what came before, and the next piece
	piece := make([]byte, 1<<20)
	for {
		n, err := r.Read(piece)
		window = append(window, piece[:n]...)
		probed = probed || bytes.Contains(window, mark)
		window = append(window[:0], window[max(0, len(window)-len(mark)+1):]...)
		if errors.Is(err, io.EOF) {
			return hex.EncodeToString(sum.Sum(nil)), probed, nil
		}
		if err != nil {
			return "", false, fmt.Errorf("read %s: %w", path, err)
		}
	}
}
