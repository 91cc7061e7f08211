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

// heldAcross is the label of a wait for a lock with what its holder does in the largest part that tells it, of all
// parts at the same line; the label itself where it tells it, where none does, and where it is no wait for a lock.
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
