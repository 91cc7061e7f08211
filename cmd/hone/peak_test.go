package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// peakRole makes the test executable run the command in its arguments and write the peak
// memory of that to descriptor 3. On Linux the peak of a child begins with what its parent
// had at the time, and a test that made bombs has hundreds of megabytes.
const peakRole = "HONE_TEST_PEAK"

// runForPeak is the test executable in that role. It returns the command's exit code.
func runForPeak() int {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	_ = cmd.Run() // the exit code says it; -1 where it could not be started
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return -1
	}
	if _, err := fmt.Fprint(os.NewFile(3, "peak"), usage.Maxrss*rssUnit); err != nil {
		return -1
	}
	return cmd.ProcessState.ExitCode()
}

// runChild runs a command and returns its exit code, what it wrote to standard error, and
// the largest memory it had, in bytes.
func runChild(t *testing.T, cmd *exec.Cmd) (code int, stderr string, peak int64) {
	t.Helper()
	between := exec.Command(os.Args[0], append([]string{cmd.Path}, cmd.Args[1:]...)...)
	between.Dir, between.Stdin, between.Stdout = cmd.Dir, cmd.Stdin, cmd.Stdout
	between.Env = append(os.Environ(), peakRole+"=1")
	var said bytes.Buffer
	between.Stderr = &said
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	between.ExtraFiles = []*os.File{write}
	err = between.Start()
	write.Close()
	if err != nil {
		t.Fatal(err)
	}
	number, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	code = exitCode(t, between.Wait())
	if _, err := fmt.Sscan(string(number), &peak); err != nil {
		t.Fatalf("no peak of %v: %q, %v\n%s", cmd, number, err, &said)
	}
	return code, said.String(), peak
}
