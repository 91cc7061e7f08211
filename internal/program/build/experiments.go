package build

import (
	"context"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
)

// Experiments are the experiments of the toolchain (GOEXPERIMENT) that are on in builds of a
// variant in a directory: those that its release has on by itself, and those of the environment.
// An experiment that the toolchain does not know is an error.
func Experiments(ctx context.Context, v Variant, dir string) (map[string]bool, error) {
	answer, _, err := gocommand.Ask(ctx, Env(v), dir, "list", "-f", "{{context.ToolTags}}", "unsafe")
	if err != nil {
		return nil, err
	}
	on := map[string]bool{}
	for _, tag := range strings.Fields(strings.Trim(strings.TrimSpace(string(answer)), "[]")) {
		if name, found := strings.CutPrefix(tag, "goexperiment."); found {
			on[name] = true
		}
	}
	return on, nil
}
