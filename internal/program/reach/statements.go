package reach

// Statements is how many statements were executed, of all blocks.
func (c Counters) Statements() (n float64) {
	for _, blocks := range c {
		for _, b := range blocks {
			n += float64(b.NumStmt) * float64(b.Count)
		}
	}
	return n
}
