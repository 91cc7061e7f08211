package chains

import "fmt"

// NoteKind is what a note is about.
type NoteKind string

// The kinds of notes.
const (
	// BeginsAnew: what follows is not connected with what was before.
	BeginsAnew NoteKind = "begins anew"
	// JoinsAgain: an anchor connects a commit with an earlier segment.
	JoinsAgain NoteKind = "joins again"
	// OtherBase: the commit was not measured against the one before it in the series.
	OtherBase NoteKind = "other base"
	// Pooled: several measurements of one commit are combined.
	Pooled NoteKind = "pooled"
	// Contradiction: two measurements of a commit exclude each other.
	Contradiction NoteKind = "contradiction"
	// Gone: the commit is no longer part of the branch.
	Gone NoteKind = "gone"
	// Unreadable: a value has no ratio that can be used.
	Unreadable NoteKind = "unreadable"
	// ClockDiffers: a commit is older than its base.
	ClockDiffers NoteKind = "clock differs"
	// OrderUnclear: two commits are each other's base.
	OrderUnclear NoteKind = "order unclear"
)

// Note is what a reader of a chain should know. Its text is one sentence without a full stop, with hashes of the store
// in it, which are a stranger's.
type Note struct {
	Kind NoteKind `json:"kind"`
	Text string   `json:"text"`
}

func noteOf(kind NoteKind, format string, args ...any) Note {
	return Note{kind, fmt.Sprintf(format, args...)}
}

// short is the beginning of a hash.
func short(hash string) string { return hash[:min(len(hash), 10)] }
