// Package bucket gives hone the objects of a place in an object store, without a client of such stores in hone: the
// program hone-share has that. hone starts it as a child process for each operation, and asks it over its standard
// input and output, in lines of JSON. When hone ends, however it ends, its end of the pipes closes, and the child ends.
//
// What the child says comes from a store, which is a stranger's.
package bucket

import "context"

// Command is the hidden command of hone-share that serves a place: hone-share objects s3://BUCKET/PREFIX.
const Command = "objects"

// Place is where objects are kept.
type Place interface {
	// List returns the names of the objects that are directly in the place.
	List(ctx context.Context) ([]Object, error)
	// Get gets objects of at most that many bytes each, several at once, in any order. Those that are not there are left
	// out.
	Get(ctx context.Context, names []string, most int64, take func(Object) error) error
	// Put stores an object whole or not at all, in the place of one that has the same name.
	Put(ctx context.Context, o Object) error
}

// Object is one that a place has.
type Object struct {
	Name string `json:"name"`
	Size int64  `json:"size,omitempty"` // as List has it
	// Content is as Get has it, and Fault says why there is none.
	Content []byte `json:"content,omitempty"`
	Fault   string `json:"fault,omitempty"`
}

// request is what hone asks: one of the three.
type request struct {
	List bool     `json:"list,omitempty"`
	Get  []string `json:"get,omitempty"`
	Most int64    `json:"most,omitempty"`
	Put  *Object  `json:"put,omitempty"`
}

// answer is a line of the answer to a request. The last one has Done or Error.
type answer struct {
	Object *Object `json:"object,omitempty"`
	Done   bool    `json:"done,omitempty"`
	Error  *fault  `json:"error,omitempty"`
}

// fault is an error on its way.
type fault struct {
	Kind int    `json:"kind"`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}
