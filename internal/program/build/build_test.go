package build

import (
	"bufio"
	"bytes"
	"debug/buildinfo"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

// A service as people write it: net/http, no pprof, and nothing of hone.
const plainService = `package main

import (
	"fmt"
	"net"
	"net/http"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr(), greeting)
	http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { work(w) }))
}

func work(w http.ResponseWriter) {
	sum := 0
	for i := 0; i < 1e7; i++ {
		sum += i
	}
	fmt.Fprintln(w, sum)
}

var greeting = "one"
`

func mustBuild(t *testing.T, v Variant, workDir, out string) *Binary {
	t.Helper()
	b, err := Program(t.Context(), v,
		Options{Source: source.Options{WorkDir: workDir, Worktrees: filepath.Join(out, "worktrees")}, OutDir: out})
	if err != nil {
		t.Fatalf("%v\nhint: %s", err, fail.HintOf(err))
	}
	return b
}

// run starts an executable with the variable for the probe and returns it with its
// first line of output.
func run(t *testing.T, path, socket string) (cmd *exec.Cmd, first string) {
	t.Helper()
	cmd = exec.Command(path)
	cmd.Env = append(os.Environ(), guard.ProbeEnv+"="+socket)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	first, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, strings.TrimSpace(first)
}

// One service, built twice with another source in between: what is known of each
// build, the probe in it, and which of them runs.
func TestBuildOfAPlainService(t *testing.T) {
	t.Setenv("GOFLAGS", "") // the settings of the program are hone's alone
	dir := moduletest.WriteFiles(t, map[string]string{
		"go.mod":  "module example.com/plain/v2\n\ngo 1.21\n",
		"main.go": plainService,
		"hone_probe.go": "package main\n\n// A file of the same name as the one that hone adds.\nfunc " +
			"init() { greeting = \"own\" }\n",
		"unrelated/build/hone.ignore": "",
	})
	out := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	a := mustBuild(t, Variant{Name: "A", Source: ".", Args: []string{"-x"}}, link, out)
	moduletest.WriteFile(t, filepath.Join(dir, "two.go"), "package main\n\nfunc init() { greeting = \"two\" }\n")
	b := mustBuild(t, Variant{Name: "B", Source: dir, NoInject: true, BuildFlags: []string{"-tags=extra"}}, "", out)

	if a.Package != "example.com/plain/v2" || a.Module != a.Package || a.GoVersion != runtime.Version() || !a.Probed ||
		b.Probed {
		t.Errorf("A %+v\nB %+v", a, b)
	}
	if want := filepath.Join(out, "A", "plain"); a.Path != want {
		t.Errorf("executable %s, want %s", a.Path, want)
	}
	if strings.Contains(strings.Join(b.Command, " "), "overlay") || b.Command[4] != "-tags=extra" {
		t.Errorf("command of B: %q", b.Command)
	}
	for _, bin := range []*Binary{a, b} {
		want, err := exec.Command("go", "tool", "buildid", bin.Path).Output()
		if err != nil || bin.BuildID == "" || bin.BuildID != strings.TrimSpace(string(want)) {
			t.Errorf("%s has build ID %q, go tool buildid says %q %v", bin.Path, bin.BuildID, want, err)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 5 {
		t.Errorf("the build left something in the source: %v %v", files, err)
	}

	socketDir, err := os.MkdirTemp("", "hb")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(socketDir)
	socket := filepath.Join(socketDir, "p")
	cmd, first := run(t, a.Path, socket)
	addr, greeting, _ := strings.Cut(first, " ")
	if greeting != "own" {
		t.Errorf("greeting %q: the program's own hone_probe.go is lost", greeting)
	}
	t.Run("probe", func(t *testing.T) { checkProbe(t, socket, cmd.Process.Pid, "http://"+addr) })
	t.Run("running build", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			failtest.Want(t, a.CheckRunning(cmd.Process.Pid), fail.Environment, runtime.GOOS)
			return
		}
		if err := a.CheckRunning(cmd.Process.Pid); err != nil {
			t.Error(err)
		}
		failtest.Want(t, b.CheckRunning(cmd.Process.Pid), fail.Subject, a.BuildID, b.BuildID, a.Path, b.Path, "kill ")
		failtest.Want(t, a.CheckRunning(1<<30), fail.Subject, "check process 1073741824")
		// The file is replaced while the old build runs on: the very case of a stale binary.
		if err := errors.Join(os.Remove(a.Path), os.Link(b.Path, a.Path)); err != nil {
			t.Fatal(err)
		}
		failtest.Want(t, b.CheckRunning(cmd.Process.Pid), fail.Subject, a.BuildID, b.BuildID, "(deleted)")
	})
	// Inlining and symbols: the flags recorded in the executable are the user's alone.
	info, err := buildinfo.ReadFile(filepath.Join(out, "B", "plain"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range info.Settings {
		if s.Key == "-ldflags" || s.Key == "-gcflags" {
			t.Errorf("extra flag %s=%s", s.Key, s.Value)
		}
	}
}

func TestBuildThatFails(t *testing.T) {
	var text strings.Builder
	text.WriteString("package main\n\nfunc main() {\n")
	for i := range 30 {
		text.WriteString("\tmissing" + string(rune('A'+i%26)) + strings.Repeat("x", i) + "()\n")
	}
	dir := moduletest.WriteFiles(t, map[string]string{"my dir/go.mod": "module example.com/bad\n\ngo 1.21\n",
		"my dir/cmd/main.go": text.String() + "}\n"})
	_, err := Program(t.Context(),
		Variant{Name: "A", Source: "./cmd", BuildFlags: []string{"-gcflags=-e"}, Env: []string{"X=a b"}},
		Options{Source: source.Options{WorkDir: filepath.Join(dir, "my dir")}, OutDir: t.TempDir()})
	failtest.Want(t, err, fail.Subject, "build variant A (./cmd): exit status 1", "[11 lines before]",
		"main.go:33:2: undefined: missingD")
	if n := strings.Count(err.Error(), "\n"); n != 1+output.ErrorLines {
		t.Errorf("%d lines behind the first, want %d", n, 1+output.ErrorLines)
	}
	_, repeat, _ := strings.Cut(fail.HintOf(err), ": ")
	again, failed := exec.Command("sh", "-c", repeat).CombinedOutput()
	if failed == nil || bytes.Count(again, []byte("undefined: missing")) != 30 {
		t.Errorf("%s: %v\n%s", repeat, failed, again)
	}
}

func TestBuildRefusesWhatCannotWork(t *testing.T) {
	dir := moduletest.WriteFiles(t,
		map[string]string{"go.mod": "module example.com/x\n\ngo 1.21\n", "main.go": "package main\n\nfunc main() {}\n"})
	t.Setenv("GOPROXY", "off")
	for _, c := range []struct {
		v    Variant
		kind fail.Kind
		want string
	}{
		{Variant{Name: "A", Source: ".", BuildFlags: []string{"-overlay=mine.json"}}, fail.BadInput,
			"-overlay is in use"},
		{Variant{Name: "A", Source: ".", Env: []string{"GOFLAGS=-overlay=mine.json"}}, fail.BadInput,
			"-overlay is in use"},
		{Variant{Name: "A", Source: ".", BuildFlags: []string{"-o", "x"}}, fail.BadInput, "-o belongs to hone"},
		{Variant{Name: "A", Source: ".", BuildFlags: []string{"-nonsense"}}, fail.BadInput, "nonsense"},
		{Variant{Name: "../A", Source: "."}, fail.BadInput, "variant name"},
		{Variant{Name: "A", Source: ".", Env: []string{"NOVALUE"}}, fail.BadInput, "want KEY=VALUE"},
		{Variant{Name: "A", Source: ".", Toolchain: "go1.99.0"}, fail.BadInput, "go1.99.0"},
		{Variant{Name: "A", Source: ""}, fail.BadInput, "the source is empty"},
		{Variant{Name: "A", Source: "fmt"}, fail.BadInput, "package fmt is not a main package"},
	} {
		_, err := Program(t.Context(), c.v, Options{Source: source.Options{WorkDir: dir}, OutDir: t.TempDir()})
		failtest.Want(t, err, c.kind, c.want)
	}
}

// A program that imports the probe gets it once; the module next door that it needs
// comes from go.work; a build without an ID is told from others by its file.
func TestBuildInAWorkspace(t *testing.T) {
	dir := moduletest.WriteFiles(t, map[string]string{
		"go.work":    "go 1.21\n\nuse (\n\t./app\n\t./lib\n\t./hone\n)\n",
		"app/go.mod": "module example.com/app\n\ngo 1.21\n",
		"app/main.go": "package main\n\nimport (\n\t\"example.com/lib\"\n\t_ \"" + source.ProbePackage +
			"\"\n)\n\nfunc main() { lib.Wait() }\n",
		"lib/go.mod": "module example.com/lib\n\ngo 1.21\n",
		"lib/lib.go": "package lib\n\nimport \"os\"\n\nfunc Wait() { println(); os.Stdout.WriteString(\"up\\n\"); " +
			"os.Stdin.Read(nil); select {} }\n",
		"hone/go.mod":     "module github.com/gohone/hone\n\ngo 1.21\n",
		"hone/probe/p.go": "package probe\n",
	})
	b := mustBuild(t, Variant{Name: "A", Source: "example.com/app", Toolchain: "local",
		BuildFlags: []string{"-ldflags=-buildid="}},
		filepath.Join(dir, "lib"), t.TempDir())
	if !b.Probed || strings.Contains(strings.Join(b.Command, " "), "overlay") {
		t.Errorf("probed %v by %q", b.Probed, b.Command)
	}
	if b.Dir != filepath.Join(dir, "app") || b.Package != "example.com/app" || b.Commit != "" || b.BuildID != "" {
		t.Errorf("%+v", b)
	}
	if runtime.GOOS != "linux" {
		return
	}
	cmd, _ := run(t, b.Path, "")
	if err := b.CheckRunning(cmd.Process.Pid); err != nil {
		t.Error(err)
	}
	failtest.Want(t, b.CheckRunning(os.Getpid()), fail.Subject, "is not the build under test", "another file")
}

func TestBuildIDOfMachO(t *testing.T) {
	dir := moduletest.WriteFiles(t, map[string]string{"go.mod": "module example.com/tiny\n\ngo 1.21\n",
		"main.go": "package main\n\nfunc main() {}\n"})
	b := mustBuild(t, Variant{Name: "A", Source: ".", NoInject: true,
		Env: []string{"GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0"}}, dir, t.TempDir())
	want, err := exec.Command("go", "tool", "buildid", b.Path).Output()
	if err != nil || b.BuildID == "" || b.BuildID != strings.TrimSpace(string(want)) {
		t.Errorf("build ID %q, go tool buildid says %q %v", b.BuildID, want, err)
	}
}

func TestBuildIDOfOtherFiles(t *testing.T) {
	dir := moduletest.WriteFiles(t, map[string]string{"text": "no executable", "empty": "",
		"elf":   "\x7fELF\x02\x01\x01",
		"macho": "\xcf\xfa\xed\xfe"})
	for _, name := range []string{"text", "empty", "elf", "macho", "missing", "."} {
		if id, err := IDOf(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), "read build ID") {
			t.Errorf("%s: %q %v", name, id, err)
		}
	}
	if runtime.GOOS == "linux" {
		if id, err := IDOf("/bin/sh"); !errors.Is(err, errNoBuildID) {
			t.Errorf("/bin/sh: %q %v", id, err)
		}
	}
}

// FuzzBuildID: a damaged executable may have no ID, but must not crash hone.
func FuzzBuildID(f *testing.F) {
	for _, seed := range []string{"\x7fELF\x02\x01\x01", "\xcf\xfa\xed\xfe\x0c\x00\x00\x01", "", "MZ"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if id, err := readBuildID(bytes.NewReader(data)); err == nil && id == "" {
			t.Error("no ID and no error")
		}
	})
}

// FuzzGoNote: the notes of a damaged file.
func FuzzGoNote(f *testing.F) {
	good := "\x04\x00\x00\x00\x03\x00\x00\x00\x04\x00\x00\x00Go\x00\x00a/b\x00"
	f.Add([]byte(good))
	f.Add([]byte("\x05\x00\x00\x00\x01\x00\x00\x00\x03\x00\x00\x00GNU\x00\x00\x00\x00\x00x\x00\x00\x00" + good))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\x04\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, notes []byte) {
		if id := goNote(notes, binary.LittleEndian); id != "" && !bytes.Contains(notes, []byte(id)) {
			t.Errorf("ID %q is not in the notes", id)
		}
	})
}

func TestGoNoteBehindOthers(t *testing.T) {
	good := "\x04\x00\x00\x00\x03\x00\x00\x00\x04\x00\x00\x00Go\x00\x00a/b\x00"
	gnu := "\x05\x00\x00\x00\x01\x00\x00\x00\x03\x00\x00\x00GNU\x00\x00\x00\x00\x00x\x00\x00\x00"
	for notes, want := range map[string]string{good: "a/b", gnu + good: "a/b", gnu: "", good[:18]: ""} {
		if id := goNote([]byte(notes), binary.LittleEndian); id != want {
			t.Errorf("%q: %q, want %q", notes, id, want)
		}
	}
}
