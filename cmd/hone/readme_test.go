package main

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/gohone/hone/internal/testkit/storytest"
)

// runDocuments are the documents whose hone commands are run, in this order: a command that stands in several is run
// once.
var runDocuments = []string{"../../docs/examples.md", "../../README.md", "../../docs/start.md", "../../docs/waiting.md"}

// group is what is run in one repository, one command after the other: a section of a document.
type group struct {
	name     string
	commands []string
}

// groupsOf returns the groups of all documents that are executed.
func groupsOf(t *testing.T) []group {
	t.Helper()
	var groups []group
	seen := map[string]bool{}
	for _, file := range runDocuments {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if all := docsCommands(string(text)); len(all) < 3 {
			t.Fatalf("found only %d commands in %s: %q", len(all), file, all)
		}
		for part := range strings.SplitSeq(string(text), "\n## ") {
			title, _, _ := strings.Cut(part, "\n")
			g := group{name: filepath.Base(file) + " " + strings.Trim(title, "# ")}
			for _, command := range docsCommands(part) {
				if !seen[command] {
					seen[command] = true
					g.commands = append(g.commands, command)
				}
			}
			if len(g.commands) > 0 {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// TestREADME runs every hone command of the runDocuments, each once, in a repository as their reader has one, with less
// load. The groups run at the same time: what a measurement on a busy machine says does not matter here, but that it
// comes to an end and says something.
func TestREADME(t *testing.T) {
	for _, g := range groupsOf(t) {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			newReader(t).runAll(t, g.commands)
		})
	}
}

// reader is a repository as the readers of the documents have one, with what they have running.
type reader struct {
	dir string
	// places are addresses of the documents, and those that stand for them here.
	places *strings.Replacer
}

// goCache is where go keeps what it compiles.
var goCache = sync.OnceValue(func() string {
	out, _ := exec.Command("go", "env", "GOCACHE").Output()
	return strings.TrimSpace(string(out))
})

// newReader makes the repository of testdata/shop, with all dependencies of hone: it has gRPC from there.
func newReader(t *testing.T) *reader {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "shop"))); err != nil {
		t.Fatal(err)
	}
	for _, program := range []struct{ file, port string }{{"server", ":8080"}, {"api", ":50051"}} {
		replaceIn(t, filepath.Join(dir, "cmd", program.file, "main.go"), program.port, ":"+storytest.FreePort(t))
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), strings.Replace(string(text), "module github.com/gohone/hone\n",
			"module example.com/shop\n", 1))
	}
	write(t, filepath.Join(dir, "input.txt"), "some text\n")
	write(t, filepath.Join(dir, "program"), "#!/bin/sh\necho done\n")
	if err := os.Chmod(filepath.Join(dir, "program"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "old.txt"), "BenchmarkParse 100 10 ns/op\n")
	write(t, filepath.Join(dir, "new.txt"), "BenchmarkParse 100 10 ns/op\n")
	shell(t, dir, "git init -q -b main . && git add . && git -c user.name=r -c user.email=r@example.com commit -qm start && git tag v1.2.0 && git -c user.name=r -c user.email=r@example.com commit -q --allow-empty -m more")
	replaceIn(t, filepath.Join(dir, "shop.go"), "var names []string", "names := make([]string, 0, 8)")
	running := startService(t)
	return &reader{dir: dir, places: strings.NewReplacer("127.0.0.1:8080", running, "localhost:6060", running,
		"127.0.0.1:6060", running)}
}

// replaceIn replaces what stands in a file once.
func replaceIn(t *testing.T, file, old, new string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), old) != 1 {
		t.Fatalf("%s does not have %q once", file, old)
	}
	write(t, file, strings.Replace(string(text), old, new, 1))
}

func (r *reader) runAll(t *testing.T, commands []string) {
	ran := false // there is a run that RUN can stand for
	for _, command := range commands {
		if runWord.MatchString(command) || takesNewest.MatchString(command) {
			if !ran {
				shell(t, r.dir, quick("run ./cmd/server"))
				ran = true
			}
			command = runWord.ReplaceAllLiteralString(command, newestRun(t, r.dir))
		}
		if strings.Contains(command, "127.0.0.1:50051") {
			command = strings.ReplaceAll(command, "127.0.0.1:50051", startAPI(t, r.dir))
		}
		line, dir := quick(r.places.Replace(command)), r.dir
		if command == "demo" { // it builds the services that come with hone
			line, dir = quick("demo --quiet --ledger "+filepath.Join(r.dir, ".hone")), "../.."
		}
		if strings.Contains(command, "--instructions") {
			if _, err := exec.LookPath("valgrind"); err != nil {
				t.Logf("SKIPPED: %s (no valgrind found: apt-get install valgrind)", command)
				continue
			}
		}
		out := shell(t, dir, line)
		ran = ran || strings.HasPrefix(command, "run ./")
		compared := strings.HasPrefix(command, "compare") && !strings.Contains(command, "--markdown")
		if compared && !strings.Contains(out, "\nmeasurement ") && !strings.Contains(out, "no verdict (invalid)") {
			t.Errorf("%s\n%s", command, out)
		}
	}
}

