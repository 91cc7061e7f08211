package protocol

// nearest returns the name in All that differs from name by at most two edits, or "".
func nearest(name string) string {
	best, bestDistance := "", 3
	for _, s := range All {
		if d := distance(name, s.Name); d < bestDistance {
			best, bestDistance = s.Name, d
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
