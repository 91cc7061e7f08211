package record

// GainCheck is what became of a large gain in a second, short measurement that does not show hone: without its probe
// and its variables, with a browser's headers.
type GainCheck struct {
	// Unseen is B's cost under the same requests, Varied that under requests of which none comes twice; nil: not known.
	Unseen *GainPart `json:"unseen,omitempty"`
	Varied *GainPart `json:"varied,omitempty"`
	// By is what the varied requests differ in.
	By string `json:"varied_by,omitempty"`
	// Answers is how B's answers differ from A's then; empty where they do not, or were not compared.
	Answers string `json:"answers,omitempty"`
	// Kept says that the load repeats its requests, with the same values in the check, too.
	Kept bool `json:"same_values,omitempty"`
	// Open says why something is not known; empty where all is.
	Open string `json:"open,omitempty"`
}

// GainPart is B's CPU time per request as a part of A's, with its interval.
type GainPart struct {
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}
