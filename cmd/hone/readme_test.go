package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
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

// TestREADME runs every hone command of the README, in a repository as its reader has
// one, with less load.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "cmd", "server"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), "module example.com/shop\n\ngo 1.21\n")
	write(t, filepath.Join(dir, "cmd", "server", "main.go"), strings.ReplaceAll(readmeService, ":FIXED", ":"+freePort(t)))
	shell(t, dir, "git init -q -b main . && git add . && git -c user.name=r -c user.email=r@example.com commit -qm start")
	commands := readmeCommands(string(text))
	if len(commands) < 3 {
		t.Fatalf("found only %d commands: %q", len(commands), commands)
	}
	running := startService(t)
	for _, command := range commands {
		command = strings.ReplaceAll(command, "127.0.0.1:8080", running)
		// So little load may well leave a comparison undecided.
		out := shell(t, dir, quick(command)+"; code=$?; [ $code = 8 ] || exit $code")
		if strings.Contains(command, "compare") && !strings.Contains(out, "measurement ok") {
			t.Errorf("%s\n%s", command, out)
		}
	}
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

// readmeCommands returns the indented lines that start with "hone ", continuations
// joined, comments cut.
func readmeCommands(text string) []string {
	var commands []string
	lines := strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n")
	for _, line := range lines {
		if command, ok := strings.CutPrefix(line, "    hone "); ok {
			command, _, _ = strings.Cut(command, " #")
			commands = append(commands, strings.TrimSpace(command))
		}
	}
	return commands
}

// quick adds flags that shorten the load, before the arguments of the program. A load
// test of a rate may find that this machine was too busy for it.
func quick(command string) string {
	if load, ok := strings.CutPrefix(command, "load "); ok {
		if strings.HasPrefix(load, "http") {
			load += " -d 500ms --warmup 0 --quiet"
		}
		return honeBinary + " load " + load + "; code=$?; [ $code = 4 ] || [ $code = 1 ] || exit $code"
	}
	const less = " -d 300ms --warmup 50ms --no-profile --quiet"
	before, after, _ := strings.Cut(command, " -- ")
	line := honeBinary + " " + before + less
	if after != "" {
		line += " -- " + after
	}
	return line
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
