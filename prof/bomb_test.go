package prof

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/testkit/proftest"
)

// A small file is refused for little memory, or shown in little text, by every view.
func TestBombsInProfiles(t *testing.T) {
	for _, b := range proftest.Bombs() {
		t.Run(b.Name, func(t *testing.T) {
			file := b.File()
			var p *profile.Profile
			var err error
			spent := allocated(func() { p, err = Parse(bytes.NewReader(file), Limits{}) })
			if (err != nil) != b.Refused {
				t.Fatalf("%d bytes, refused: %v (%v), want %v", len(file), err != nil, err, b.Refused)
			}
			if limit := uint64(64 << 20); spent > limit {
				t.Errorf("%d bytes: reading allocated %d MB, want at most %d", len(file), spent>>20, limit>>20)
			}
			if b.Refused {
				return
			}
			for _, v := range Views {
				look := ViewOptions{MaxBytes: 1 << 20}
				if v.OfFunctions {
					look.Function = expression(".")
				}
				d, err := v.Show(p, look)
				if err != nil {
					t.Fatalf("%s: %v", v.Name, err)
				}
				var text bytes.Buffer
				if err := d.WriteText(&text); err != nil {
					t.Fatalf("%s: %v", v.Name, err)
				}
				asJSON, err := json.MarshalIndent(d, "", "  ")
				if err != nil {
					t.Fatalf("%s: %v", v.Name, err)
				}
				// The head of callers names a function three times over.
				if most := max(text.Len(), len(asJSON)); most > 4<<20 {
					t.Errorf("%s: %d bytes of text, %d of JSON, want the megabyte that was asked for, and three names",
						v.Name, text.Len(), len(asJSON))
				}
			}
		})
	}
}

// What has no room is said, and --max-output makes room.
func TestADocumentSaysThatItWasCut(t *testing.T) {
	p := proftest.BuildCPU().Ticks(5, "main.leaf < main.middle < main.main").Ticks(3, "main.other < main.main").P
	for _, name := range []string{"top", "flame"} {
		v, err := ViewNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		for room, cut := range map[int]bool{0: false, 500: true} {
			d, err := v.Show(p, ViewOptions{MaxBytes: room})
			if err != nil {
				t.Fatal(err)
			}
			asJSON, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			if got := bytes.Contains(asJSON, []byte(`"cut":true`)); got != cut {
				t.Errorf("%s with room for %d bytes: cut %v, want %v: %s", name, room, got, cut, asJSON)
			}
		}
	}
	flame := show[*Flame](t, "flame", p, ViewOptions{MaxBytes: 500})
	var text bytes.Buffer
	if err := flame.WriteText(&text); err != nil || !bytes.Contains(text.Bytes(), []byte("--max-output")) {
		t.Errorf("%v: %s", err, &text)
	}
	// The heaviest are shown: all of them come before the lighter branch.
	if c := flame.Root.Children; len(c) != 1 || len(c[0].Children) != 1 || c[0].Children[0].Function != "main.middle" ||
		flame.Dropped != 2 {
		t.Errorf("%s, %d dropped", &text, flame.Dropped)
	}
}
