package tuning

// FixSchema is that of Fix as JSON.
const FixSchema = "hone.fix/1"

// Fix is what became of the findings of a run that have a rewrite, each tried on top of those that were kept.
type Fix struct {
	Schema string `json:"schema"`
	// Run is the run whose findings were tried; empty where they are of Benchmarks, the words after hone fix --bench.
	Run        string `json:"run,omitempty"`
	Benchmarks string `json:"benchmarks,omitempty"`
	// FewSamples are the benchmarks whose profiles have too few samples to say what takes CPU time.
	FewSamples []string `json:"few_samples,omitempty"`
	// Branch has a commit for each rewrite that was kept, on top of the commit Base; empty where none was.
	Branch string `json:"branch,omitempty"`
	Base   string `json:"base,omitempty"`
	// Tried are the findings, in the order in which they were tried.
	Tried []*Rewritten `json:"tried"`
	// Without is how many findings have no rewrite.
	Without int `json:"without_rewrite"`
	// Planned says that nothing was measured: Tried is what would be.
	Planned bool `json:"planned,omitempty"`
	// Stopped says why findings at the end were not tried; empty if all were.
	Stopped string `json:"stopped,omitempty"`
}

// Kept are the rewrites that have a commit.
func (f *Fix) Kept() (kept []*Rewritten) {
	for _, r := range f.Tried {
		if r.Commit != "" {
			kept = append(kept, r)
		}
	}
	return kept
}
