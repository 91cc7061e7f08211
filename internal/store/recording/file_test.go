package recording

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

func create(t *testing.T, path string) *File {
	t.Helper()
	f, err := Create(path, openHeader())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Abandon() })
	return f
}

func TestTheFileAppearsWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.hone")
	if err := os.WriteFile(path, []byte("an earlier recording"), 0o600); err != nil {
		t.Fatal(err)
	}
	whole := openRecording(t, 1)
	f := create(t, path)
	for _, s := range whole.Slices {
		if err := f.Slice(s); err != nil {
			t.Fatal(err)
		}
	}
	if b, _ := os.ReadFile(path); string(b) != "an earlier recording" {
		t.Errorf("the earlier recording was touched before the new one was whole: %.40q", b)
	}
	half, err := ReadFile(f.partial)
	if err != nil || !half.Truncated || len(half.Slices) != 4 {
		t.Errorf("the growing file: %v, %v", half, err)
	}
	if err := f.Close(whole.Final); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text(t, got) != text(t, whole) {
		t.Error("the file differs from what was written")
	}
	if _, err := os.Stat(f.partial); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the partial file is still there: %v", err)
	}
	if err := f.Close(whole.Final); err == nil {
		t.Error("a second Close says nothing")
	}
}

// A pipe is written to and stays; nothing is put beside it.
func TestARecordingIntoAPipe(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan []byte, 1)
	go func() { // ends when Close closes the pipe
		b, _ := os.ReadFile(path)
		read <- b
	}()
	whole := openRecording(t, 1)
	f := create(t, path)
	for _, s := range whole.Slices {
		if err := f.Slice(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(whole.Final); err != nil {
		t.Fatal(err)
	}
	got, err := Read(bytes.NewReader(<-read), path)
	if err != nil || text(t, got) != text(t, whole) {
		t.Errorf("what came out of the pipe differs: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 || entries[0].Type() != os.ModeNamedPipe {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}

// A recording is private; one that replaces a file has that file's mode.
func TestTheModeOfARecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.hone")
	for _, want := range []os.FileMode{0o600, 0o644} {
		f := create(t, path)
		if err := f.Close(openRecording(t, 1).Final); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("mode %v, %v; want %v", info.Mode(), err, want)
		}
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMain doubles as the process that dies in the story below.
func TestMain(m *testing.M) {
	if path := os.Getenv("RECORDING_TEST_DIE"); path != "" {
		die(path)
	}
	os.Exit(m.Run())
}

// die writes two slices and is killed.
func die(path string) {
	f, err := Create(path, openHeader())
	for _, s := range openRecording(&testing.T{}, 1).Slices[:2] {
		err = errors.Join(err, f.Slice(s))
	}
	if err == nil {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	os.Exit(1)
}

// A generator that is killed leaves what it had. The next test of the same name takes
// another partial file, and a reader of the final name is told where to look.
func TestAKilledGeneratorLeavesItsSlices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.hone")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "RECORDING_TEST_DIE="+path)
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Fatalf("the generator ended with %v, want a kill", err)
	}
	r, err := ReadFile(path + ".partial")
	if err != nil {
		t.Fatal(err)
	}
	if !r.Truncated || len(r.Slices) != 2 {
		t.Errorf("truncated %v with %d slices, want true with 2", r.Truncated, len(r.Slices))
	}
	s := Summarize(r)
	if s.Requests.Answered != 200 || len(s.Doubts) == 0 || s.Doubts[len(s.Doubts)-1].Name != DoubtTruncated {
		t.Errorf("%d answered, doubts %v", s.Requests.Answered, s.Doubts)
	}
	if _, err := ReadFile(path); !strings.Contains(fail.HintOf(err), path+".partial") {
		t.Errorf("reading the final name: %v, hint %q", err, fail.HintOf(err))
	}
	if next := create(t, path); next.partial == path+".partial" {
		t.Error("the next test writes over what was left")
	}
}

func TestAFullDiskSaysWhatIsNeeded(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("this system has no /dev/full: %v", err)
	}
	defer full.Close()
	dir := t.TempDir()
	f := create(t, filepath.Join(dir, "a.hone"))
	f.w.w = full // the disk fills up in mid-test
	err = f.Slice(openRecording(t, 1).Slices[0])
	if fail.ExitCode(err) != int(fail.Storage) || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("error %v of kind %d", err, fail.ExitCode(err))
	}
	for _, want := range []string{"disk full after", "more needed", " free", f.path} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if !strings.Contains(fail.HintOf(err), f.partial) {
		t.Errorf("hint %q does not say what was kept", fail.HintOf(err))
	}
	if err := f.Close(Final{}); fail.ExitCode(err) != int(fail.Storage) {
		t.Errorf("closing after that: %v", err)
	}
	r, err := ReadFile(f.partial)
	if err != nil || !r.Truncated {
		t.Errorf("what was kept: %v, %v", r, err)
	}
}

func TestADirectoryThatIsNotThereIsNamed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "no", "such")
	_, err := Create(filepath.Join(dir, "a.hone"), openHeader())
	if fail.ExitCode(err) != int(fail.Storage) || fail.HintOf(err) != "mkdir -p "+dir {
		t.Errorf("error %v, hint %q", err, fail.HintOf(err))
	}
}

func TestSecretsAreNotWrittenDown(t *testing.T) {
	h := openHeader()
	h.Target = "https://ann:s3cr3t@example.org/x@y?token=s3cr3t;z=1"
	file := text(t, New(h))
	if strings.Contains(file, "s3cr3t") {
		t.Errorf("a secret is in the file:\n%s", file)
	}
	if want := "https://***@example.org/x@y?token=***;z=1"; !strings.Contains(file, want) {
		t.Errorf("%q is gone:\n%s", want, file)
	}
}
