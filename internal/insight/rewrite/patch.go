package rewrite

import (
	"bytes"
	"fmt"

	"github.com/rogpeppe/go-internal/diff"
)

// Patch is the change as a unified diff, with paths relative to the root of the module: for git
// apply and patch -p1.
func (c *Change) Patch() []byte {
	var b bytes.Buffer
	for _, f := range c.Files {
		text := diff.Diff("a/"+f.Name, f.Before, "b/"+f.Name, f.After)
		_, rest, _ := bytes.Cut(text, []byte("\n"))
		fmt.Fprintf(&b, "diff --git a/%s b/%s\n", f.Name, f.Name)
		b.Write(rest)
	}
	return b.Bytes()
}
