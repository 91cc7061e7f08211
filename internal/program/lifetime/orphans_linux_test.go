package lifetime

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A command's mark replaces an inherited one, and the caller's environment is left alone.
func TestMarkOfCommand(t *testing.T) {
	env := append(make([]string, 0, 8), "A=1", MarkVariable+"=older")
	cmd := exec.Command("true")
	cmd.Env = env
	Mark(cmd)
	given := cmd.Environ()
	marks := slices.DeleteFunc(slices.Clone(given),
		func(entry string) bool { return !strings.HasPrefix(entry, MarkVariable+"=") })
	if len(marks) != 1 || !slices.Contains(given, "A=1") {
		t.Fatalf("environment %q; want one mark", given)
	}
	own, err := self()
	if err != nil {
		t.Fatal(err)
	}
	if owner, ok := parseMark(strings.TrimPrefix(marks[0], MarkVariable+"=")); !ok || owner != own {
		t.Errorf("mark %q is read as %+v, want %+v", marks[0], owner, own)
	}
	if extra := env[:3][2]; extra != "" {
		t.Errorf("%q was written into the caller's slice", extra)
	}
}

func TestMark(t *testing.T) {
	own, err := self()
	if err != nil {
		t.Fatal(err)
	}
	owner, ok := parseMark(own.mark())
	if !ok || owner != own || !owner.lives() {
		t.Errorf("mark of %+v is read as %+v, %v", own, owner, ok)
	}
	if a, b := NewMark(), NewMark(); a == b || len(a) != len(b) {
		t.Errorf("marks %q and %q; want two of one length", a, b)
	}
	heir := own
	heir.born--
	if heir.lives() {
		t.Error("a process that got another's number is taken for it")
	}
}

func FuzzParseMark(f *testing.F) {
	f.Add("4026531836-17-99-abcdefgh")
	f.Add("1-0-0-x")
	f.Add("-1-2-3-x")
	f.Fuzz(func(t *testing.T, text string) {
		owner, ok := parseMark(text)
		if again, ok2 := parseMark(owner.mark()); ok && (!ok2 || again != owner) {
			t.Errorf("%q is read as %+v, and its own mark as %+v", text, owner, again)
		}
	})
}
