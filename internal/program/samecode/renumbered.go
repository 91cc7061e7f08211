package samecode

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
)

// counted are functions that the compiler numbers in a package: init.0, map.init.0.
var counted = regexp.MustCompile(`^((?:map\.)?init)\.([0-9]+)$`)

// renumbered are the functions of A and of B that are the same under a number of their own: another one before them
// changes it. They come in the same order on both sides.
func (d *differ) renumbered() (same [2]map[symbolName]bool) {
	same = [2]map[symbolName]bool{{}, {}}
	a, b := d.a.counted(d.marks), d.b.counted(d.marks)
	for key, ofB := range b {
		for _, p := range d.inOrder(a[key], ofB) {
			for side, name := range p {
				same[side][name] = true
			}
		}
	}
	return same
}

// counted are such functions of each package, in their order.
func (p *program) counted(m *marks) map[Symbol][]symbolName {
	found := map[Symbol][]symbolName{}
	for name := range p.functions(m) {
		s := p.split(name.name)
		if parts := counted.FindStringSubmatch(s.Name); parts != nil {
			key := Symbol{s.Package, parts[1]}
			found[key] = append(found[key], name)
		}
	}
	number := func(name symbolName) int {
		n, _ := strconv.Atoi(counted.FindStringSubmatch(p.split(name.name).Name)[2])
		return n
	}
	for _, names := range found {
		slices.SortFunc(names, func(x, y symbolName) int { return cmp.Compare(number(x), number(y)) })
	}
	return found
}

// mostCounted is how many of them a package may have; with more they are compared by their names. Some have hundreds,
// generated, which none compares with all others.
const mostCounted = 100

// inOrder are the pairs of a longest sequence of functions that both sides have.
func (d *differ) inOrder(as, bs []symbolName) (pairs [][2]symbolName) {
	if len(as) > mostCounted || len(bs) > mostCounted {
		return nil
	}
	alike := make([][]bool, len(as))
	longest := make([][]int, len(as)+1) // of as[i:] and bs[j:]
	longest[len(as)] = make([]int, len(bs)+1)
	for i := len(as) - 1; i >= 0; i-- {
		alike[i], longest[i] = make([]bool, len(bs)), make([]int, len(bs)+1)
		for j := len(bs) - 1; j >= 0; j-- {
			same, data := d.function(pair{d.a.names[as[i]], d.b.names[bs[j]]})
			if alike[i][j] = same && len(data) == 0; alike[i][j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(as) && j < len(bs); {
		switch {
		case alike[i][j]:
			pairs = append(pairs, [2]symbolName{as[i], bs[j]})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}
