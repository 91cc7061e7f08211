package archive

import (
	"errors"
	"flag"
	"io"
	"os"
	"testing"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
)

var update = flag.Bool("update", false, "write the archive in testdata anew")

// keptArchive was written when hone.archive/2 was new: a comparison of two runs.
const keptArchive = "testdata/comparison.tar.gz"

// Archives that were written once can be imported by every later hone.
func TestKeptArchiveIsRead(t *testing.T) {
	if *update {
		l, comparison, _ := testLedger(t)
		must(t, os.WriteFile(keptArchive, archiveOf(t, l, comparison), 0o600))
	}
	data, err := os.ReadFile(keptArchive)
	must(t, err)
	l := openLedger(t)
	if done := importInto(t, l, data); len(done.Added) != 3 {
		t.Errorf("imported %+v", done)
	}
	for _, label := range []string{"side A", "side B"} {
		runs, err := l.Runs(ledger.RunFilter{Label: label})
		must(t, err)
		if len(runs) != 1 || runs[0].Comparison == "" {
			t.Errorf("%s: %+v", label, runs)
		}
	}
}

// FuzzRead: whatever the bytes are, reading ends, in bounds, with an archive or a refusal;
// an accepted archive has the blobs that its records name.
func FuzzRead(f *testing.F) {
	sound, err := os.ReadFile(keptArchive)
	must(f, err)
	f.Add(sound, false)
	f.Add(tarOf(f, takeApart(f, sound)), true)
	limits := Limits{Entries: 100, Entry: 1 << 20, Total: 4 << 20, Records: 1 << 20, Ratio: 1100, Slack: 1 << 16}
	f.Fuzz(func(t *testing.T, data []byte, plain bool) {
		if plain { // gzip's checksum keeps a fuzzer from what is inside
			data = zipped(t, data)
		}
		a, err := read(t, data, limits)
		if err != nil {
			if fail.ExitCode(err) != int(fail.BadInput) || a != nil {
				t.Fatalf("archive %v, error %v", a, err)
			}
			return
		}
		for _, r := range a.Records {
			for _, art := range blobsOf(r) {
				blob, err := a.Blob(art.SHA256)
				must(t, err)
				text, err := io.ReadAll(blob)
				must(t, errors.Join(err, blob.Close()))
				if sumOf(text) != art.SHA256 || int64(len(text)) != art.Size {
					t.Fatalf("%v has other bytes", art)
				}
			}
		}
	})
}
