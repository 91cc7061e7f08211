// Package services_test compiles every service and reads its marks.
package services_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gohone/hone/bench/tail/marks"
)

// All services compile, with gRPC and without. They are not linked, which takes a second each.
func TestServicesCompile(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for _, tags := range []string{"", "grpc"} {
		cmd := exec.CommandContext(ctx, "go", "list", "-export", "-tags="+tags, "./...")
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("tags %q: %v\n%s", tags, err, said)
		}
	}
}

// Every service but the controls has a marked cause, and its marks can be read.
func TestServicesAreMarked(t *testing.T) {
	dirs, err := filepath.Glob("*/main.go")
	if err != nil || len(dirs) < 16 {
		t.Fatalf("%d services, %v", len(dirs), err)
	}
	for _, path := range dirs {
		name := filepath.Dir(path)
		all, err := marks.Read(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		causes := 0
		for _, m := range all {
			causes = max(causes, m.Cause)
		}
		want := map[string]int{"plain": 0, "evencpu": 0, "two": 2}
		n, listed := want[name]
		if !listed {
			n = 1
		}
		if causes != n {
			t.Errorf("%s: %d planted causes are marked, want %d", name, causes, n)
		}
	}
}
