package diff

import "math"

// number is what tells a closure from the others of its function. It is empty for a copy, whose number is its caller's.
func (c *closure) number() string {
	if c.Inlined {
		return ""
	}
	return c.Home + " " + string(c.Kind) + c.Path
}

// byNumber pairs closures that have one number in their function, and copies by their line, their name or their order.
func (p *pairing) byNumber(olds, news []*closure) map[*closure]*closure {
	pairs, left := map[*closure]*closure{}, map[*closure]bool{}
	byLine, byName := map[copied]*closure{}, map[string]*closure{}
	for _, y := range news {
		left[y] = true
		if at := y.copied(y.line); y.begins && byLine[at] == nil {
			byLine[at] = y
		}
		if y.number() != "" {
			byName[y.number()] = y
		}
		for _, name := range y.names {
			byName[name] = y
		}
	}
	take := func(x, y *closure) {
		if y != nil && pairs[x] == nil && left[y] {
			pairs[x] = y
			delete(left, y)
		}
	}
	for _, x := range olds {
		if y := byLine[x.copied(x.line)]; x.begins && y != nil && (x.Inlined || y.Inlined) {
			take(x, y)
		}
	}
	for _, x := range olds {
		if x.Inlined && p.unedited(x.file) {
			continue // its line is known, and is another one
		}
		take(x, byName[x.number()])
		for _, name := range x.names {
			take(x, byName[name])
		}
	}
	isLeft := func(x *closure) bool { return pairs[x] == nil }
	p.takeCopies(olds, news, isLeft, func(y *closure) bool { return left[y] }, take)
	return pairs
}

// unedited says whether all functions of a file that both sides have begin where they did.
func (p *pairing) unedited(file string) bool { return p.stayed[file] > 0 && !p.moved[file] }

// takeCopies pairs what is left of copies, if there are as many on both sides: they stay in the order of the source.
func (p *pairing) takeCopies(olds, news []*closure, isLeft, isFree func(*closure) bool, take func(x, y *closure)) {
	type sort struct {
		kind  byte
		depth int
	}
	left, free, copies := map[sort][]*closure{}, map[sort][]*closure{}, map[sort]bool{}
	for _, x := range olds {
		if of := (sort{x.Kind, x.Depth}); isLeft(x) {
			left[of], copies[of] = append(left[of], x), copies[of] || x.Inlined
		}
	}
	for _, y := range news {
		if of := (sort{y.Kind, y.Depth}); isFree(y) {
			free[of], copies[of] = append(free[of], y), copies[of] || y.Inlined
		}
	}
	for of, xs := range left {
		if ys := free[of]; copies[of] && len(xs) == len(ys) && !p.unedited(xs[0].file) {
			for i := range xs {
				take(xs[i], ys[i])
			}
		}
	}
}

// pairByCalls pairs closures so that all pairs together fit best, and both sides keep their order; sum is how well
// they fit. It is the alignment of Needleman and Wunsch 1970 ("A general method applicable to the search for
// similarities in the amino acid sequence of two proteins", J. Mol. Biol. 48), where a gap costs nothing.
func pairByCalls(olds, news []*closure) (pairs map[*closure]*closure, sum float64) {
	best := make([][]float64, len(olds)+1) // of the closures from i on and from j on
	for i := range best {
		best[i] = make([]float64, len(news)+1)
	}
	for i := len(olds) - 1; i >= 0; i-- {
		for j := len(news) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1], best[i+1][j+1]+fit(olds[i], news[j]))
		}
	}
	pairs = map[*closure]*closure{}
	fromI, fromJ := 0, 0
	for i, j := 0, 0; i < len(olds) && j < len(news); {
		switch best[i][j] {
		case best[i+1][j]:
			i++
		case best[i][j+1]:
			j++
		default:
			fillGap(pairs, olds[fromI:i], news[fromJ:j])
			pairs[olds[i]] = news[j]
			i, j = i+1, j+1
			fromI, fromJ = i, j
		}
	}
	fillGap(pairs, olds[fromI:], news[fromJ:])
	return pairs, best[0][0]
}

// fillGap pairs the closures between two pairs, if there are as many on both sides: they were edited.
func fillGap(pairs map[*closure]*closure, olds, news []*closure) {
	if len(olds) != len(news) {
		return
	}
	for i, x := range olds {
		if y := news[i]; x.Kind == y.Kind && x.Depth == y.Depth {
			pairs[x] = y
		}
	}
}

// fit is how well two closures go together; 0 if they are not a pair.
func fit(x, y *closure) float64 {
	if x.Kind != y.Kind || x.Depth != y.Depth {
		return 0
	}
	sum := inCommon(x, y)
	same := x.number() != "" && x.number() == y.number()
	if sum < 0.5 && !same {
		return 0
	}
	if same {
		sum += sameNumber
	}
	if x.begins && y.begins && x.line == y.line {
		sum += sameLine
	}
	return sum
}

// inCommon is how much of what two closures call is the same, 0 to 1: the mean of that with lines and without, since
// an edit in a closure moves its lines. With few samples it comes near a half.
func inCommon(x, y *closure) float64 {
	byLine := overlapOfCalls(x, y, func(c call) call { return c })
	byCallee := overlapOfCalls(x, y, func(c call) call { return call{callee: c.callee} })
	both := byCallee
	if x.begins && y.begins {
		both = (byLine + byCallee) / 2
	}
	n := min(x.samples, y.samples)
	known := n / (n + halfKnown)
	return known*both + (1-known)/2
}

// overlapOfCalls is the sum of the smaller of both shares.
func overlapOfCalls(x, y *closure, of func(call) call) (sum float64) {
	if x.samples == 0 || y.samples == 0 {
		return 0
	}
	shares := map[call][2]float64{}
	for i, c := range []*closure{x, y} {
		for at, n := range c.calls {
			both := shares[of(at)]
			both[i] += n / c.samples
			shares[of(at)] = both
		}
	}
	for _, both := range shares {
		sum += math.Min(both[0], both[1])
	}
	return sum
}
