package main

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// readmeService stands for the reader's own: it takes the flags that the README uses.
const readmeService = `package main

import (
	"flag"
	"log"
	"net/http"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:FIXED", "")
	flag.String("cache", "on", "")
	flag.Parse()
	log.Fatal(http.ListenAndServe(*addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("ok"))
	})))
}
`

// readmeProgram ends by itself.
const readmeProgram = `package main

import (
	"fmt"
	"os"
)

func main() {
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		fmt.Println(len(text), err)
	}
}
`

const readmeBenchmarks = `package shop

import "testing"

var sink int

func BenchmarkParse(b *testing.B) {
	for x := 1; b.Loop(); x++ {
		sink += x
	}
}

func BenchmarkScan(b *testing.B) {
	for b.Loop() {
		sink++
	}
}
`

// TestREADME runs every hone command of the README and of docs/examples.md, each once, in a
// repository as their reader has one, with less load.
func TestREADME(t *testing.T) {
	var commands []string
	for _, file := range []string{"../../docs/examples.md", "../../README.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := docsCommands(string(text))
		if len(found) < 3 {
			t.Fatalf("found only %d commands in %s: %q", len(found), file, found)
		}
		for _, command := range found {
			if !slices.Contains(commands, command) {
				commands = append(commands, command)
			}
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"server", "convert"} {
		if err := os.MkdirAll(filepath.Join(dir, "cmd", name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "go.mod"), "module example.com/shop\n\ngo 1.24\n")
	write(t, filepath.Join(dir, "cmd", "server", "main.go"), strings.ReplaceAll(readmeService, ":FIXED", ":"+freePort(t)))
	write(t, filepath.Join(dir, "cmd", "convert", "main.go"), readmeProgram)
	write(t, filepath.Join(dir, "input.txt"), "some text\n")
	write(t, filepath.Join(dir, "program"), "#!/bin/sh\necho done\n")
	if err := os.Chmod(filepath.Join(dir, "program"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "shop_test.go"), readmeBenchmarks)
	write(t, filepath.Join(dir, "old.txt"), "BenchmarkParse 100 10 ns/op\n")
	write(t, filepath.Join(dir, "new.txt"), "BenchmarkParse 100 10 ns/op\n")
	shell(t, dir, "git init -q -b main . && git add . && git -c user.name=r -c user.email=r@example.com commit -qm start && git tag v1.2.0")
	write(t, filepath.Join(dir, "shop_test.go"), strings.Replace(readmeBenchmarks, "x := 1", "x := 2", 1))
	running := startService(t)
	for _, command := range commands {
		command = strings.ReplaceAll(command, "127.0.0.1:8080", running)
		command = strings.ReplaceAll(command, "localhost:6060", running)
		command = strings.ReplaceAll(command, "127.0.0.1:6060", running)
		if runWord.MatchString(command) {
			command = runWord.ReplaceAllLiteralString(command, newestRun(t, dir))
		}
		out := shell(t, dir, quick(command))
		compared := strings.HasPrefix(command, "compare") && !strings.Contains(command, "--markdown")
		if compared && !strings.Contains(out, "measurement ok") && !strings.Contains(out, "measurement valid") {
			t.Errorf("%s\n%s", command, out)
		}
	}
}

// runWord is what stands for the name of a run in commands.
var runWord = regexp.MustCompile(`\bRUN\d?\b`)

// newestRun is the run that was stored last with profiles: that of hone run.
func newestRun(t *testing.T, dir string) string {
	t.Helper()
	var history struct {
		Runs []struct{ ID, Comparison, Status, Package string }
	}
	out := shell(t, dir, honeBinary+" history --json")
	if err := json.Unmarshal([]byte(out), &history); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	for _, r := range history.Runs {
		if r.Status == "complete" && r.Comparison == "" && r.Package != "" {
			return r.ID
		}
	}
	t.Fatalf("no run in %s", out)
	return ""
}

// startService starts what the reader has running already and returns its address.
func startService(t *testing.T) string {
	t.Helper()
	address, ready := "127.0.0.1:"+freePort(t), filepath.Join(t.TempDir(), "ready")
	cmd := exec.Command(filepath.Join(filepath.Dir(honeBinary), "loadsvc"), "-addr", address, "-ready", ready)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	waitFor(t, "service", func() bool { return exists(ready) })
	return address
}

// quick adds flags that shorten a measurement, before the arguments of the program. So
// little load may well leave a comparison undecided, and a machine this busy may miss a
// rate or make a benchmark slower: what other exit codes say is a fault.
func quick(command string) string {
	name, _, _ := strings.Cut(command, " ")
	before, after, _ := strings.Cut(command, " -- ")
	fine := "8"
	switch {
	case strings.HasPrefix(command, "profile web"), strings.HasPrefix(command, "metrics serve"), name == "serve": // it serves until it is interrupted
		return "rm -f address; " + honeBinary + " " + command + " >address & pid=$!; until [ -s address ]; do sleep 0.05; done; kill -TERM $pid; wait $pid; [ $? = 130 ]"
	case strings.HasPrefix(command, "compare --once"):
		before += " --budget 1s --no-profile --quiet"
	case strings.HasPrefix(command, "run --once"):
		before += " --quiet"
	case name == "load":
		fine = "1 4"
		if strings.HasPrefix(command, "load http") {
			before += " -d 500ms --warmup 0 --quiet"
		}
	case name == "watch":
		before += " -d 2s --plain"
	case name == "run":
		fine = "4"
		before += " -d 300ms --warmup 50ms --profile-time 2s --quiet"
	case strings.HasPrefix(command, "profile http"):
		before += " --seconds 1 --quiet"
	case name == "calibrate":
		before += " --budget 1s --warmup 50ms --quiet"
		fine = "8"
	case name == "compare":
		before += " -d 1s --warmup 50ms --no-profile --quiet"
	case name == "bench" && !strings.HasPrefix(command, "bench compare"):
		before += " --budget 1s --benchtime 1ms --quiet"
		fine = "1 8"
	}
	if after != "" {
		before += " -- " + after
	}
	return honeBinary + " " + before + "; code=$?; for fine in 0 " + fine + "; do [ $code = $fine ] && exit 0; done; exit $code"
}

// freePort returns a port that was free a moment ago.
func freePort(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func shell(t *testing.T, dir, line string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	// The user's cache is moved away, but for what go has compiled: that takes minutes.
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOCACHE="+goEnv(t, "GOCACHE"), "XDG_CACHE_HOME="+filepath.Join(dir, ".cache"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}
