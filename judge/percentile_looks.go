package judge

// percentileLooks are the shares of the budget at which percentiles are looked at while there
// may be more to come: a bootstrap is not an exact test over all looks, so each look takes a part
// of the level for itself (Bonferroni), and few looks leave enough for the last.
var percentileLooks = []float64{0.5, 0.75}

// NextPercentiles is the share of the budget at which percentiles are looked at next, if a share of it is used.
func NextPercentiles(used float64) float64 {
	for _, share := range percentileLooks {
		if used < share {
			return share
		}
	}
	return 1
}

// percentileLevel is the part of the level that the present look may use. The looks at the shares of percentileLooks
// have what the spending function allows from the one before to this one; the last look, whenever it is, has what is
// left. An interim look at no such share has none, so 0.
func percentileLevel(o Options) float64 {
	if len(o.Looks) == 0 {
		return o.signsLevel()
	}
	present := len(o.Looks) - 1
	spent := 0.0
	for i, l := range o.Looks {
		before := 0.0
		if i > 0 {
			before = o.Looks[i-1].Used
		}
		due := false
		for _, share := range percentileLooks {
			due = due || before < share && share <= l.Used
		}
		switch upTo := o.signsLevel() * l.Used * l.Used; {
		case i == present && !o.Interim:
			return o.signsLevel() - spent
		case i == present && due:
			return upTo - spent
		case i == present:
			return 0
		case due:
			spent = upTo
		}
	}
	return 0
}
