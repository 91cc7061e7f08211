package trust

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

func TestAMarkIsOfOneContentAndOneKey(t *testing.T) {
	mine, other := Key(bytes.Repeat([]byte{1}, keyBytes)), Key(bytes.Repeat([]byte{2}, keyBytes))
	mark := mine.Mark([]byte("content"))
	if !mine.Made(mark, []byte("content")) {
		t.Fatal("its own mark is not recognised")
	}
	for name, c := range map[string]struct {
		key           Key
		mark, content string
	}{
		"another content": {mine, mark, "content "},
		"another key":     {other, mark, "content"},
		"no key":          {nil, mark, "content"},
		"a short key":     {mine[:1], mark, "content"},
		"no mark":         {mine, "", "content"},
		"no key, no mark": {nil, "", "content"},
		"part of it":      {mine, mark[:32], "content"},
		"more than it":    {mine, mark + "00", "content"},
		"no hex":          {mine, "x" + mark[1:], "content"},
		"a hash":          {mine, Hash([]byte("content")), "content"},
	} {
		if c.key.Made(c.mark, []byte(c.content)) {
			t.Errorf("%s: recognised", name)
		}
	}
	// RFC 4231, test case 2, has a key of 4 bytes: the same function, whose keys are longer here.
	if got := (Key("Jefe")).sum([]byte("what do ya want for nothing?")); Key(got).Mark(nil) == "" || got[0] != 0x5b ||
		got[31] != 0x43 {
		t.Errorf("not HMAC-SHA-256: %x", got)
	}
	if Key(nil).Mark([]byte("content")) != "" {
		t.Error("a mark without a key")
	}
}

func TestTheKeyIsMadeOnceAndForItsUserAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config", "hone", "mark.key")
	if key, err := readKey(path); key != nil || err != nil {
		t.Fatalf("read %x, %v before it was made", key, err)
	}
	key, err := makeKey(path)
	if err != nil || len(key) != keyBytes {
		t.Fatalf("made %x, %v", key, err)
	}
	again, err := makeKey(path)
	if err != nil || !bytes.Equal(again, key) {
		t.Errorf("then %x, %v", again, err)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestAKeyThatIsNoSecretIsRefused(t *testing.T) {
	dir := t.TempDir()
	for name, spoil := range map[string]func(path string) error{
		"readable by all": func(path string) error { return os.Chmod(path, 0o644) },
		"short":           func(path string) error { return os.Truncate(path, 8) },
		"empty":           func(path string) error { return os.Truncate(path, 0) },
		"long":            func(path string) error { return os.Truncate(path, keyBytes+1) },
		"a directory": func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Mkdir(path, 0o700)
		},
	} {
		path := filepath.Join(dir, name)
		if _, err := makeKey(path); err != nil {
			t.Fatal(err)
		}
		if err := spoil(path); err != nil {
			t.Fatal(err)
		}
		if key, err := makeKey(path); key != nil || fail.ExitCode(err) != int(fail.Storage) || fail.HintOf(err) == "" {
			t.Errorf("%s: %x, %v", name, key, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if key, err := makeKey(filepath.Join(dir, "file", "mark.key")); key != nil || err == nil {
		t.Errorf("below a file: %x, %v", key, err)
	}
}
