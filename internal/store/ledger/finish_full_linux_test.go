package ledger

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/testkit/mounttest"
	"github.com/gohone/hone/internal/text/fail"
)

// What is finished as complete without an error has its whole record, however much of the disk is left. With an error
// of a full disk the run is there in any case: as interrupted if the ledger finds space for that, else as crashed.
func TestNothingIsCompleteWithoutARecord(t *testing.T) {
	doc := []byte(`{"schema":"` + random(t, 2*reserveBytes) + `"}`) // more than the reserve
	finish := map[Kind]func(l *Ledger) (ids []string, err error){
		KindRun: func(l *Ledger) ([]string, error) {
			d, err := l.BeginRun(Run{Label: "pull"})
			if err != nil {
				return nil, err
			}
			return []string{d.ID()}, d.Finish(Complete, "", doc)
		},
		KindComparison: func(l *Ledger) ([]string, error) {
			c, err := l.BeginComparison(Comparison{})
			if err != nil {
				return nil, err
			}
			d, err := l.BeginRun(Run{Comparison: c.ID(), Variant: "A"})
			if err != nil {
				return []string{c.ID()}, errors.Join(err, c.Finish(Comparison{Status: Partial, Reason: err.Error()}))
			}
			err = d.Finish(Complete, "", doc)
			return []string{d.ID(), c.ID()}, errors.Join(err, c.Finish(Comparison{Status: Complete, Doc: []byte(`{}`)}))
		},
	}
	mounttest.Run(t, func(t *testing.T, mount string) {
		mounttest.Tmpfs(t, mount, "size=8m")
		for kind, finish := range finish {
			failed, whole := 0, 0
			for left := 0; left <= 4096 && whole == 0; left += 256 { // kB
				home := filepath.Join(mount, fmt.Sprint(kind, left))
				l := mustOpen(t, home)
				filler := fillUp(t, filepath.Join(mount, "filler"))
				info, err := os.Stat(filler)
				if err == nil {
					err = os.Truncate(filler, info.Size()-int64(left)<<10)
				}
				if err != nil {
					t.Fatal(err)
				}
				ids, err := finish(l)
				ended := 0
				for _, id := range ids {
					if r, err := readRecord(l.home, id); err == nil && r.ended() {
						ended++
					}
				}
				switch {
				case err == nil && ended != len(ids):
					t.Errorf("%s, %d kB left: no error, and %d of %d records have ended", kind, left, ended, len(ids))
				case err == nil:
					whole++
				case fail.ExitCode(err) != int(fail.Storage) || !errors.Is(err, ErrFull):
					t.Errorf("%s, %d kB left: %v", kind, left, err)
				case len(ids) > 0:
					failed++
				}
				if err := errors.Join(os.Remove(filler), l.Close()); err != nil {
					t.Error(err)
				}
				l = mustOpen(t, home)
				if report, err := l.Verify(t.Context()); err != nil || report.Err() != nil ||
					report.Runs+report.Comparisons != len(ids) {
					t.Errorf("%s, %d kB left: the next writer has %d runs and %d comparisons, %v, %v", kind, left,
						report.Runs, report.Comparisons, err, report.Err())
				}
				if err := errors.Join(l.Close(), os.RemoveAll(home)); err != nil {
					t.Error(err)
				}
			}
			if failed == 0 || whole == 0 {
				t.Errorf("%s: %d without records, %d with all: the table misses one of them", kind, failed, whole)
			}
		}
	})
}

// random is text of so many bytes that does not get shorter by compression.
func random(t *testing.T, n int) string {
	t.Helper()
	raw := make([]byte, n/2)
	if _, err := rand.Read(raw); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(raw)
}
