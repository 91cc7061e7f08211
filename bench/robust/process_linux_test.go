package robust

import (
	"bufio"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// A shell with a child in a session of its own, and one without the tag: all are found while
// they live, and none when they are dead.
func TestSurvivorsAreFound(t *testing.T) {
	mark := tag(tagName + "=" + t.Name())
	cmd := exec.Command("sh", "-c", "setsid sleep 60 & env -i setsid sleep 60 & echo up; wait")
	cmd.Env = append(cmd.Environ(), string(mark))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	names := func(all []process) string {
		var text []string
		for _, p := range all {
			text = append(text, p.name)
		}
		slices.Sort(text)
		return strings.Join(text, " ")
	}
	await(t, "sleep sleep", func() string { return names(below(cmd.Process.Pid)) })
	noted := below(cmd.Process.Pid)
	if got := names(mark.processes()); got != "sh sleep" {
		t.Errorf("with the tag: %q", got)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := names(survivors(mark, nil)); got != "sleep" {
		t.Errorf("survivors with the tag: %q", got)
	}
	left := survivors(mark, noted)
	if got := names(left); got != "sleep sleep" {
		t.Errorf("survivors with those noted: %q", got)
	}
	reused := slices.Clone(noted)
	for i := range reused {
		reused[i].start++ // another process of the same number
	}
	if got := names(survivors(mark, reused)); got != "sleep" {
		t.Errorf("survivors where the numbers are others' now: %q", got)
	}
	endAll(left)
	await(t, "", func() string { return names(survivors(mark, noted)) })
}

// await polls until what is what is wanted: the kernel says nothing when a process begins to
// execute a program.
func await(t *testing.T, want string, what func() string) {
	t.Helper()
	var got string
	for range 10_000 {
		if got = what(); got == want {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("%q, want %q", got, want)
}
