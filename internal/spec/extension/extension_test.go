package extension

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/text/fail"
)

func TestWhichExtensionACommandLineAsksFor(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if err := os.WriteFile(filepath.Join(dir, "hone-other"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	root := &cobra.Command{Use: "hone"}
	root.AddCommand(&cobra.Command{Use: "run"})
	root.AddCommand(Commands(Known...)...)
	for line, want := range map[string]string{
		"metrics query up --run R":    "metrics query up --run R",
		"metrics":                     "metrics",
		"other --flag":                "other --flag",
		"__complete metrics que":      "metrics __complete que",
		"__completeNoDesc metrics --": "metrics __completeNoDesc --",
		"__complete met":              "",
		"run metrics":                 "",
		"absent":                      "",
		"--json metrics":              "",
		"../other":                    "",
	} {
		asked, ok := Named(strings.Fields(line), root)
		if got := strings.Join(asked.args, " "); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %v; want %q", line, got, ok, want)
		}
		if ok && asked.Name != strings.Fields(want)[0] {
			t.Errorf("%s asks for %s", line, asked.Name)
		}
	}
}

func TestAMissingExtensionSaysHowItIsInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for version, want := range map[string]string{
		"v1.2.3": "go install github.com/gohone/hone/cmd/hone-metrics@v1.2.3",
		"devel":  "in hone's source: go -C cmd/hone-metrics install .",
	} {
		err := Asked{Metrics, []string{"metrics"}}.Run(cli.Build{Version: version})
		if got := fail.HintOf(err); got != want || fail.ExitCode(err) != int(fail.Environment) ||
			!strings.Contains(err.Error(), Metrics.Short) {
			t.Errorf("%s: %v, exit code %d, hint %q, want %q", version, err, fail.ExitCode(err), got, want)
		}
	}
}

func TestAnotherVersionIsRefused(t *testing.T) {
	core := `{"version":"v1.2.4"}`
	if err := agree("hone-metrics", core, cli.Build{Version: "v1.2.4"}); err != nil {
		t.Error(err)
	}
	if err := agree("hone-metrics", "", cli.Build{Version: "v1.2.3"}); err != nil {
		t.Error("run by itself:", err)
	}
	err := agree("hone-metrics", core, cli.Build{Version: "v1.2.3"})
	if err == nil || !strings.Contains(err.Error(), "v1.2.3") || !strings.Contains(err.Error(), "v1.2.4") ||
		!strings.Contains(fail.HintOf(err), "@v1.2.4") {
		t.Errorf("%v; hint %q", err, fail.HintOf(err))
	}
}

// A command line that is not accepted is bad input, also where a flag that is required is missing.
func TestBadCommandLinesOfExtensions(t *testing.T) {
	commands := func(*Terminal) *cobra.Command {
		root := &cobra.Command{Use: "hone-x"}
		send := &cobra.Command{Use: "send", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return nil }}
		send.Flags().String("to", "", "")
		if err := send.MarkFlagRequired("to"); err != nil {
			t.Fatal(err)
		}
		root.AddCommand(send)
		return root
	}
	for _, args := range [][]string{{"send"}, {"send", "--nosuch"}, {"send", "--to", "x", "more"}, {"nosuch"}} {
		var stdout, stderr bytes.Buffer
		if code := Main(commands, args, &stdout, &stderr); code != int(fail.BadInput) ||
			!strings.Contains(stderr.String(), "hint: ") {
			t.Errorf("%q: exit code %d: %s", args, code, &stderr)
		}
	}
	if code := Main(commands, []string{"send", "--to", "x"}, io.Discard, io.Discard); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// Every known extension has a module in cmd, and no other has.
func TestKnownAreThoseOfTheSource(t *testing.T) {
	modules, err := filepath.Glob("../../../cmd/hone-*/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	var there, known []string
	for _, path := range modules {
		there = append(there, filepath.Base(filepath.Dir(path)))
	}
	for _, e := range Known {
		known = append(known, e.Program())
	}
	slices.Sort(known)
	if !slices.Equal(there, known) {
		t.Errorf("cmd has %q, the table %q", there, known)
	}
}
