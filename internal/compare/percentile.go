package compare

// decidePooled decides on a percentile of all slices of a variant together.
func decidePooled(m Measure, blocks []Block, o Options) (Verdict, error) {
	return Verdict{}, ErrNotObserved
}
