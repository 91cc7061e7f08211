package programtest

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gohone/hone/"

// ImportsNothingOfHone wants the programs of the service of that name, in whose directory
// the test runs, to bring of hone only the service, what services share, and the packages
// also named. A program is a subject like any other: it must not bring the instruments
// that hone is there to add.
func ImportsNothingOfHone(t *testing.T, service string, also ...string) {
	t.Helper()
	own, seen := "services/"+service, false
	for _, pkg := range imports(t, "../...") {
		path, ofHone := strings.CutPrefix(pkg, module)
		seen = seen || path == own
		if ofHone && !strings.HasPrefix(path, own) && !strings.HasPrefix(path, "services/internal/") &&
			!slices.Contains(also, path) {
			t.Errorf("the programs import %s", pkg)
		}
	}
	if !seen {
		t.Errorf("go list does not name %s", own)
	}
}

// ImportsNoneOf wants pkg, and what it needs, to have no import path with one of the
// prefixes.
func ImportsNoneOf(t *testing.T, pkg string, prefixes ...string) {
	t.Helper()
	for _, path := range imports(t, pkg) {
		for _, prefix := range prefixes {
			if strings.HasPrefix(path, prefix) {
				t.Errorf("%s imports %s", pkg, path)
			}
		}
	}
}

// imports lists what pkg needs, itself included. It skips the test where there is no go
// command.
func imports(t *testing.T, pkg string) []string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("SKIPPED: needs the go command to list imports")
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", pkg).CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	return strings.Fields(string(out))
}
