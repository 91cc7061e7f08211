package advice

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/code"
)

// planted are the functions in whose lines a trial program has its defect, by the marks "// want: RULE" in its source.
func planted(t *testing.T, dir, rule string) (functions []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("testdata", dir, "speaks"),
		func(path string, _ os.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			var tree code.Tree
			tree.ReadFrom(map[string][]byte{path: text})
			f := tree.File(path)
			for i, line := range strings.Split(string(text), "\n") {
				if !strings.HasSuffix(strings.TrimSpace(line), "// want: "+rule) {
					continue
				}
				name := "" // of a variable of the package
				if fn := f.Function(i + 1); fn != nil {
					name = fn.Name.Name
				}
				functions = append(functions, name)
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return functions
}

// alike are rules that may say of a trial's defect what its own rule says: with the reason.
var alike = map[string]string{
	"read-lock":       "lock-held",       // the map is only read under the lock, and across a call to a backend
	"object-per-call": "buffer-per-call", // the object is made together with its buffer
}

// beside are functions that say the same as the planted lines of a trial.
var beside = map[string]string{
	"unbuffered-writes": "Send", // it calls both planted functions, each of which makes a system call
}

// On the recorded run of each trial program its rule names the planted line's function, and on that of the near miss it
// is silent.
func TestRecordedTrials(t *testing.T) {
	views, err := filepath.Glob("testdata/*/speaks.view")
	if err != nil || len(views) < 30 {
		t.Fatalf("%d recorded trials: %v", len(views), err)
	}
	for _, path := range views {
		name := filepath.Base(filepath.Dir(path))
		if RuleNamed(name) == nil {
			t.Errorf("%s is not a rule", name)
			continue
		}
		functions := planted(t, name, name)
		if one, ok := beside[name]; ok {
			functions = append(functions, one)
		}
		said := find(t, recordedView(t, name, "speaks.view")).Findings
		if !slices.ContainsFunc(said, func(f Finding) bool {
			return (f.Rule == name || f.Rule == alike[name]) &&
				(len(functions) == 0 || isIn(f.Place.Function, functions))
		}) {
			t.Errorf("%s: not found in %q; found: %s", name, functions, listed(said))
		}
		silent := find(t, recordedView(t, name, "silent.view")).Findings
		if slices.ContainsFunc(silent, func(f Finding) bool { return f.Rule == name }) {
			t.Errorf("%s: speaks of the near miss: %s", name, listed(silent))
		}
	}
}

// isIn says whether a function of a profile, or a closure in it, is one of those declared under these names.
func isIn(function string, declared []string) bool {
	return slices.ContainsFunc(declared, func(name string) bool {
		if name == "" {
			return strings.HasSuffix(function, ".init")
		}
		return slices.Contains(strings.FieldsFunc(function,
			func(r rune) bool { return strings.ContainsRune("./()*[]", r) }), name)
	})
}

func listed(all []Finding) string {
	var lines []string
	for _, f := range all {
		lines = append(lines, f.Rule+" at "+f.Place.String())
	}
	return strings.Join(lines, "; ")
}
