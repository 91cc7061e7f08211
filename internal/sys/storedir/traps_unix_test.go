//go:build unix

package storedir

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A named pipe is not opened: that would block until another program opens its other end.
func TestNoUseOpensAPipe(t *testing.T) {
	for _, u := range uses {
		if u.replaces || u.name == "Create" {
			continue // neither opens what is there
		}
		t.Run(u.name, func(t *testing.T) {
			d, _ := trapped(t)
			if err := syscall.Mkfifo(d.Join("pipe"), 0o600); err != nil {
				t.Fatal(err)
			}
			wantRefused(t, u.use(d, "pipe"), "named pipe")
		})
	}
}

// What another user owns is refused, the directory itself and all below it; the message
// names the user.
func TestForeignOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	const stranger = 12345
	for _, u := range uses {
		if u.replaces || u.name == "Create" {
			continue
		}
		d, _ := trapped(t)
		if u.dir {
			if err := os.Mkdir(d.Join("entry"), 0o700); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(d.Join("entry"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(d.Join("entry"), stranger, stranger); err != nil {
			t.Fatal(err)
		}
		wantRefused(t, u.use(d, "entry"), "belongs to uid 12345", "hone runs as root (uid 0)")
		if u.dir {
			wantRefused(t, u.use(d, "entry/below"), "belongs to uid 12345")
		}
	}
	home := filepath.Join(t.TempDir(), ".hone")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(home, stranger, stranger); err != nil {
		t.Fatal(err)
	}
	_, err := Make(home)
	wantRefused(t, err, "belongs to uid 12345")
}
