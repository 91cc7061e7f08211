package walltime

// tells says whether a call says what the holder of a lock does. One that waits to run, or for the same lock, says less
// than another part of the same wait.
func (c *Call) tells() bool {
	switch c.State {
	case Runnable, Requests, Lock:
		return false
	}
	return true
}

// heldAcross finds what the holder of a lock does. The label may not say it; then it is replaced by that of the largest
// part at the same line that does. A label of another wait stays, and so does one for which no part says more.
func (c *Cohort) heldAcross(l Label) Label {
	if l.State != Lock || l.Behind == nil || l.Behind.tells() {
		return l
	}
	for _, p := range c.Parts { // the largest first
		if p.Call == l.Call && p.Behind != nil && p.Behind.tells() {
			return p.Label
		}
	}
	return l
}
