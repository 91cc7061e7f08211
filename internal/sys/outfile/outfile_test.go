package outfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestMain lets this binary be a program whose standard output is redirected.
func TestMain(m *testing.M) {
	if path := os.Getenv("OUTFILE_TEST_WRITE"); path != "" {
		if err := Write(path, Private, hello); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

func hello(w io.Writer) error {
	_, err := io.WriteString(w, "hello\n")
	return err
}

func create(path string) error {
	f, err := Create(path, Private)
	if err != nil {
		return err
	}
	return errors.Join(hello(f), f.Close())
}

// A link or a second name of another file is replaced; the other file stays.
func TestOtherFilesAreNotWrittenThrough(t *testing.T) {
	for name, use := range map[string]func(path string) error{
		"Write":  func(path string) error { return Write(path, Private, hello) },
		"Create": create,
	} {
		for kind, set := range map[string]func(to, path string) error{
			"nothing": func(string, string) error { return nil }, "link": os.Symlink, "second name": os.Link,
			"file": func(_, path string) error { return os.WriteFile(path, []byte("old"), 0o600) },
		} {
			dir := t.TempDir()
			letter, page := filepath.Join(dir, "letter"), filepath.Join(dir, "page")
			if err := errors.Join(os.WriteFile(letter, []byte("Dear all"), 0o600), set(letter, page)); err != nil {
				t.Fatal(err)
			}
			if err := use(page); err != nil {
				t.Fatal(err)
			}
			wantText(t, letter, "Dear all")
			wantText(t, page, "hello\n")
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
				t.Errorf("%s over %s: the directory holds %v, %v", name, kind, entries, err)
			}
		}
	}
}

// Where writing goes wrong, what was there stays.
func TestWholeOrNotAtAll(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page")
	if err := os.WriteFile(page, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(page, Private, func(w io.Writer) error {
		return errors.Join(hello(w), io.ErrShortWrite)
	}); !errors.Is(err, io.ErrShortWrite) {
		t.Error(err)
	}
	wantText(t, page, "old")
	if entries, err := os.ReadDir(filepath.Dir(page)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// A path that a repository names is followed inside of its directory only: a link in it may lead anywhere.
func TestWriteBelow(t *testing.T) {
	dir, mine := t.TempDir(), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	err := errors.Join(os.Mkdir(at("real"), 0o700), os.Symlink("real", at("inside")), os.Symlink(mine, at("outside")),
		os.Symlink("../"+filepath.Base(mine), at("up")),
		os.WriteFile(filepath.Join(mine, "page"), []byte("mine"), 0o600),
		os.Symlink(filepath.Join(mine, "page"), at("page")))
	if err != nil {
		t.Fatal(err)
	}
	for name, written := range map[string]string{"real/a": "real/a", "inside/b": "real/b", "page": "page",
		"outside/page": "", "up/page": "", "../x": "", "real/": "", "none/x": ""} {
		err := WriteBelow(dir, name, Private, hello)
		if (err == nil) != (written != "") {
			t.Errorf("%s: %v", name, err)
		}
		if written != "" {
			wantText(t, at(written), "hello\n")
		}
		for root, want := range map[string]int{mine: 1, dir: 5} {
			if entries, err := os.ReadDir(root); err != nil || len(entries) != want {
				t.Errorf("after %s %s holds %v, %v", name, root, entries, err)
			}
		}
	}
	wantText(t, filepath.Join(mine, "page"), "mine")
}

// A new file has the mode that was asked for, whatever the umask; a file that is replaced
// hands on its own, and a link that is replaced hands on nothing.
func TestModes(t *testing.T) {
	dir := t.TempDir()
	shared, link := filepath.Join(dir, "shared"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(shared, nil, 0o600), os.Chmod(shared, 0o664),
		os.Symlink(shared, link)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{filepath.Join(dir, "new"): 0o600, shared: 0o664, link: 0o600} {
		for range 2 {
			for _, err := range []error{Write(path, Private, hello), create(path)} {
				info, errInfo := os.Lstat(path)
				if err := errors.Join(err, errInfo); err != nil || info.Mode() != want {
					t.Errorf("%s: mode %v, want %v; %v", path, info.Mode(), want, err)
				}
			}
		}
	}
}

// A pipe is written to and stays.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan string, 1)
	go func() { // ends when the writer below closes the pipe
		text, err := os.ReadFile(path)
		read <- fmt.Sprint(string(text), err)
	}()
	if err := Write(path, Private, hello); err != nil {
		t.Fatal(err)
	}
	if got := <-read; got != "hello\n<nil>" {
		t.Errorf("read %q", got)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Type() != os.ModeNamedPipe {
		t.Errorf("%v, %v", info, err)
	}
}

// /dev/stdout stays the system's link, whether it is a pipe or a file.
func TestStandardOutput(t *testing.T) {
	was, err := os.Readlink("/dev/stdout")
	if err != nil {
		t.Skipf("there is no /dev/stdout: %v", err)
	}
	file := filepath.Join(t.TempDir(), "redirected")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "OUTFILE_TEST_WRITE=/dev/stdout")
	out, err := cmd.Output() // a pipe
	if err != nil || string(out) != "hello\n" {
		t.Errorf("%q, %v", out, err)
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(os.Args[0])
	cmd.Env, cmd.Stdout = append(os.Environ(), "OUTFILE_TEST_WRITE=/dev/stdout"), f
	if err := errors.Join(cmd.Run(), f.Close()); err != nil {
		t.Fatal(err)
	}
	wantText(t, file, "hello\n")
	if now, err := os.Readlink("/dev/stdout"); err != nil || now != was {
		t.Errorf("/dev/stdout leads to %q, %v", now, err)
	}
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("%s holds %q, %v; want %q", path, text, err, want)
	}
}
