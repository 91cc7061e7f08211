package templates

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
	f := NewFiller(parent, nil)
	got := f.All([]string{"-addr", "127.0.0.1:{port}", "-admin={port2},{port3}", "{port}{port10}{port1}{dirs}"},
		[]string{"-data", "{dir}/x", "{dir}"})
	if f.Err != nil {
		t.Fatal(f.Err)
	}
	one, two, three, dir := f.Values["{port}"], f.Values["{port2}"], f.Values["{port3}"], f.Values["{dir}"]
	want := []string{"-addr", "127.0.0.1:" + one, "-admin=" + two + "," + three, one + "{port10}{port1}{dirs}", "-data",
		dir + "/x", dir}
	if strings.Join(got, " ") != strings.Join(want, " ") || one == two || two == three || one == three {
		t.Errorf("%q, want %q", got, want)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 || filepath.Dir(dir) != parent {
		t.Errorf("%s: %v, %v", dir, info, err)
	}
	if other := NewFiller(parent, nil); other.One("{dir}") == dir {
		t.Error("two starts have one directory")
	}
	if none := NewFiller(filepath.Join(parent, "none"), nil); none.One("{dir}") != "" ||
		fail.ExitCode(none.Err) != int(fail.Storage) {
		t.Errorf("no place for a directory: %v", none.Err)
	}
}

// What a program leaves is removed, read-only directories too, and no link is followed.
func TestDataDirIsRemoved(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept")
	if err := os.WriteFile(kept, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := MakeDir(t.TempDir())
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
	RemoveDir(dir)
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
