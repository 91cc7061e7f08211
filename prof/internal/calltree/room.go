package calltree

// Room is what is left of the text that a document may hold. What has no room is left
// out, the least important first, and the document says so.
type Room struct {
	Left int
	Full bool
}

// Takes makes room for so many bytes of text, or says that there is none. After the first
// refusal it refuses all.
func (r *Room) Takes(bytes int) bool {
	if r.Full = r.Full || bytes > r.Left; r.Full {
		return false
	}
	r.Left -= bytes
	return true
}

const (
	// RowBytes is what one row takes in JSON besides the name of its place.
	RowBytes = 160
	// levelBytes is the indentation of one level of a tree, in the JSON of one frame: seven
	// lines of four spaces.
	levelBytes = 28
)

// frameBytes is what a frame takes at most in a document that is a tree.
func frameBytes(name, depth int) int { return RowBytes + name + depth*levelBytes }
