package git

import (
	"bytes"
	"context"
	"errors"
	"strings"
)

// Blobs are the files of the commits of one repository. Its configuration is read once for all of them.
type Blobs struct {
	dir      string
	settings []setting
	env      []string
}

// OpenBlobs opens the repository around dir. The object COMMIT:./FILE is relative to dir.
func OpenBlobs(ctx context.Context, dir string) (*Blobs, error) {
	config, err := readConfig(ctx, dir)
	if err != nil {
		return nil, err
	}
	return &Blobs{dir: dir, settings: config.shield(), env: findOwn()}, nil
}

// Read reads an object, such as COMMIT:FILE, of at most that many bytes: ErrTooMuch if it has more.
func (b *Blobs) Read(ctx context.Context, object string, most int64) ([]byte, error) {
	out := &limited{most: most}
	err := stream(ctx, b.dir, b.settings, strings.NewReader(""), out, b.env, "cat-file", "blob", object)
	if out.over { // git then ends by SIGPIPE, and says no more
		return nil, ErrTooMuch
	}
	return out.text.Bytes(), err
}

// limited is a buffer that refuses more than it may have. The buffer is no embedded one: its ReadFrom would go around
// Write.
type limited struct {
	text bytes.Buffer
	most int64
	over bool
}

// ErrTooMuch refuses what is larger than its reader wants.
var ErrTooMuch = errors.New("git has more to say than hone reads")

func (l *limited) Write(p []byte) (int, error) {
	if int64(l.text.Len()+len(p)) > l.most {
		l.over = true
		return 0, ErrTooMuch
	}
	return l.text.Write(p)
}
