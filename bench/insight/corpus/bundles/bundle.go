package main

import (
	"hash/fnv"
	"strconv"
)

// bundle is one file of the application.
type bundle struct {
	name string
	mime string
	text string
}

func (b *bundle) bytes() []byte {
	return []byte(b.text)
}

// tag identifies the content for caches; it is over the head, the middle and the tail, since whole files are large.
func (b *bundle) tag() string {
	content := b.bytes()
	h := fnv.New64a()
	for _, at := range []int{0, len(content) / 2, len(content) - 1024} {
		at = max(at, 0)
		h.Write(content[at:min(at+1024, len(content))])
	}
	return `"` + strconv.FormatUint(h.Sum64(), 36) + `"`
}
