package answers

// still says that B answers equal requests of one start with the same body where A's bodies
// change: a counter that does not count, a time that does not pass.
func still(a, b []Answer, c map[uint64]*expected) bool {
	ofA, known := moving(a, c)
	ofB, also := moving(b, c)
	return known && also && ofA >= stillMoving && ofB <= stillShare*ofA
}

// moving is the share of different bodies among the answers to equal requests of one start, 0
// to 1; false without enough such answers.
func moving(all []Answer, c map[uint64]*expected) (share float64, known bool) {
	type group struct {
		request uint64
		start   int
	}
	bodies, counts := map[group]map[uint64]bool{}, map[group]int{}
	for _, answer := range all {
		if e := c[answer.Request]; e == nil || !e.volatile || len(e.starts) < fewestStarts {
			continue
		}
		g := group{answer.Request, answer.Start}
		if bodies[g] == nil {
			bodies[g] = map[uint64]bool{}
		}
		bodies[g][answer.Content] = true
		counts[g] += answer.count()
	}
	different, n := 0, 0
	for g, count := range counts {
		if count >= stillLeast {
			different += len(bodies[g]) - 1 // one body is there in any case
			n += count - 1
		}
	}
	if n == 0 {
		return 0, false
	}
	return float64(different) / float64(n), true
}

// oneBody is the number of requests that A answers with different bodies and every start of B
// with one and the same; 0 if B's differ too.
func oneBody(b []Answer, c map[uint64]*expected) int {
	ofA, asked, ofB := map[uint64]bool{}, map[uint64]bool{}, map[int]uint64{}
	for _, answer := range b {
		e := c[answer.Request]
		if e == nil || len(e.starts) < fewestStarts {
			continue
		}
		if one, known := ofB[answer.Start]; known && one != answer.Content {
			return 0
		}
		ofB[answer.Start], asked[answer.Request] = answer.Content, true
		for one := range e.bodies {
			ofA[one] = true
		}
	}
	if len(asked) < 2 || 2*len(ofA) <= len(asked) {
		return 0
	}
	return len(asked)
}
