package prof

// room is what is left of the text that a document may hold. What has no room is left
// out, the least important first, and the document says so.
type room struct {
	left int
	full bool
}

// takes makes room for so many bytes of text, or says that there is none. After the first
// refusal it refuses all.
func (r *room) takes(bytes int) bool {
	if r.full = r.full || bytes > r.left; r.full {
		return false
	}
	r.left -= bytes
	return true
}

const (
	// rowBytes is what one row takes in JSON besides the name of its place.
	rowBytes = 160
	// levelBytes is the indentation of one level of a tree, in the JSON of one frame: seven
	// lines of four spaces.
	levelBytes = 28
)

// frameBytes is what a frame takes at most in a document that is a tree.
func frameBytes(name, depth int) int { return rowBytes + name + depth*levelBytes }
