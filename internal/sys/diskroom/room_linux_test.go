package diskroom

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gohone/hone/internal/testkit/mounttest"
)

// What is held is there when it is released, however full the disk has become; and Hold says
// that it is full.
func TestRoomOutlivesTheFillingOfTheDisk(t *testing.T) {
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=1m")
		room, err := Make(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer room.Close()
		const held = 256 << 10
		for range 4 {
			if err := room.Hold(held / 4); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "fill"), make([]byte, 1<<20), 0o600); !errors.Is(err,
			syscall.ENOSPC) {
			t.Fatalf("fill the disk: %v", err)
		}
		if err := room.Hold(4096); !errors.Is(err, syscall.ENOSPC) || room.Held() != held {
			t.Errorf("Hold on a full disk: %v, %d bytes held; want ENOSPC, %d", err, room.Held(), held)
		}
		if err := os.WriteFile(filepath.Join(dir, "early"), []byte("x"), 0o600); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("a write into what is held: %v, want ENOSPC", err)
		}
		if err := room.Release(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "rows"), make([]byte, held), 0o600); err != nil {
			t.Errorf("write what room was held for: %v", err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
			t.Errorf("left: %v, %v; want fill, early and rows", entries, err)
		}
	})
}
