package cases

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// go install github.com/gohone/hone/cmd/hone@TAG is given the zip of the module and nothing else: all that the build of
// hone reads has to be in it. make bench CASE=install does the build itself.
func TestTheZipHoldsWhatTheBuildReads(t *testing.T) {
	files := t.TempDir()
	if err := committed(root, files); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := writeZip(&b, "v0.0.0-test", files); err != nil {
		t.Fatalf("the go command refuses the module: %v", err)
	}
	// The limit of the go command is 500 MB (golang.org/x/mod/zip, MaxZipFile); every user downloads this.
	if b.Len() > 20e6 {
		t.Errorf("the zip has %.1f MB", float64(b.Len())/1e6)
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]bool{}
	for _, f := range r.File {
		name := strings.TrimPrefix(f.Name, modulePath+"@v0.0.0-test/")
		held[name] = true
		for _, inner := range []string{"bench/", "ui/", "tools/image/"} {
			if strings.HasPrefix(name, inner) {
				t.Fatalf("the zip holds %s, which belongs to another module", name)
			}
		}
	}
	needed := buildReads(t, files)
	for _, name := range needed {
		if !held[name] {
			t.Errorf("the zip lacks %s, which the build of hone reads", name)
		}
	}
	if len(needed) < 500 {
		t.Fatalf("the build reads only %d files: the list is broken", len(needed))
	}
}

// buildReads lists the files of the module in dir that go build ./cmd/hone reads, slash-separated. It fails for a
// package, or a file to embed, that is not there.
func buildReads(t *testing.T, dir string) []string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Module,GoFiles,SFiles,EmbedFiles", "./cmd/hone")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &said)
	}
	top, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := []string{"go.mod", "go.sum"}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir                         string
			Module                      *struct{ Path string }
			GoFiles, SFiles, EmbedFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return files
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module == nil || p.Module.Path != modulePath {
			continue
		}
		below, err := filepath.Rel(top, p.Dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, names := range [][]string{p.GoFiles, p.SFiles, p.EmbedFiles} {
			for _, name := range names {
				files = append(files, path.Join(filepath.ToSlash(below), name))
			}
		}
	}
}

func TestTheModuleFileIsOneThatCanBeInstalled(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if err := checkModFile(text); err != nil {
		t.Error(err)
	}
	for _, line := range []string{"replace example.com/a => ../a", "exclude example.com/a v1.0.0"} {
		if checkModFile(append(text, "\n"+line+"\n"...)) == nil {
			t.Errorf("go.mod with %q is accepted", line)
		}
	}
}
