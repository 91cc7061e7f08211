package build

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/gohone/hone/internal/text/fail"
)

var errNoBuildID = errors.New("no Go build ID in it")

// IDOf reads the Go build ID of an executable (ELF or Mach-O): four hashes
// separated by slashes, the same text that go tool buildid prints. A path such as
// /proc/PID/exe works too.
func IDOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read build ID: %w", err)
	}
	defer f.Close()
	id, err := readBuildID(f)
	if err != nil {
		return "", fmt.Errorf("read build ID of %s: %w", path, err)
	}
	return id, nil
}

func readBuildID(r io.ReaderAt) (string, error) {
	if e, err := elf.NewFile(r); err == nil {
		return elfBuildID(e)
	}
	m, err := macho.NewFile(r)
	if err != nil {
		return "", errors.New("neither an ELF nor a Mach-O executable")
	}
	return machoBuildID(m)
}

// elfBuildID looks through the note segments: they are there in stripped files too.
func elfBuildID(e *elf.File) (string, error) {
	const maxNotes = 1 << 20 // a Go executable has under 200 bytes of notes
	for _, p := range e.Progs {
		if p.Type != elf.PT_NOTE || p.Filesz > maxNotes {
			continue
		}
		notes, err := io.ReadAll(p.Open())
		if err != nil {
			return "", err
		}
		if id := goNote(notes, e.ByteOrder); id != "" {
			return id, nil
		}
	}
	return "", errNoBuildID
}

// goNote returns the descriptor of the note with name "Go" and type 4
// (cmd/internal/buildid; the layout of notes is in the ELF specification, "Note Section").
func goNote(notes []byte, order binary.ByteOrder) string {
	const goBuildID = 4
	for len(notes) >= 12 {
		nameLen, descLen, kind := order.Uint32(notes), order.Uint32(notes[4:]), order.Uint32(notes[8:])
		notes = notes[12:]
		nameEnd, descStart := uint64(nameLen), (uint64(nameLen)+3)&^3
		descEnd := descStart + uint64(descLen)
		if descEnd > uint64(len(notes)) {
			return ""
		}
		if kind == goBuildID && string(notes[:nameEnd]) == "Go\x00\x00" {
			return string(notes[descStart:descEnd])
		}
		notes = notes[min((descEnd+3)&^3, uint64(len(notes))):]
	}
	return ""
}

// machoBuildID looks at the start of the code, where the linker writes
// \xff Go build ID: "..."\n \xff on systems without notes.
func machoBuildID(m *macho.File) (string, error) {
	const window = 4 << 10 // it comes first; an ID has 83 characters
	text := m.Section("__text")
	if text == nil {
		return "", errNoBuildID
	}
	start := make([]byte, min(text.Size, window))
	if _, err := text.ReadAt(start, 0); err != nil {
		return "", err
	}
	_, rest, found := bytes.Cut(start, []byte("\xff Go build ID: "))
	line, _, ended := bytes.Cut(rest, []byte("\n \xff"))
	if !found || !ended {
		return "", errNoBuildID
	}
	id, err := strconv.Unquote(string(line))
	if err != nil || id == "" {
		return "", errNoBuildID
	}
	return id, nil
}

// CheckRunning returns nil if process pid runs this binary, and a fail.Subject error
// that names both builds if it runs another one, which happens when an older build
// still holds the port. A binary that was built without an ID (-ldflags=-buildid=)
// is told from others by its file. On systems where a process's executable cannot be
// found the error wraps errors.ErrUnsupported and has the kind fail.Environment.
func (b *Binary) CheckRunning(pid int) error {
	exe, where, err := executableOf(pid)
	if errors.Is(err, errors.ErrUnsupported) {
		return fail.New(fail.Environment, "check process %d: %w", pid, err)
	}
	if err != nil {
		return fail.New(fail.Subject, "check process %d: %w", pid, err).
			WithHint("the process ended, or belongs to another user: see what holds the port, stop it, and run again")
	}
	stranger := func(running string) error {
		return fail.New(fail.Subject,
			"process %d is not the build under test: it runs %s with %s, hone built %s with %s",
			pid, where, running, b.Path, idName(b.BuildID)).
			WithHint("another program, or an older build of this one, answers instead: stop process %d (kill %d) and run again",
				pid, pid)
	}
	if b.BuildID == "" {
		mine, err := os.Stat(b.Path)
		if err != nil {
			return fail.New(fail.Subject, "check process %d: %w", pid, err)
		}
		if running, err := os.Stat(exe); err != nil || !os.SameFile(mine, running) {
			return stranger("another file")
		}
		return nil
	}
	id, err := IDOf(exe)
	if err != nil {
		return stranger("no Go build ID that can be read (" + err.Error() + ")")
	}
	if id != b.BuildID {
		return stranger(idName(id))
	}
	return nil
}

func idName(id string) string {
	if id == "" {
		return "no build ID"
	}
	return "build ID " + id
}
