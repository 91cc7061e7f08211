package robust

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// Each damage changes the file: it is another size, or other bytes, and stays within it.
func TestEveryDamageChangesTheFile(t *testing.T) {
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			path := filepath.Join(t.TempDir(), "file")
			changed := 0
			for range 200 {
				data := make([]byte, 1+random.IntN(5*pageSize))
				for i := range data {
					data[i] = byte(random.Uint32())
				}
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				if _, err := d.strike(path, random); err != nil {
					t.Fatal(err)
				}
				after, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if string(after) != string(data) {
					changed++
				}
			}
			// A page may be put in its own place.
			if changed < 100 {
				t.Errorf("%d of 200 files are changed", changed)
			}
		})
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := damages[0].strike(empty, rand.New(rand.NewPCG(1, 2))); err == nil {
		t.Error("an empty file was damaged")
	}
}
