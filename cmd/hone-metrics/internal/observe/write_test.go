package observe

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

var sample = []File{
	{"compose.yaml", []byte("services: {}\n")},
	{"grafana/dashboards/a.json", []byte("{}\n")},
	{"grafana/dashboards/b.json", []byte("[]\n")},
}

// tree returns the files below dir with their content, and directories with a slash.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator)))
		if d.IsDir() {
			found[name+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		found[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func actions(outcomes []WrittenFile) (all []string) {
	for _, o := range outcomes {
		all = append(all, o.Action)
	}
	return all
}

// sampleTree is what sample amounts to, and also.
func sampleTree(also map[string]string) map[string]string {
	want := map[string]string{"grafana/": "", "grafana/dashboards/": ""}
	for _, f := range sample {
		want[f.Name] = string(f.Text)
	}
	for name, text := range also {
		want[name] = text
	}
	return want
}

func checkTree(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := tree(t, dir)
	for name, text := range want {
		if there, ok := got[name]; !ok || there != text {
			t.Errorf("%s is %q (there: %v), want %q", name, there, ok, text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is left", name)
		}
	}
}

func put(t *testing.T, text string, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// Into a directory that is not there; again, which changes nothing; and with one file
// changed by the user, which is kept.
func TestWriteKeepsWhatTheUserChanged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "observe")
	outcomes, err := Write(dir, sample, false)
	if err != nil || !slices.Equal(actions(outcomes), []string{Written, Written, Written}) {
		t.Fatalf("%v, %v", outcomes, err)
	}
	checkTree(t, dir, sampleTree(nil))
	for name := range tree(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if others := info.Mode().Perm() & 0o004; others == 0 {
			t.Errorf("%s is %v: a container's user cannot read it", name, info.Mode())
		}
	}
	outcomes, err = Write(dir, sample, false)
	if err != nil || !slices.Equal(actions(outcomes), []string{Unchanged, Unchanged, Unchanged}) {
		t.Fatalf("again: %v, %v", outcomes, err)
	}

	// Two are changed and one is gone: none is touched, and all that differ are named.
	put(t, "mine", dir, "compose.yaml")
	put(t, "mine too", dir, "grafana", "dashboards", "b.json")
	if err := os.Remove(filepath.Join(dir, "grafana", "dashboards", "a.json")); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	_, err = Write(dir, sample, false)
	if fail.ExitCode(err) != int(fail.BadInput) ||
		!strings.Contains(err.Error(), "compose.yaml, grafana/dashboards/b.json") ||
		!strings.Contains(fail.HintOf(err), "--force") {
		t.Errorf("changed files: %v, hint %q", err, fail.HintOf(err))
	}
	checkTree(t, dir, before)

	outcomes, err = Write(dir, sample, true)
	if err != nil || !slices.Equal(actions(outcomes), []string{Replaced, Written, Replaced}) ||
		outcomes[0].Backup != "compose.yaml.bak" {
		t.Fatalf("forced: %v, %v", outcomes, err)
	}
	kept := map[string]string{"compose.yaml.bak": "mine", "grafana/dashboards/b.json.bak": "mine too"}
	checkTree(t, dir, sampleTree(kept))

	// What was kept once stays.
	put(t, "mine again", dir, "compose.yaml")
	outcomes, err = Write(dir, sample, true)
	if err != nil || outcomes[0].Backup != "compose.yaml.bak2" {
		t.Fatalf("forced again: %v, %v", outcomes, err)
	}
	kept["compose.yaml.bak2"] = "mine again"
	checkTree(t, dir, sampleTree(kept))
}

// What stands in the way is named, and nothing is left of the attempt.
func TestWriteIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(t *testing.T, dir string)
		below   string
		want    string
		kind    fail.Kind
	}{
		"a file in the place of the directory": {
			func(t *testing.T, dir string) { put(t, "x", dir, "observe") }, "observe",
			"observe is a file, not a directory", fail.BadInput,
		},
		"a file above it": {
			func(t *testing.T, dir string) { put(t, "x", dir, "up") }, "up/observe", "not a directory", fail.BadInput,
		},
		"a file in the place of a directory inside": {
			func(t *testing.T, dir string) { put(t, "x", dir, "grafana") }, "", "grafana", fail.BadInput,
		},
		"a directory in the place of a file": {
			func(t *testing.T, dir string) {
				if err := os.Mkdir(filepath.Join(dir, "compose.yaml"), 0o700); err != nil {
					t.Fatal(err)
				}
			}, "", "compose.yaml is in the way", fail.BadInput,
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.prepare(t, dir)
			before := tree(t, dir)
			for _, force := range []bool{false, true} {
				_, err := Write(filepath.Join(dir, filepath.FromSlash(c.below)), sample, force)
				if err == nil || !strings.Contains(err.Error(), c.want) || fail.ExitCode(err) != int(c.kind) {
					t.Errorf("force %v: %v (kind %d)", force, err, fail.ExitCode(err))
				}
				checkTree(t, dir, before)
			}
		})
	}
}

// A symbolic link inside the directory does not lead the files out of it.
func TestWriteStaysInside(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "grafana")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if _, err := Write(dir, sample, true); err == nil {
		t.Error("files were written through a link")
	}
	if left := tree(t, outside); len(left) > 0 {
		t.Errorf("outside: %v", left)
	}
	if _, err := os.Lstat(filepath.Join(dir, "compose.yaml")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("compose.yaml was written nevertheless: %v", err)
	}
}

// The summary names the files, the commands and the pages; a directory of any name is
// one word of the commands.
func TestSummary(t *testing.T) {
	s := NewSummary("my stack's", Stack{}, []WrittenFile{{Name: "compose.yaml", Action: Replaced,
		Backup: "compose.yaml.bak"}}, nil)
	var out bytes.Buffer
	if err := s.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"replaced   my stack's/compose.yaml  (yours is my stack's/compose.yaml.bak)\n",
		`start:  docker compose -f 'my stack'\''s/compose.yaml' up -d`,
		`end:    docker compose -f 'my stack'\''s/compose.yaml' down`,
		"http://127.0.0.1:3000/dashboards", "http://127.0.0.1:9090/targets",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the summary lacks %q:\n%s", want, out.String())
		}
	}
	if s.Schema != "hone.observe/1" || len(s.Next) != 3 || len(s.Pages) != 3 {
		t.Errorf("%+v", s)
	}
}
