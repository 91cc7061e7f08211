package answers

// aligned is a word of a body that is a part of a template.
type aligned struct{ part, word int }

// mostDifferences bounds the words in which a body may differ from a template for both to be
// aligned: the time and the memory grow with its square.
const mostDifferences = 400

// align finds the parts of a template that are words of a body, in their order: as many as there
// can be, by Myers' greedy algorithm (An O(ND) difference algorithm, 1986). Where the two differ
// in more than mostDifferences words, and have as many, they are compared place by place; else only
// what they begin and end with is kept.
func align(t bodyTemplate, words []string) (all []aligned) {
	same := func(i, j int) bool { return !t[i].gap && t[i].text == words[j] }
	begin := 0
	for begin < len(t) && begin < len(words) && same(begin, begin) {
		all = append(all, aligned{begin, begin})
		begin++
	}
	n, m := len(t), len(words)
	for n > begin && m > begin && same(n-1, m-1) {
		n, m = n-1, m-1
	}
	for _, k := range alignMiddle(n-begin, m-begin, func(i, j int) bool { return same(begin+i, begin+j) }) {
		all = append(all, aligned{begin + k.part, begin + k.word})
	}
	for ; n < len(t); n, m = n+1, m+1 {
		all = append(all, aligned{n, m})
	}
	return all
}

// alignMiddle aligns n parts with m words.
func alignMiddle(n, m int, same func(i, j int) bool) []aligned {
	if n == 0 || m == 0 {
		return nil
	}
	// trace has, for each number of differences d, how far along each diagonal one gets with it.
	var trace [][]int
	for d := 0; d <= min(n+m, mostDifferences); d++ {
		reach := make([]int, 2*d+1) // of the diagonals -d to d; every other one is used
		for k := -d; k <= d; k += 2 {
			i := stepTo(trace, d, k)
			for i < n && i-k < m && same(i, i-k) {
				i++
			}
			reach[k+d] = i
			if i >= n && i-k >= m {
				return traceBack(append(trace, reach), n, m)
			}
		}
		trace = append(trace, reach)
	}
	var all []aligned
	for i := 0; n == m && i < n; i++ {
		if same(i, i) {
			all = append(all, aligned{i, i})
		}
	}
	return all
}

// stepTo is where the d-th difference leads to on diagonal k: from the diagonal beside it that
// gets further.
func stepTo(trace [][]int, d, k int) int {
	if d == 0 {
		return 0
	}
	before := trace[d-1]
	at := func(k int) int { return before[k+d-1] }
	if k == -d || k != d && at(k-1) < at(k+1) {
		return at(k + 1)
	}
	return at(k-1) + 1
}

// traceBack collects what is aligned on the way to the end, the last first.
func traceBack(trace [][]int, n, m int) []aligned {
	var back []aligned
	i, j := n, m
	for d := len(trace) - 1; d >= 0; d-- {
		k := i - j
		from := stepTo(trace, d, k)
		for i > from {
			i, j = i-1, j-1
			back = append(back, aligned{i, j})
		}
		if d == 0 {
			break
		}
		before := trace[d-1]
		if k == -d || k != d && before[k-1+d-1] < before[k+1+d-1] {
			j--
		} else {
			i--
		}
	}
	for a, b := 0, len(back)-1; a < b; a, b = a+1, b-1 {
		back[a], back[b] = back[b], back[a]
	}
	return back
}
