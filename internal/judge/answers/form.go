package answers

import "slices"

// form is what is compared of the bodies of one request whose bodies differ in A's own answers.
type form struct {
	kind     int
	hash     uint64 // of formSorted and formBag
	template bodyTemplate
	sorted   bool    // the template is of bodies whose lists are in order
	left     float64 // the part of a body that the template leaves out, 0 to 1
}

// The kinds of form, the strictest first.
const (
	formNone     = iota // nothing: status, header and length only
	formSorted          // all, with lists in order
	formBag             // how often each byte occurs
	formTemplate        // what all bodies of A have
)

// tested is how many answers were held against a form, and how many of them do not fit.
type tested struct{ failed, of int }

// halfFixed is the share of a body that is in a template below which one of the bodies with their
// lists in order is tried, too.
const halfFixed = 0.5

// formOf is the strictest form that all bodies of A have, which are given by their hash, in an
// order. heldBack is how well a template of every other body of A fits the rest: what differs by
// nature may differ in B in yet another way.
func formOf(bodies map[uint64]Answer, order []uint64) (f form, heldBack tested) {
	known, texts := knownBodies(bodies, order)
	if len(texts) == 0 {
		return form{left: 1}, heldBack
	}
	for kind, hash := range map[int]func(*Body) uint64{
		formSorted: func(b *Body) uint64 { return b.Sorted }, formBag: func(b *Body) uint64 { return b.Bag },
	} {
		first := hash(known[0].Body)
		if len(known) == len(bodies) && !slices.ContainsFunc(known,
			func(a Answer) bool { return hash(a.Body) != first }) && (f.kind == formNone || kind < f.kind) {
			f = form{kind: kind, hash: first}
		}
	}
	if f.kind != formNone {
		return f, heldBack
	}
	f = learn(texts, false)
	if 1-f.left < halfFixed {
		if sorted := learn(texts, true); sorted.left < f.left {
			f = sorted
		}
	}
	var half, rest []Answer
	for i, a := range texts {
		if i%2 == 0 {
			half = append(half, a)
		} else {
			rest = append(rest, a)
		}
	}
	other := learn(half, f.sorted)
	for _, a := range rest {
		heldBack.of += a.count()
		if !other.matches(a.Body) {
			heldBack.failed += a.count()
		}
	}
	return f, heldBack
}

// knownBodies are the bodies that are known, in the order given, and those of them whose text is, too.
func knownBodies(bodies map[uint64]Answer, order []uint64) (all, texts []Answer) {
	done := map[uint64]bool{}
	for _, content := range order {
		a, has := bodies[content]
		if !has || done[content] || a.Body == nil {
			continue
		}
		done[content] = true
		all = append(all, a)
		if a.Body.Text != nil {
			texts = append(texts, a)
		}
	}
	return all, texts
}

// learn makes a template of bodies.
func learn(bodies []Answer, sorted bool) form {
	f := form{kind: formTemplate, sorted: sorted}
	total := 0
	for i, a := range bodies {
		text := f.text(a.Body)
		total += len(text)
		switch {
		case i == 0:
			f.template = templateOf(text)
		case !f.template.matches(text):
			f.template = f.template.widen(text)
		}
	}
	if total > 0 {
		f.left = max(0, 1-float64(f.template.fixedBytes()*len(bodies))/float64(total))
	}
	return f
}

func (f form) text(b *Body) []byte {
	if f.sorted {
		return b.sorted()
	}
	return b.Text
}

// matches says that a body has the form; one that is not known has any.
func (f form) matches(b *Body) bool {
	if b == nil {
		return true
	}
	switch f.kind {
	case formSorted:
		return b.Sorted == f.hash
	case formBag:
		return b.Bag == f.hash
	case formTemplate:
		return b.Text == nil || f.template.matches(f.text(b))
	}
	return true
}