// startAPI starts the gRPC service of the shop as the reader has it running, and returns its address.
func startAPI(t *testing.T, dir string) string {
	t.Helper()
	shell(t, dir, "go build -o api.bin ./cmd/api")
	address := "127.0.0.1:" + storytest.FreePort(t)
	cmd := exec.Command(filepath.Join(dir, "api.bin"), "-addr", address)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	storytest.Poll(t, "gRPC service", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return address
}

// takesNewest are commands that are about the newest run where they name none.
var takesNewest = regexp.MustCompile(`^(advise|export|profile|report|show|tail)\b`)

// runWord is what stands for the name of a run in commands.
var runWord = regexp.MustCompile(`\bRUN\d?\b`)

// newestRun is the run that was stored last with profiles: that of hone run. It may have missed its rate: see quick.
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
		if (r.Status == "complete" || r.Status == "invalid") && r.Comparison == "" && r.Package != "" {
			return r.ID
		}
	}
	t.Fatalf("no run in %s", out)
	return ""
}

// startService starts what the reader has running already and returns its address.
func startService(t *testing.T) string {
	t.Helper()
	address, ready := "127.0.0.1:"+storytest.FreePort(t), filepath.Join(t.TempDir(), "ready")
	cmd := exec.Command(filepath.Join(filepath.Dir(honeBinary), "loadsvc"), "-addr", address, "-ready", ready)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	storytest.Poll(t, "service", func() bool { return exists(ready) })
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
	case strings.HasPrefix(command, "metrics serve"), name == "serve": // it serves until it is interrupted
		return "rm -f address; " + honeBinary + " " + command +
			" >address & pid=$!; until [ -s address ]; do sleep 0.05; done; kill -TERM $pid; wait $pid; [ $? = 130 ]"
	case name == "demo", name == "doctor": // the former measures as long as it does for its users
		fine = "4 7 8"
	case strings.HasPrefix(command, "compare --once"):
		before += " --budget 1s --no-profile --quiet"
	case strings.HasPrefix(command, "run --once"):
		before += " --quiet"
	case name == "load":
		fine = "1 4"
		if strings.HasPrefix(command, "load http") || strings.HasPrefix(command, "load grpc") {
			before += " -d 500ms --warmup 0 --quiet"
		}
	case name == "watch":
		before += " -d 2s --plain"
	case strings.HasPrefix(command, "tail http"):
		before += " --seconds 1"
	case strings.HasPrefix(command, "tune gc"):
		before += " --budget 1s --gogc 200 --quiet"
		fine = "4 8"
	case name == "run":
		fine = "4"
		before += " -d 300ms --warmup 50ms --profile-time 2s --quiet"
	case strings.HasPrefix(command, "pull http"):
		before += " --seconds 1 --quiet"
	case name == "calibrate":
		before += " --budget 1s --warmup 50ms --quiet"
		fine = "4 8"
	case name == "compare":
		fine = "1 4 8"
		before += " -d 1s --warmup 50ms --no-profile --quiet"
	case name == "bench" && !strings.HasPrefix(command, "bench compare"): // so few rounds need no link orders
		before += " --budget 1s --count 2 --benchtime " +
			map[bool]string{false: "1ms", true: "1000x"}[strings.Contains(command, "--instructions")] + " --quiet"
		fine = "1 8"
	}
	if after != "" {
		before += " -- " + after
	}
	return honeBinary + " " + before + "; code=$?; for fine in 0 " + fine +
		"; do [ $code = $fine ] && exit 0; done; exit $code"
}

func shell(t *testing.T, dir, line string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	// The user's files are moved away, but for what go has compiled: that takes minutes.
	cmd.Env = append(os.Environ(), "GOCACHE="+goCache(), "XDG_CACHE_HOME="+filepath.Join(dir, ".cache"),
		"XDG_CONFIG_HOME="+filepath.Join(dir, ".config"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}
