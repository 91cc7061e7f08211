package machine

import (
	"bufio"
	"os"
	"os/exec"
	"testing"
	"time"
)

// Another program is seen while it works, and no longer when it has ended; what descends from
// the root that is left out never is.
func TestNeighbours(t *testing.T) {
	cmd := exec.Command("sh", "-c",
		"echo up; while read line; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; done")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewScanner(out)
	answers.Scan() // it is up
	pid := cmd.Process.Pid
	all, others := WatchNeighbours(-1), WatchNeighbours(os.Getpid())
	all.Next()
	if _, err := in.Write([]byte("work\n")); err != nil {
		t.Fatal(err)
	}
	answers.Scan()
	if used := all.Next()[pid]; used < time.Millisecond || all.Name(pid) == "" {
		t.Errorf("%q used %v", all.Name(pid), used)
	}
	if used, seen := others.Next()[pid]; seen {
		t.Errorf("a child used %v", used)
	}
	all.Rest() // it has worked since the beginning: it is read again
	if _, err := in.Write([]byte("work\n")); err != nil {
		t.Fatal(err)
	}
	answers.Scan()
	if used := all.Next()[pid]; used < time.Millisecond {
		t.Errorf("after a rest it used %v", used)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if used, seen := all.Next()[pid]; seen {
		t.Errorf("it has ended, and used %v", used)
	}
}
