package http1

// heads is which of the requests under way are HEAD, where they differ in that: their
// answers have no body, whatever their heads say.
type heads struct {
	all  []bool
	next int // of the answer that comes next
}

func (h *heads) push(head bool) {
	if h.next == len(h.all) || h.next >= maxHeadsKept {
		h.all, h.next = append(h.all[:0], h.all[h.next:]...), 0
	}
	h.all = append(h.all, head)
}

// maxHeadsKept is how many answered ones are kept before they are dropped together.
const maxHeadsKept = 1 << 10

// begin tells the reader how the next answer is to be read. It must stand at the
// beginning of one.
func (h *heads) begin(r *reader) {
	if h.next < len(h.all) && h.all[h.next] != r.head {
		r.asksHead(h.all[h.next])
	}
}

func (h *heads) end() { h.next = min(h.next+1, len(h.all)) }

// asksHead sets whether the next answer has no body. The same head then means something
// else, so the one that is remembered is forgotten.
func (r *reader) asksHead(head bool) {
	r.head = head
	r.memo.head = r.memo.head[:0]
	r.memo.total, r.memo.coming = 0, 0
}
