package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

// readByPlans are the files that a plan may name. hone reads them and writes none of them.
var readByPlans = []string{"body", "tls.ca", "tls.cert", "tls.key", "feed", "grpc.proto", "grpc.proto-path",
	"grpc.protoset", "sequence", "har", "access-log", "openapi", "ready", "like"}

// namesFile matches the help text of a flag that takes a file or a directory.
var namesFile = regexp.MustCompile(`(?i)\b(files?|director(y|ies))\b`)

// planCommands are the commands that plans are written for.
var planCommands = []string{"run", "compare"}

func isSwitch(r spec.Row) bool {
	_, is := r.To(&spec.Spec{}).(*bool)
	return is
}

// A plan of a hone.yaml, which may be a stranger's, names no file that hone writes. A new
// flag that names a file fails here until it is in readByPlans or its row is NotInPlans.
func TestNoPlanNamesAFileToWrite(t *testing.T) {
	root := (&commands{&app.App{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}}).root()
	written := map[string]bool{} // flags of all commands that name a file, and are not read by plans
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		inPlans := func(string) bool { return false }
		if slices.Contains(planCommands, cmd.Name()) && cmd.Parent() == root {
			set := spec.Of(cmd.Flags())
			inPlans = func(name string) bool { return slices.Contains(set.ForPlans(), name) }
			for _, name := range set.ForPlans() {
				if r, _ := set.Row(name); namesFile.MatchString(r.Help) && !slices.Contains(readByPlans, name) &&
					!isSwitch(r) {
					t.Errorf("a plan of hone %s may set %s: %s", cmd.Name(), name, r.Help)
				}
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() != "bool" && namesFile.MatchString(f.Usage) && !slices.Contains(readByPlans, f.Name) &&
				!inPlans(f.Name) {
				written[f.Name] = true
			}
		})
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(root)
	for _, name := range []string{"ledger", "output", "html", "csv", "hgrm", "svg"} {
		if !written[name] {
			t.Errorf("the test does not see --%s", name)
		}
	}
	for name := range written {
		for _, command := range planCommands {
			dir := filepath.Dir(inShop(t, "version: 1\nsubject: {package: .}\nplans:\n  default: {"+name+
				": written}\nvariants: {main: {args: [x]}}\nbaseline: main\n"))
			trustFile(t, filepath.Join(dir, "hone.yaml"))
			root := (&commands{&app.App{Ctx: t.Context(), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}}).root()
			root.SetArgs([]string{command})
			err := root.Execute()
			if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), "hone.yaml:4:") ||
				!strings.Contains(err.Error(), name) {
				t.Errorf("hone %s with a plan that sets --%s: %v", command, name, err)
			}
			if _, err := os.Lstat(filepath.Join(dir, "written")); err == nil {
				t.Errorf("hone %s with a plan that sets --%s wrote there", command, name)
			}
		}
	}
}
