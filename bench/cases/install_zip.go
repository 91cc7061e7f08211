package cases

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const modulePath = "github.com/gohone/hone"

// committed writes the files of the last commit into dir. golang.org/x/mod/zip can read a
// repository by itself, but not a worktree of one.
func committed(root, dir string) error {
	cmd := exec.Command("git", "archive", "--format=tar", "HEAD")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	err = untar(out, dir)
	_, _ = io.Copy(io.Discard, out) // git must come to its end
	return errors.Join(err, cmd.Wait())
}

func untar(from io.Reader, dir string) error {
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(path, 0o755)
		case tar.TypeReg:
			var text []byte
			if text, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(path, text, 0o644)
			}
		}
		if err != nil {
			return err
		}
	}
}

// writeZip writes the zip of the module as a proxy would: the files below root, without those of the modules
// inside it. It fails where the go command would refuse a file, or all of them for their size.
func writeZip(w io.Writer, version, root string) error {
	return zip.CreateFromDir(w, module.Version{Path: modulePath, Version: version}, root)
}

// checkModFile refuses what go install MODULE@VERSION refuses.
func checkModFile(text []byte) error {
	f, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return err
	}
	var faults []error
	if f.Module.Mod.Path != modulePath {
		faults = append(faults, fmt.Errorf("go.mod is of %s, want %s", f.Module.Mod.Path, modulePath))
	}
	for _, r := range f.Replace {
		faults = append(faults,
			fmt.Errorf("go.mod:%d: replace %s: go install MODULE@VERSION refuses a module with replace",
				r.Syntax.Start.Line, r.Old.Path))
	}
	for _, e := range f.Exclude {
		faults = append(faults,
			fmt.Errorf("go.mod:%d: exclude %s: go install MODULE@VERSION refuses a module with exclude",
				e.Syntax.Start.Line, e.Mod.Path))
	}
	return errors.Join(faults...)
}

// offer writes the files of a module proxy into dir that hold the last commit as a version, and returns the size of its
// zip in bytes.
func offer(dir, version, root string) (size int64, err error) {
	at := filepath.Join(dir, filepath.FromSlash(modulePath), "@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		return 0, err
	}
	files := filepath.Join(dir, "files")
	if err := committed(root, files); err != nil {
		return 0, err
	}
	goMod, err := os.ReadFile(filepath.Join(files, "go.mod"))
	if err == nil {
		err = checkModFile(goMod)
	}
	if err != nil {
		return 0, err
	}
	f, err := os.Create(filepath.Join(at, version+".zip"))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if err := writeZip(f, version, files); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), errors.Join(
		os.WriteFile(filepath.Join(at, version+".mod"), goMod, 0o644),
		os.WriteFile(filepath.Join(at, version+".info"), fmt.Appendf(nil, `{"Version":%q}`, version), 0o644),
		os.WriteFile(filepath.Join(at, "list"), []byte(version+"\n"), 0o644))
}
