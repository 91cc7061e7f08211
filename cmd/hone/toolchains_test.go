package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/testkit/storytest"
)

// TestTwoToolchains compares one program under two releases of Go.
func TestTwoToolchains(t *testing.T) {
	t.Parallel()
	const older = "go1.25.5"
	go1 := exec.Command("go", "version")
	go1.Env = append(os.Environ(), "GOTOOLCHAIN="+older)
	if out, err := go1.CombinedOutput(); err != nil {
		t.Skipf("needs %s, which is neither in the module cache nor available from GOPROXY: %v\n%s", older, err, out)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/twice\n\ngo 1.24\n")
	write(t, filepath.Join(dir, "main.go"), `package main

import (
	"log"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ok")) })
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}
`)
	cmd := exec.Command(honeBinary, "compare", ".", ".", "--toolchain", "A="+older+",B=local", "--env",
		"B:GODEBUG=http2debug=0",
		"--target", "http://127.0.0.1:{port}/", "--budget", "1s", "--warmup", "50ms", "--no-profile", "--quiet",
		"--json", "--", "127.0.0.1:{port}")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 8 { // so little time seldom tells
		t.Fatalf("exit %d, %v\n%s", code, err, out)
	}
	var doc app.ComparisonDocument[record.Run]
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	local := storytest.GoEnv(t, "GOVERSION")
	if a, b := doc.Runs[0].Binary.GoVersion, doc.Runs[1].Binary.GoVersion; a != older || b != local || a == b {
		t.Errorf("measured %s against %s, want %s against %s", a, b, older, local)
	}
	if a, b := doc.Runs[0].Binary.Variant.Env, doc.Runs[1].Binary.Variant.Env; len(a) != 0 || len(b) != 1 {
		t.Errorf("environments %q and %q, want that of B alone", a, b)
	}
}
