package tuning

// AblationSchema is that of Ablation as JSON.
const AblationSchema = "hone.ablation/1"

// Ablation is what the features of a program cost: the full program is A, and each setting is the
// program without one feature.
type Ablation struct {
	Schema string `json:"schema"`
	*Round
	// Features are what goes away without each, the one that costs most CPU time first; those
	// whose cost is not shown come last.
	Features []Feature `json:"features"`
}

// Feature is what a feature costs: what the full program takes more than the program without it.
type Feature struct {
	Name string `json:"name"`
	Run  string `json:"run"` // VariantOf the program without it
	// Found says that a cost in CPU time was shown: the whole interval lies above 0.
	Found bool  `json:"found"`
	Claim Claim `json:"claim_without"`
	// CPU, Bytes, P50 and P99 are the costs that were observed.
	CPU   *Cost `json:"cpu,omitempty"`
	Bytes *Cost `json:"allocated,omitempty"`
	P50   *Cost `json:"p50,omitempty"`
	P99   *Cost `json:"p99,omitempty"`
	// CollectorWith and CollectorWithout are the collector's shares of the CPU time, 0 to 1, of
	// the full program and of that without the feature; nil where too few cycles ended.
	CollectorWith    *float64 `json:"gc_cpu_share_with,omitempty"`
	CollectorWithout *float64 `json:"gc_cpu_share_without,omitempty"`
	Different        string   `json:"answers_differ,omitempty"`
}

// Share is the part of the CPU time that the feature takes, by the estimate.
func (f Feature) Share() float64 {
	if f.CPU == nil {
		return 0
	}
	return f.CPU.Share
}

// Cost is the part of a measure that goes away without a feature.
type Cost struct {
	// Unit is that of Value, which is per request; Share is the same as a part of what the full
	// program takes, with its interval Low to High. A negative cost is a saving.
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// Bounded says that the cost has an interval, Shown that the interval does not cover 0.
	Bounded bool    `json:"bounded"`
	Shown   bool    `json:"shown"`
	Conf    float64 `json:"confidence"`
}
