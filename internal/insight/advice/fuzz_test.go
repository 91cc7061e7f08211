package advice

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/insight/facts"
)

// A recorded view may come from anywhere: it is read or refused, and the rules bear what is read.
func FuzzReadView(f *testing.F) {
	all, _ := filepath.Glob("testdata/ladder/*noflush.view")
	for _, path := range all {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			t.Skip("as large as it needs to be")
		}
		v, err := facts.ReadView(data)
		if err != nil {
			return
		}
		_, _ = Find(v)
	})
}
