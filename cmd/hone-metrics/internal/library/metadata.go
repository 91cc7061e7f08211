package library

// Metadata says what a metric is, as its source does.
type Metadata struct {
	Type string `json:"type"`
	Unit string `json:"unit"`
	Help string `json:"help"`
}
