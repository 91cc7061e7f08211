package compare

// The slices of one stretch follow each other without a gap, and a request that is answered
// in one of them may have been sent in another. Where a slice has few answers, whole answers
// make neither a rate nor a cost: 4 or 5 of them in 250 ms are 16/s or 20/s. So such slices
// count together, with all that they took.
const (
	// answersPerBatch keeps what is cut at the two edges of a batch to a hundredth.
	answersPerBatch = 100
	// fewestBatches are what an interval at 95 % takes (six), and some.
	fewestBatches = 8
)

// BatchSize is how many slices of a stretch without a gap count together, if all of them
// gave so many answers. It is 1 where every slice has answers enough.
func BatchSize(answered uint64, slices int) int {
	if slices == 0 {
		return 1
	}
	most := max(1, slices/fewestBatches)
	if answered == 0 {
		return most
	}
	wanted := (answersPerBatch*uint64(slices) + answered - 1) / answered
	return int(min(uint64(most), max(1, wanted)))
}

// Batches cuts slices 0 to n-1 into groups of size that follow each other, and hands over
// where each begins and ends; the last one has what is left over as well.
func Batches(n, size int, each func(from, to int)) {
	for from := 0; from < n; {
		to := from + size
		if n-to < size {
			to = n
		}
		each(from, to)
		from = to
	}
}
