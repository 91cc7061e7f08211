package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// yamlBudget is what fault 25 allows: the CPU time that reading a hone.yaml may add to a
// command. CPU, not wall time: another program's work is not hone's.
const yamlBudget = 100 * time.Millisecond

// Fault 25: a hostile hone.yaml is refused with a place, and a suggestion where there is
// one, and exit code 2, by every command that reads it.
func TestAHostileYAMLIsRefusedAtOnce(t *testing.T) {
	bomb := "version: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 20; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10))
	}
	start := leastCPU(t, 0, t.TempDir(), "version").cpu
	for _, c := range []struct{ name, text, want string }{
		{"alias bomb", bomb, `hone\.yaml:2:5: .*\bhint: `},
		{"10,000 levels", "version: 1\ngates: " + strings.Repeat("[", 10000) + strings.Repeat("]", 10000),
			`hone\.yaml:2:\d+: `},
		{"10,000 levels of dashes", "version: 1\ngates:\n" + strings.Repeat("- ", 10000), `hone\.yaml:3:\d+: `},
		{"unknown key", "version: 1\nsubjet:\n  package: .\n",
			`hone\.yaml:2:1: unknown key "subjet" \(did you mean "subject"\?\)`},
		{"unknown key further down",
			"version: 1\nsubject:\n  package: .\nplans:\n  a:\n    rat: 3\n    connections: 3\n  a2: {}\nvariants:\n  b:\n    argz: [x]\n",
			`hone\.yaml:11:5: unknown key "argz" \(did you mean "args"\?\)`},
		{"duplicate key", "version: 1\nsubject: {package: ., package: ./b}\n",
			`hone\.yaml:2:23: duplicate key "package", first at 2:11`},
	} {
		for _, command := range []string{"run", "compare", "trust"} {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "hone.yaml"), c.text)
			got := leastCPU(t, 2, dir, command)
			if !regexp.MustCompile(`(?s)` + c.want).MatchString(got.stderr) {
				t.Errorf("%s: hone %s says\n%s\nwant %s", c.name, command, got.stderr, c.want)
			}
			if took := got.cpu - start; took > yamlBudget {
				t.Errorf("%s: hone %s took %v of CPU more than hone version, which takes %v", c.name, command, took,
					start)
			}
		}
	}
}

// outcome is what a command said and took.
type outcome struct {
	stderr string
	cpu    time.Duration
}

// leastCPU carries out a command that ends with a code, three times, since other programs
// make its own CPU time longer, too: their work empties its caches.
func leastCPU(t *testing.T, code int, dir string, args ...string) (least outcome) {
	t.Helper()
	for i := range 3 {
		cmd := exec.Command(honeBinary, args...)
		cmd.Dir = dir
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if got := exitCode(t, cmd.Run()); got != code {
			t.Fatalf("hone %s: exit code %d, want %d\n%s", strings.Join(args, " "), got, code, &stderr)
		}
		cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		if i == 0 || cpu < least.cpu {
			least = outcome{stderr.String(), cpu}
		}
	}
	return least
}
