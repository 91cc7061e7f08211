package subject

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// Each template has one value in a start, and no two ports are the same.
func TestTemplates(t *testing.T) {
	parent := t.TempDir()
	f := newFiller(parent, nil)
	got := f.all([]string{"-addr", "127.0.0.1:{port}", "-admin={port2},{port3}", "{port}{port10}{port1}{dirs}"}, []string{"-data", "{dir}/x", "{dir}"})
	if f.err != nil {
		t.Fatal(f.err)
	}
	one, two, three, dir := f.values["{port}"], f.values["{port2}"], f.values["{port3}"], f.values["{dir}"]
	want := []string{"-addr", "127.0.0.1:" + one, "-admin=" + two + "," + three, one + "{port10}{port1}{dirs}", "-data", dir + "/x", dir}
	if strings.Join(got, " ") != strings.Join(want, " ") || one == two || two == three || one == three {
		t.Errorf("%q, want %q", got, want)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 || filepath.Dir(dir) != parent {
		t.Errorf("%s: %v, %v", dir, info, err)
	}
	if other := newFiller(parent, nil); other.one("{dir}") == dir {
		t.Error("two starts have one directory")
	}
	if none := newFiller(filepath.Join(parent, "none"), nil); none.one("{dir}") != "" || fail.ExitCode(none.err) != int(fail.Storage) {
		t.Errorf("no place for a directory: %v", none.err)
	}
}

// What a program leaves is removed, read-only directories too, and no link is followed.
func TestDataDirIsRemoved(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept")
	if err := os.WriteFile(kept, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := makeDataDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{"a/b", "c"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Dir(kept), filepath.Join(dir, "a", "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "a"), 0o500); err != nil {
		t.Fatal(err)
	}
	removeDataDir(dir)
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("the directory is left: %v", err)
	}
	if info, err := os.Stat(filepath.Dir(kept)); err != nil || info.Mode().Perm()&0o700 != 0o700 {
		t.Errorf("the directory of the link's target: %v, %v", info, err)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
}

func TestAfterStart(t *testing.T) {
	noLeaks(t)
	b := server(t, "127.0.0.1:{port}", "127.0.0.1:{port2}")
	b.Variant.Env = append(b.Variant.Env, "DATA={dir}")
	here := t.TempDir()
	begin := func(command ...string) *Process {
		t.Helper()
		b.Variant.AfterStart = command
		return start(t, b, StartOptions{Target: "127.0.0.1:{port}", DataDir: t.TempDir()})
	}
	p := begin("sh", "-c", `test "$HONE_ADDRESS" = 127.0.0.1:{port} && test $HONE_PORT = {port} && test $HONE_VARIANT = A &&
		test "$HONE_DIR" = "{dir}" && test "$DATA" = "{dir}" && test -z "$(ls -A {dir})" && test {port} != {port2} && pwd >{dir}/here && echo '{"token": 1}' && echo noise >&2`)
	if out, err := p.AfterStart(t.Context(), here, 0); err != nil || string(out) != "{\"token\": 1}\n" {
		t.Errorf("it wrote %q", out)
		t.Fatal(err)
	}
	dir := p.fill.values[DirTemplate]
	if got, err := os.ReadFile(filepath.Join(dir, "here")); err != nil || strings.TrimSpace(string(got)) != here {
		t.Errorf("it ran in %s, %v; want %s", got, err, here)
	}
	if _, err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("the directory is left: %v", err)
	}

	for _, c := range []struct {
		command []string
		kind    fail.Kind
		parts   []string
	}{
		{[]string{"sh", "-c", "echo S3CRET; seq 30 >&2; echo cannot log in >&2; exit 3"}, fail.Subject, []string{"exit status 3", "[11 lines before]", "cannot log in", "HONE_ADDRESS"}},
		{[]string{"./no/such"}, fail.Subject, []string{`there is no command "./no/such"`, "for a shell write sh -c"}},
		{[]string{"echo", "{port7}"}, fail.BadInput, []string{"the command has {port7}, but no argument"}},
	} {
		p := begin(c.command...)
		_, err := p.AfterStart(t.Context(), here, 0)
		wantError(t, err, c.kind, c.parts...)
		if strings.Contains(err.Error(), "S3CRET\n") {
			t.Errorf("standard output is shown: %v", err)
		}
	}
}
