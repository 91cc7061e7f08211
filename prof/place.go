package prof

import (
	"cmp"
)

// locate finds the line to show for a change, on the dearer side.
//
// Of the functions in the bucket (several when grouped ByWhat) it takes the one
// whose cost differs most, and of its lines the one that costs most. Grouped ByWhat,
// it then shows the change where the variants part: at the frame nearest the leaf
// whose function the cheaper side's profile does not have at all. So a system call
// under a helper that both variants use is shown at the line of the variant that
// makes too many of it. Where all functions are common, the frame stays.
func locate(dearer, cheaper *tally, key bucketKey) Site {
	b := dearer.buckets[key]
	other := cheaper.buckets[key]
	if other == nil {
		other = &bucket{}
	}
	var common map[string]bool
	if dearer.by == ByWhat {
		common = cheaper.functions
	}
	return dearer.heaviestPlace(b, b.mostChanged(other), common)
}

// mostChanged returns the function that costs most more in b than in other, the
// first in order among equals.
func (b *bucket) mostChanged(other *bucket) string {
	best, most := "", -1.0
	for function, v := range b.byFunction {
		more := v - other.byFunction[function]
		if more > most || more == most && function < best {
			best, most = function, more
		}
	}
	return best
}

// heaviestPlace returns the site of the function's samples in the bucket that costs
// most, the first in order among equals.
func (t *tally) heaviestPlace(b *bucket, function string, common map[string]bool) Site {
	weights := map[Site]float64{}
	d := folder{module: t.module}
	for _, s := range b.samples {
		site, _ := d.fold(s)
		if site.Function != function {
			continue
		}
		if site.What != shortFunction(site.Function) { // own time stays where it is
			site = d.moveOutward(site, common)
		}
		weights[site] += t.perRequest(s)
	}
	var best Site
	for site, v := range weights {
		heaviest := weights[best]
		if v > heaviest || v == heaviest && compareSites(site, best) < 0 {
			best = site
		}
	}
	return best
}

// moveOutward moves a site outward on the stack just folded, to the first user's
// frame whose function is not common. Without one, the site stays.
func (d *folder) moveOutward(site Site, common map[string]bool) Site {
	for _, f := range d.frames {
		if isUser(f.function, d.module) && !common[f.function] {
			site.Function, site.File, site.Line = f.function, f.file, f.line
			return site
		}
	}
	return site
}

func compareSites(a, b Site) int {
	return cmp.Or(
		cmp.Compare(a.What, b.What),
		cmp.Compare(a.Function, b.Function),
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line))
}
