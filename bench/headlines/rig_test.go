package headlines

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/honecli"
)

// script is a rig whose hone is a shell script.
func script(t *testing.T, text string) *rig {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "hone")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return &rig{hone: honecli.Hone{Program: path, Dir: dir, Ledger: filepath.Join(dir, "ledger")}, dir: dir}
}

// The document that hone prints is read, also with a code that comes with one, and hone has
// a ledger of the rig's.
func TestAskReadsTheDocument(t *testing.T) {
	r := script(t, `echo '{"id":"'$1 $2 $3 $5'"}'; echo undecided >&2; exit 8`)
	var d runDocument
	if err := r.ask(t.Context(), "", &d, []int{honecli.Undecided}, "run", "x"); err != nil ||
		d.ID != "run --json --ledger x" {
		t.Errorf("%+v, %v", d, err)
	}
	err := r.ask(t.Context(), "", &d, nil, "run", "x")
	if err == nil || !strings.Contains(err.Error(), "x: exit status 8\nundecided") {
		t.Errorf("a code that was not expected: %v", err)
	}
	if err := script(t, "echo nonsense").ask(t.Context(), "", &d, nil, "run"); err == nil {
		t.Error("read nonsense")
	}
	if err := r.ask(t.Context(), "nowhere", &d, nil, "run"); err == nil {
		t.Error("ran in a directory that is not there")
	}
}

// What is invalid is measured again, and said; what stays invalid is an error, and what
// fails is not tried again.
func TestAskAgain(t *testing.T) {
	r := script(t, `echo x >>"$0".calls; [ $(wc -l <"$0".calls) = 3 ] || { echo "hone: invalid: late" >&2; echo hint >&2; exit 4; }; echo '{"id":"third"}'`)
	var d runDocument
	if err := r.ask(t.Context(), "", &d, nil, "run"); err != nil || d.ID != "third" {
		t.Errorf("%+v, %v", d, err)
	}
	if want := []string{"hone: invalid: late", "hone: invalid: late"}; !slices.Equal(r.Repeated, want) {
		t.Errorf("repeated: %q", r.Repeated)
	}
	for code, calls := range map[string]int{"4": attempts, "3": 1} {
		r := script(t, `echo x >>"$0".calls; exit `+code)
		if err := r.ask(t.Context(), "", &d, nil, "run"); err == nil {
			t.Errorf("exit %s is not an error", code)
		}
		text, err := os.ReadFile(r.hone.Program + ".calls")
		if err != nil || len(text) != 2*calls {
			t.Errorf("exit %s: %d calls, %v, want %d", code, len(text)/2, err, calls)
		}
	}
}

func TestBudgets(t *testing.T) {
	if r := (&rig{quick: true}); r.budget(time.Minute) != "6s" {
		t.Errorf("%s", r.budget(time.Minute))
	}
	if r := (&rig{}); r.budget(time.Minute) != "1m0s" || r.rounds() < 6 {
		t.Errorf("%s, %d rounds: too few for an interval", r.budget(time.Minute), r.rounds())
	}
}
