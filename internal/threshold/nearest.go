package threshold

// nearest returns the word that differs from name by the fewest edits, at most two and
// fewer than it has letters, or "".
func nearest(name string, words []string) string {
	best, least := "", 3
	for _, w := range words {
		if d := distance(name, w); d < least && d < len(w) {
			best, least = w, d
		}
	}
	return best
}

// distance is the Levenshtein distance of two byte strings: the least number of
// insertions, deletions and replacements that turn a into b.
func distance(a, b string) int {
	previous := make([]int, len(b)+1) // distances of a[:i] to all b[:j]
	for j := range previous {
		previous[j] = j
	}
	for i := range len(a) {
		current := make([]int, len(b)+1)
		current[0] = i + 1
		for j := range len(b) {
			replaced := previous[j]
			if a[i] != b[j] {
				replaced++
			}
			current[j+1] = min(replaced, previous[j+1]+1, current[j]+1)
		}
		previous = current
	}
	return previous[len(b)]
}
