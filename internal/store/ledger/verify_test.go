package ledger

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// One bit of a stored profile flips. Verify names artefact, run and file; the
// artefact is not handed out; the other runs are as they were.
func TestFlippedBit(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	sound, hurt := mustStore(t, l, "sound"), mustStore(t, l, "hurt")
	before := dump(t, l, sound)
	a, err := l.Artefacts(hurt)
	if err != nil {
		t.Fatal(err)
	}
	path, err := l.ArtefactPath(a[0])
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}

	report, err := l.Verify(t.Context())
	if err != nil || len(report.Faults) != 1 {
		t.Fatalf("verify: %+v, %v", report, err)
	}
	f := report.Faults[0]
	if f.Run != hurt || f.Kind != a[0].Kind || f.Name != a[0].Name || f.File != path {
		t.Errorf("fault %+v, want %v in %s", f, a[0], path)
	}
	wantFail(t, report.Err(), fail.Storage, hurt, a[0].Name, path)
	_, err = l.ReadArtefact(a[0])
	wantFail(t, err, fail.Storage, hurt, a[0].Name, path)
	if dump(t, l, sound) != before {
		t.Error("the sound run differs")
	}

	// Storing the same bytes again heals the file.
	d, err := l.BeginRun(Run{})
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if _, err := d.AddArtefact("cpu", "again", bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.ReadArtefact(a[0]); err != nil {
		t.Error(err)
	}
}

// Missing, shortened and nameless files, and what points nowhere, each get a
// fault of their own; a blob or slices that no run has are orphans, and are not faults.
func TestVerifyTellsDamageApart(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	d, err := l.BeginRun(Run{})
	if err != nil {
		t.Fatal(err)
	}
	path := map[string]string{}
	for _, name := range []string{"missing", "short", "sound", "sound too"} {
		a, err := d.AddArtefact("log", name, strings.NewReader(strings.TrimSuffix(name, " too")))
		if err != nil {
			t.Fatal(err)
		}
		path[name], _ = l.ArtefactPath(a)
	}
	orphan, _, err := writeBlob(l.home, strings.NewReader("no run names me"))
	if err != nil {
		t.Fatal(err)
	}
	stranger := filepath.Join(dir, "blobs", "readme")
	if err := errors.Join(os.Remove(path["missing"]), os.Truncate(path["short"], 2),
		os.WriteFile(stranger, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Finish(Complete, "", nil),
		writeBaselines(l.home, []Baseline{{Name: "gone", Run: "deadbeef"}}),
		os.WriteFile(filepath.Join(dir, slicesName("deadbeef")), nil, 0o600),
		os.WriteFile(filepath.Join(dir, recordsName, "letter"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	report, err := l.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{} // name or file -> detail
	for _, f := range report.Faults {
		key := f.Name
		if key == "" {
			key = filepath.Base(f.File)
		}
		found[key] = f.Detail
	}
	for key, detail := range map[string]string{
		"missing": "missing", "short": "2 bytes, stored were 5", "readme": "not a SHA-256", "letter": "not a record",
		"baselines": "deadbeef",
	} {
		if !strings.Contains(found[key], detail) {
			t.Errorf("%s: %q, want %q", key, found[key], detail)
		}
	}
	if len(report.Faults) != 5 {
		t.Errorf("%d faults, want 5: %v", len(report.Faults), report.Err())
	}
	whole, _ := blobPath(dir, orphan)
	want := []string{whole, stranger, filepath.Join(dir, slicesName("deadbeef"))}
	if slices.Sort(want); !slices.Equal(slices.Sorted(slices.Values(report.Orphans)), want) {
		t.Errorf("orphans %v, want %v", report.Orphans, want)
	}
}

// Verify can be stopped.
func TestVerifyIsInterrupted(t *testing.T) {
	l := mustOpen(t, t.TempDir())
	mustStore(t, l, "one")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Verify(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("verify after the cancel: %v", err)
	}
}
