package fail

// Nearest returns the word that differs from name by the fewest edits, at most two and
// fewer than it has letters, or "": for hints that ask "did you mean".
func Nearest(name string, words []string) string {
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
	row := make([]int, len(b)+1) // distances of a[:i] to all b[:j]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
