package main

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/text/fail"
)

// TestEveryRefusalHasAKind walks all commands and gives each of their flags, and their
// arguments, what makes no sense. Whatever they say of it, it is not a fault of hone.
func TestEveryRefusalHasAKind(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("HOME", t.TempDir())
	a, end := app.NewApp(&bytes.Buffer{}, &bytes.Buffer{})
	defer end()
	refused := func(args ...string) {
		t.Helper()
		var said bytes.Buffer
		if code := Main(args, &said, &said); code != int(fail.BadInput) {
			t.Errorf("hone %q: exit code %d, want %d\n%s", args, code, fail.BadInput, &said)
		}
	}
	refused("nosuchcommand")
	refused("--nosuchflag")
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		if cmd.RunE == nil || cmd.Hidden || cmd.DisableFlagParsing { // an extension refuses by itself
			return
		}
		path := strings.Fields(cmd.CommandPath())[1:]
		refused(slices.Concat(path, []string{"--nosuchflag"})...)
		if cmd.Args != nil && cmd.Args(cmd, []string{"x", "x", "x"}) != nil {
			refused(slices.Concat(path, []string{"x", "x", "x"})...)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			switch f.Value.Type() {
			case "string", "stringArray": // any text may be one; those of a form are tested where the form is
			default:
				refused(slices.Concat(path, []string{"--" + f.Name + "=nonsense"})...)
			}
		})
	}
	walk((&commands{a}).root())
	for _, args := range [][]string{
		{"show", "0123abcd"}, {"profile", "top", "0123abcd"}, {"profile", "top", "./nosuchfile"},
		{"profile", "gc", "nosuchfile"},
		{"profile", "import", "nosuchfile"}, {"load"}, {"load", "nosuchscheme://x"},
		{"load", "http://127.0.0.1:1/", "--rate", "many"},
		{"load", "http://127.0.0.1:1/", "--fail-if", "nonsense"},
		{"load", "http://127.0.0.1:1/", "--find-max", "nonsense"},
		{"load", "http://127.0.0.1:1/", "--set", "cpus=x"}, {"load", "http://127.0.0.1:1/", "--set", "source=x"},
		{"load", "http://127.0.0.1:1/", "--set", "arrivals=x"},
		{"load", "http://127.0.0.1:1/", "--replay", "nosuchfile"},
		{"load", "http://127.0.0.1:1/", "--body", "@nosuchfile"}, {"load", "http://127.0.0.1:1/", "-H", "nonsense"},
		{"load", "http://127.0.0.1:1/", "-c", "0"}, {"load", "http://127.0.0.1:1/", "--depth", "-1"},
		{"load", "report", "nosuchfile"}, {"load", "merge", "a", "b"}, {"load", "plot", "nosuchfile", "-o", "x.html"},
		{"run", "./nosuchdir"}, {"run", "./nosuchdir", "--rate", "many"},
		{"compare", "./nosuchdir", "./nosuchdir", "--gate", "nonsense"},
		{"compare", "0123abcd", "4567cdef"}, {"bench", "--benchtime", "many"}, {"bench", "--gate", "nonsense"},
		{"bench", "compare", "nosuchfile", "nosuchfile"}, {"history", "--since", "nonsense"},
		{"history", "--status", "nonsense"},
		{"history", "--measure", "nonsense"}, {"import", "nosuchfile"},
		{"export", "0123abcd", "-o", "x"}, {"baseline", "set", "0123abcd"}, {"watch", "http://:x/"},
		{"demo", "nosuchdemo"},
		{"trust", "nosuchfile"},
	} {
		refused(args...)
	}
}

// full is a writer on a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
}

func TestAFullDiskBehindStandardOutputIsOneOfTheStorage(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"version", "--json"}} {
		var said bytes.Buffer
		if code := Main(args, full{}, &said); code != int(fail.Storage) ||
			!strings.Contains(said.String(), "make room") {
			t.Errorf("hone %q: exit code %d, want %d: %s", args, code, fail.Storage, &said)
		}
	}
}
