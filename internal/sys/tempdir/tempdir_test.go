package tempdir

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// TestMain makes this binary the other hone of the tests: with otherVariable it makes a
// directory with files in it, starts a program that outlives it, prints the directory, and
// lives until its standard input ends.
func TestMain(m *testing.M) {
	if os.Getenv(otherVariable) == "" {
		os.Exit(m.Run())
	}
	d, err := Make()
	if err == nil {
		err = os.MkdirAll(filepath.Join(d.Path, "A", "B"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(d.Path, "A", "program"), nil, 0o700)
	}
	subject := exec.Command("cat") // ends with its input, which is that of this process
	subject.Stdin = os.Stdin
	if err == nil {
		err = subject.Start()
	}
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(d.Path + "\n")
	_, _ = os.Stdin.Read(make([]byte, 1))
	_ = subject.Process.Kill()
}

const otherVariable = "HONE_TEST_OTHER_TEMPDIR"

// other starts another hone, and returns its directory.
func other(t *testing.T) (cmd *exec.Cmd, dir string) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), otherVariable+"=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close() })
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, strings.TrimSpace(line)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mustMake(t *testing.T) *Dir {
	t.Helper()
	d, err := Make()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Files of the user stay whatever their names are, and so does what only looks like hone's.
func TestSweepLeavesTheUsersFiles(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	home := filepath.Join(t.TempDir(), "home")
	write(t, filepath.Join(home, marker), content+"hone-link")
	write(t, filepath.Join(home, "letter"), "")
	if err := os.Symlink(home, filepath.Join(temp, "hone-link")); err != nil {
		t.Fatal(err)
	}
	var files []string
	add := func(name, text string) {
		write(t, filepath.Join(temp, name), text)
		files = append(files, filepath.Join(temp, name))
	}
	add("hone-99999999-notes/notes.txt", "mine")
	add(plain+"notes/notes.txt", "mine")
	add("hone-99999999-x/"+marker, "something else, of the same name")
	add("hone-99999999-same-length/"+marker, strings.Repeat("x", len(content)+len("hone-99999999-same-length")))
	add("hone-99999999-file", content)
	add("hone-copy/"+marker, content+"hone-orig") // of a directory of hone
	add("hone-new/"+unfinished, content+"hone-new")
	add("hone-shared/"+marker, content+"hone-shared")
	if err := os.Chmod(filepath.Join(temp, "hone-shared"), 0o755); err != nil {
		t.Fatal(err)
	}
	add("hone-inner/letter", "")
	if err := os.Symlink(filepath.Join(home, marker), filepath.Join(temp, "hone-inner", marker)); err != nil {
		t.Fatal(err)
	}
	add("else/"+marker, content+"else")
	d := mustMake(t)
	if err := d.Remove(); err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, filepath.Join(home, "letter"), filepath.Join(temp, "hone-link")) {
		if !exists(f) {
			t.Errorf("%s is gone", f)
		}
	}
}

// A directory of another user stays, even for root.
func TestSweepLeavesOtherUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make a directory of another user")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	theirs, half := filepath.Join(temp, "hone-theirs"), filepath.Join(temp, "hone-half")
	for _, dir := range []string{theirs, half} {
		write(t, filepath.Join(dir, marker), content+filepath.Base(dir))
		if err := os.Chown(filepath.Join(dir, marker), 1234, 1234); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(theirs, 1234, 1234); err != nil {
		t.Fatal(err)
	}
	sweep(temp)
	if !exists(theirs) || !exists(half) {
		t.Error("a directory of another user is gone")
	}
}

// The directory of a hone that lives stays, and that of a killed one goes, though a program
// that it started lives on, and links in it lead out.
func TestSweepTakesWhatAKilledHoneLeft(t *testing.T) {
	temp, outside := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	write(t, filepath.Join(outside, "letter"), "")
	process, dir := other(t)
	if err := os.Symlink(outside, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	mine := mustMake(t)
	second := mustMake(t)
	if !exists(filepath.Join(dir, "A", "program")) || !exists(mine.Path) {
		t.Fatal("the directory of a living hone is gone")
	}
	if err := process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = process.Wait() // it was killed
	write(t, filepath.Join(temp, plain+"left", marker), content+plain+"left")
	third, err := MakePlain()
	if err != nil || exists(filepath.Join(temp, plain+"left")) {
		t.Errorf("one with a plain name is there: %v, %v", exists(filepath.Join(temp, plain+"left")), err)
	}
	fourth := mustMake(t)
	if exists(dir) || !exists(filepath.Join(outside, "letter")) {
		t.Errorf("leftover there: %v; file outside there: %v", exists(dir), exists(filepath.Join(outside, "letter")))
	}
	for _, d := range []*Dir{mine, second, third, fourth} {
		if err := d.Remove(); err != nil || exists(d.Path) {
			t.Errorf("%s there: %v, %v", d.Path, exists(d.Path), err)
		}
	}
}

// Sweeps that come together take each leftover once, and leave the directories that are made
// at the same moment.
func TestSweepsTogether(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				d, err := Make()
				if err != nil {
					t.Error(err)
					return
				}
				write(t, filepath.Join(d.Path, "a", "b"), "")
				sweep(temp)
				if !exists(filepath.Join(d.Path, "a", "b")) {
					t.Error("a directory in use was swept")
				}
				d.lock.Close() // as if killed
			}
		})
	}
	wg.Wait()
	sweep(temp)
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		t.Errorf("%d are left, %v", len(left), err)
	}
}

// What cannot be removed keeps its marker, so that a later sweep tries again.
func TestMarkerGoesLast(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can remove everything")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	d := mustMake(t)
	stuck := filepath.Join(d.Path, "stuck")
	write(t, filepath.Join(stuck, "file"), "")
	if err := os.Chmod(stuck, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := d.Remove(); err == nil || !exists(filepath.Join(d.Path, marker)) {
		t.Errorf("error %v, marker there: %v", err, exists(filepath.Join(d.Path, marker)))
	}
	if err := os.Chmod(stuck, 0o700); err != nil {
		t.Fatal(err)
	}
	sweep(temp)
	if exists(d.Path) {
		t.Error("the next sweep did not remove it")
	}
}

func TestMakeErrors(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	_, err := Make()
	if fail.ExitCode(err) != int(fail.Storage) || !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(fail.HintOf(err), "TMPDIR") {
		t.Errorf("%v, hint %q", err, fail.HintOf(err))
	}
}

// No other user can read the directory, and its path leaves room for the names of sockets.
func TestDirectory(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	d := mustMake(t)
	info, err := os.Stat(d.Path)
	if err != nil || info.Mode().Perm() != 0o700 || len(filepath.Base(d.Path)) > 20 {
		t.Errorf("%s: %v, %v", d.Path, info.Mode(), err)
	}
	if err := os.Remove(filepath.Join(d.Path, marker)); err != nil { // as a cleaner of /tmp may
		t.Fatal(err)
	}
	if err := errors.Join(d.Remove(), d.Remove()); err != nil {
		t.Errorf("remove it twice: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(temp, "*"))
	if err != nil || slices.Compare(left, nil) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
