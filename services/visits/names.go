package visits

import "strings"

// names counts visits by name, up to a number of names; those of further names are counted
// together. It is for one goroutine at a time.
type names struct {
	counts map[string]int
	max    int
	others int
}

func newNames(cfg Config) names { return names{counts: map[string]int{}, max: cfg.MaxNames} }

// visit counts a visit of name and returns its number.
func (n *names) visit(name string) int {
	if count, known := n.counts[name]; known {
		n.counts[name] = count + 1
		return count + 1
	}
	if len(n.counts) == n.max {
		n.others++
		return n.others
	}
	n.counts[strings.Clone(name)] = 1 // name is part of a whole query, which would stay with it
	return 1
}
