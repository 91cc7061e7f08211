package pprofweb

import (
	"errors"
	"fmt"

	"github.com/gohone/hone/prof"
)

// maxFiles is how many files are read for one page; each may cost a call of git.
const maxFiles = 50

// reader reads source files for one page, each once.
type reader struct {
	from  prof.Sources
	files map[string]file
}

type file struct {
	text []byte
	err  error
}

var _ prof.Sources = (*reader)(nil)

// Source is that of Profile.Sources, as long as there are few files.
func (r *reader) Source(name string) ([]byte, error) {
	if known, ok := r.files[name]; ok {
		return known.text, known.err
	}
	if r.from == nil {
		return nil, errors.New("no place to look for source")
	}
	if len(r.files) >= maxFiles {
		return nil, fmt.Errorf("a page shows at most %d files: match fewer functions", maxFiles)
	}
	text, err := r.from.Source(name)
	r.files[name] = file{text, err}
	return text, err
}
