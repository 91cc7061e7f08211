package reach

import "strings"

// changedLines are the lines of a declaration of B that A's does not have, by their numbers: all where A has none. Lines
// without a token do not count.
func changedLines(a, b *declaration) (changed []int) {
	if a == nil {
		return b.numbers(nil)
	}
	return b.numbers(common(a.lines, b.lines))
}

// numbers are those of the lines that have tokens, and are not in a set of indices.
func (d *declaration) numbers(without map[int]bool) (all []int) {
	for i, line := range d.lines {
		if line != "" && !without[i] {
			all = append(all, d.place.From+i)
		}
	}
	return all
}

// mostCompared bounds the product of the lengths of two texts whose lines are compared: 4 MB of memory.
const mostCompared = 1 << 20

// common are the indices of b that are in a longest common subsequence of both.
func common(a, b []string) map[int]bool {
	found := map[int]bool{}
	if len(a)*len(b) > mostCompared {
		return found
	}
	longest := make([][]int32, len(a)+1) // of a[i:] and b[j:]
	for i := range longest {
		longest[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			found[j] = true
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return found
}

// linesOf are the lines of a text, each by its tokens. A comment over several lines has none.
func linesOf(text []byte) []string {
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(tokens([]byte(line)))
		if lines[i] == ";" {
			lines[i] = ""
		}
	}
	return lines
}
