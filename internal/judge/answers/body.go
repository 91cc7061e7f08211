package answers

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Body is the content of an answer in the forms in which it is compared.
type Body struct {
	// Text is the content, that of JSON in canonical form; nil where only its hashes are kept.
	Text []byte
	// Hash is that of Text, Sorted the same with all lists in order, Bag that of how often
	// each byte occurs: a program that answers out of a map has the first as it comes.
	Hash, Sorted, Bag uint64
	json              bool
}

// NewBody is the content of an answer; json says that its type says so. Content that is not JSON
// then is compared by its bytes, as all other is.
func NewBody(content []byte, json bool) *Body {
	b := &Body{Text: content}
	sorted := content
	if values, err := readJSON(content); json && err == nil {
		b.json = true
		b.Text, sorted = appendJSON(nil, values, false), appendJSON(nil, values, true)
	} else {
		sorted = sortedLines(content)
	}
	b.Hash, b.Sorted, b.Bag = hashBody(b.Text), hashBody(sorted), bagOf(content)
	return b
}

// sorted is Text with all lists in order.
func (b *Body) sorted() []byte {
	if !b.json {
		return sortedLines(b.Text)
	}
	values, err := readJSON(b.Text)
	if err != nil { // it was written from values: this cannot be
		return b.Text
	}
	return appendJSON(nil, values, true)
}

func sortedLines(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	slices.SortFunc(lines, bytes.Compare)
	return bytes.Join(lines, nil)
}

// bagOf is a hash of how often each byte occurs, the same for all orders of the same pieces.
func bagOf(text []byte) uint64 {
	var counts [256]uint64
	for _, c := range text {
		counts[c]++
	}
	var all []byte
	for _, n := range counts {
		all = binary.BigEndian.AppendUint64(all, n)
	}
	return hashBody(all)
}

func hashBody(b []byte) uint64 {
	sum := sha256.Sum256(b)
	return binary.BigEndian.Uint64(sum[:])
}
