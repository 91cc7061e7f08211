package changepoints

import "slices"

// margin is how far from a change a point may be that finds it, in values.
const margin = 5

// hits is how many changes are found: each, in order, takes the closest point that is left.
func hits(truth, found []int) (n int) {
	left := slices.Clone(found)
	for _, t := range truth {
		closest := -1
		for i, at := range left {
			if distance(at, t) <= margin && (closest < 0 || distance(at, t) < distance(left[closest], t)) {
				closest = i
			}
		}
		if closest >= 0 {
			left = slices.Delete(left, closest, closest+1)
			n++
		}
	}
	return n
}

func distance(a, b int) int { return max(a-b, b-a) }

// accuracy is precision and recall: of the points that are changes, and of the changes that are found.
type accuracy struct{ precision, recall float64 }

// f1 is their harmonic mean; 0 without a hit.
func (a accuracy) f1() float64 {
	if !(a.precision > 0 && a.recall > 0) { // also if there are no points
		return 0
	}
	return 2 * a.precision * a.recall / (a.precision + a.recall)
}

// counts are of several series together.
type counts struct{ changes, found, hits int }

func (c *counts) add(truth, found []int) {
	c.changes, c.found, c.hits = c.changes+len(truth), c.found+len(found), c.hits+hits(truth, found)
}

// accuracy is NaN in parts of which there are none.
func (c counts) accuracy() accuracy {
	return accuracy{float64(c.hits) / float64(c.found), float64(c.hits) / float64(c.changes)}
}

// annotated holds points against several people's changes: van den Burg & Williams 2020, "An evaluation of change point
// detection algorithms" (arXiv:2003.06222), section 2.2.2. The precision is the part of the found points that any
// person marked. The recall is the mean, over the people, of the part of their changes that was found. The first value
// counts as a change that all people marked and that was found, so that no part is of zero.
func annotated(truths [][]int, found []int) accuracy {
	with0 := func(at []int) []int {
		at = append([]int{0}, at...)
		slices.Sort(at)
		return slices.Compact(at)
	}
	found = with0(found)
	a := accuracy{precision: float64(hits(with0(slices.Concat(truths...)), found)) / float64(len(found))}
	for _, truth := range truths {
		truth = with0(truth)
		a.recall += float64(hits(truth, found)) / float64(len(truth)) / float64(len(truths))
	}
	return a
}
