package build

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
	"regexp"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/probe"
)

// exactRelease is a version that a module was released with: no pseudo-version of go build, and no changes besides.
var exactRelease = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+$`)

// Take describes a program that is built already. What is not known stays empty: only
// those of Go say where they come from. digest is the SHA-256 of its file, in hexadecimal;
// empty if the file may not be read.
func Take(v Variant, path string) (b *Binary, digest string, err error) {
	switch {
	case v.Layout != 0:
		return nil, "", fail.New(fail.BadInput, "%s is an executable, and only a build can change the order of its functions",
			v.Source)
	case len(v.Overlay) > 0:
		return nil, "", fail.New(fail.BadInput, "%s is an executable, and what changes its source has to build it",
			v.Source).WithHint("name its main package")
	case v.Toolchain != "" || len(v.BuildFlags) > 0:
		return nil, "", fail.New(fail.BadInput, "%s is built already: toolchain and build flags are for packages",
			v.Source).
			WithHint("name its main package, and hone builds it; or leave out --toolchain and --flags")
	}
	b = &Binary{Variant: v, Path: path}
	digest, probed, err := scan(path)
	if err != nil {
		return nil, "", fail.New(fail.BadInput, "read program: %w", err)
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return b, digest, nil // of another language, or a script
	}
	b.Package, b.Module, b.Probed = info.Path, info.Main.Path, probed
	b.tell(info)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Dirty = s.Value == "true"
		}
	}
	if exactRelease.MatchString(info.Main.Version) {
		b.Release = info.Main.Version
	}
	if id, err := IDOf(path); err == nil {
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
