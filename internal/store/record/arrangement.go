package record

// Arrangement is how the variants stand beside each other while they are measured.
type Arrangement string

// Together says whether all variants are up at the same time.
func (a Arrangement) Together() bool { return a != Alternating }

const (
	// Single: one variant, nothing beside it.
	Single Arrangement = "single"
	// Ports: all variants run at once, each on a free port of its own.
	Ports Arrangement = "together, each on a free port"
	// Namespaces: all run at once on the same fixed port, each in a network
	// namespace of its own; the guard inside hands over the connections.
	Namespaces Arrangement = "together, each in a network namespace"
	// Alternating: the variants cannot run at once, so each block starts one after
	// the other. Drift of the machine between the two starts stays in the result.
	Alternating Arrangement = "by alternating restarts"
)
