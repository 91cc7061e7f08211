package series

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// writerVariable makes this binary a writer of a store, in a process of its own.
const writerVariable = "HONE_TEST_SERIES_WRITER"

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "hone-share" {
		serveObjects()
		return
	}
	if os.Getenv(writerVariable) != "" {
		writerProcess()
		return
	}
	goleak.VerifyTestMain(m)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var day = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// pointOf is the nth point of a branch, of a commit of its own.
func pointOf(branch string, n int) Point {
	at := day.Add(time.Duration(n) * time.Minute)
	return Point{At: at, Branch: branch, Subject: "bench", Commit: Commit{Hash: hashOf(n), Time: at.Add(-time.Hour),
		Author: "A", Subject: "change <b>\n"}, Base: &Commit{Hash: hashOf(n - 1), Time: at.Add(-2 * time.Hour)},
		Machine: "m", Values: []Value{{Name: "p.BenchmarkX", Measure: "sec/op", Unit: "s", State: Measured, Ratio: 1.02,
			Low: 1.01, High: 1.03, Confidence: 0.95, Verdict: "slower", Confirmed: true, Absolute: 1e-6}}}
}

func hashOf(n int) string { return fmt.Sprintf("%040x", n+1000) }

// setUpGit gives git neither configuration nor identity of the user.
func setUpGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	set := func(key, value string) {
		if tt, is := t.(*testing.T); is {
			tt.Setenv(key, value)
		}
	}
	set("GIT_CONFIG_GLOBAL", os.DevNull)
	set("GIT_CONFIG_SYSTEM", os.DevNull)
	set("GIT_TERMINAL_PROMPT", "0")
}

func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c",
		"protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// repository is a repository with two commits, and no remote.
func repository(t testing.TB) string {
	t.Helper()
	setUpGit(t)
	dir := filepath.Join(t.TempDir(), "repo")
	must(t, os.MkdirAll(dir, 0o700))
	gitIn(t, dir, "init", "-q", "-b", "main")
	for _, text := range []string{"one", "two"} {
		must(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte(text), 0o600))
		gitIn(t, dir, "add", ".")
		gitIn(t, dir, "commit", "-q", "-m", text)
	}
	return dir
}

func openStore(t testing.TB, where, dir string) Store {
	t.Helper()
	s, err := Open(context.Background(), where, dir)
	must(t, err)
	return s
}

func readStore(t testing.TB, s Store) Content {
	t.Helper()
	content, err := s.Read(context.Background())
	must(t, err)
	return content
}
