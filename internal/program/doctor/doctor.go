// Package doctor looks at the machine with the eyes of a measurement: what is missing, what makes intervals wider, and
// what to do about it.
package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/sys/affinity"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/sys/diskroom"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/sys/preflight"
	"github.com/gohone/hone/internal/text/fail"
)

// Condition is one thing that doctor looks at.
type Condition struct {
	Name string `json:"name"`
	// State is ok, warn (measurements are worse for it) or fail (hone cannot work).
	State string `json:"state"`
	Text  string `json:"text"`
	Hint  string `json:"hint,omitempty"`
}

// States of a Condition.
const (
	OK   = "ok"
	Warn = "warn"
	Fail = "fail"
)

// Examine looks at all conditions. guard is the command of a guard, see subject.StartOptions; ledgerDir need not exist.
func Examine(ctx context.Context, guard []string, ledgerDir string) []Condition {
	return []Condition{
		tool(ctx, "go", "programs are built with it", Fail, "env", "GOVERSION"),
		tool(ctx, "git", "variants like main:./cmd/server need it", Warn, "--version"),
		cpus(), isolation(ctx, guard), boxes(), guards(), files(), quietness(), space(ledgerDir),
	}
}

func tool(ctx context.Context, name, use, missing string, args ...string) Condition {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return Condition{name, missing, err.Error() + "; " + use, "install " + name + " and put it on PATH"}
	}
	return Condition{Name: name, State: OK, Text: strings.TrimSpace(string(out))}
}

func cpus() Condition {
	allowed, err := affinity.AllowedCPUs()
	if err != nil {
		return Condition{"cpus", Warn, err.Error(), "results will scatter more"}
	}
	generator, subjects := affinity.SplitCPUs(allowed)
	if len(allowed) < 2 {
		return Condition{"cpus", Warn, fmt.Sprintf("%d CPU to use: load generator and program share it", len(allowed)),
			"allow hone a second CPU: their work mixes in one"}
	}
	restore, err := affinity.PinSelf(generator)
	if err != nil {
		return Condition{"cpus", Warn, "CPU pinning is unavailable: " + err.Error(), "results will scatter more"}
	}
	restore()
	return Condition{Name: "cpus", State: OK, Text: fmt.Sprintf("%d: measured programs on %v, load generator on %v",
		len(allowed), subjects, generator)}
}

func isolation(ctx context.Context, guardCommand []string) Condition {
	if err := guard.CanIsolate(ctx, guardCommand); err != nil {
		return Condition{"namespaces", Warn, err.Error(),
			"variants on the same fixed port are measured by alternating restarts; {port} in their arguments avoids it"}
	}
	return Condition{Name: "namespaces", State: OK, Text: "variants on the same fixed port can be measured together"}
}

func boxes() Condition {
	if err := cgroup.Try(cgroup.Limits{CPUs: 1, Memory: 64 << 20}); err != nil {
		return Condition{"boxes", Warn, err.Error(), "only --cpus, --memory and --like need it; " + fail.HintOf(err)}
	}
	return Condition{Name: "boxes", State: OK,
		Text: "programs can have the limits of a container (--cpus, --memory, --like)"}
}

func guards() Condition {
	text, complete := guard.Describe()
	if !complete {
		return Condition{"guards", Warn, text, "after a kill of hone look for what the program had started"}
	}
	return Condition{Name: "guards", State: OK, Text: text}
}

// wantFiles is enough for 10,000 connections in one process.
const wantFiles = 10_100

func files() Condition {
	limit, known := preflight.OpenFiles()
	if !known {
		return Condition{"open files", Warn, "the limit is not known", ""}
	}
	if limit < wantFiles {
		return Condition{"open files", Warn, fmt.Sprintf("%d at most", limit), fmt.Sprintf("ulimit -n %d", wantFiles)}
	}
	return Condition{Name: "open files", State: OK, Text: fmt.Sprintf("%d at most", limit)}
}

func quietness() Condition {
	e := machine.Describe()
	if e.LoadAverage > float64(e.CPUs)/2 {
		return Condition{"load", Warn, fmt.Sprintf("load average %.2f on %d CPUs", e.LoadAverage, e.CPUs),
			"something else is running: intervals will be wider"}
	}
	return Condition{Name: "load", State: OK, Text: fmt.Sprintf("load average %.2f on %d CPUs", e.LoadAverage, e.CPUs)}
}

// wantFree is what a long run with profiles may need.
const wantFree = 100 << 20

func space(dir string) Condition {
	if _, err := os.Stat(dir); err != nil {
		dir = "."
	}
	free, err := diskroom.Free(dir)
	if err != nil {
		return Condition{"disk", Warn, err.Error(), ""}
	}
	text := fmt.Sprintf("%d MB free for the ledger", free>>20)
	if free < wantFree {
		return Condition{"disk", Warn, text, fmt.Sprintf("free %d MB, or name another place with --ledger",
			wantFree>>20)}
	}
	return Condition{Name: "disk", State: OK, Text: text}
}
