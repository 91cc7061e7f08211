package judge

// Width says where the width of an interval comes from, and what would narrow it.
type Width struct {
	// Parts are those of the variance of the estimate, the largest first. They add up to 1.
	Parts []WidthPart `json:"parts"`
	// Starts more of each variant give an interval of Resolution on either side, a fraction, if they scatter as those so
	// far do.
	Starts     int     `json:"more_starts"`
	Resolution float64 `json:"resolution"`
}

// WidthPart is what the scatter of one thing contributes.
type WidthPart struct {
	Of    WidthOf `json:"of"`
	Share float64 `json:"share"`
}

// WidthOf is a thing that scatters.
type WidthOf string

// The things that scatter. Where each start has a link order of its own, what both do cannot be told apart.
const (
	WidthOfPairs           WidthOf = "pairs"
	WidthOfStarts          WidthOf = "starts"
	WidthOfOrders          WidthOf = "link orders"
	WidthOfStartsAndOrders WidthOf = "starts and their link orders"
)

// Modes are two groups into which the starts of a comparison fall: something that comes and goes decides how the
// variants compare, such as a neighbour or one kind of link order. An interval of all starts is of the mixture.
type Modes struct {
	// Low and High are the ratios B/A of both groups, LowStarts and HighStarts how many starts each has.
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	LowStarts  int     `json:"low_starts"`
	HighStarts int     `json:"high_starts"`
	// P is how often starts of one group fall apart as far: see stats.TwoModes.
	P float64 `json:"p"`
}
