package sarif

// The types are those parts of SARIF 2.1.0 (OASIS Standard, 27 March 2020) that hone writes. The numbers name the
// sections.

// Log is a SARIF file (3.13).
type Log struct {
	Schema  string    `json:"$schema"`
	Version string    `json:"version"`
	Runs    []ToolRun `json:"runs"`
}

// ToolRun is what one tool says (3.14). It has no originalUriBaseIds: only its reader knows where the repository is.
type ToolRun struct {
	Tool       Tool     `json:"tool"`
	Results    []Result `json:"results"`
	ColumnKind string   `json:"columnKind"`
}

// Tool is the tool (3.18), Driver its main part (3.19).
type Tool struct {
	Driver Driver `json:"driver"`
}

// Driver is hone, with its rules.
type Driver struct {
	Name           string `json:"name"`
	Version        string `json:"version"`
	InformationURI string `json:"informationUri"`
	Rules          []Rule `json:"rules"`
}

// Rule describes one rule (3.49). Help says what to change.
type Rule struct {
	ID               string         `json:"id"`
	ShortDescription Text           `json:"shortDescription"`
	FullDescription  Text           `json:"fullDescription"`
	Help             Text           `json:"help"`
	Properties       RuleProperties `json:"properties"`
}

// RuleProperties are the words by which GitHub filters.
type RuleProperties struct {
	Tags []string `json:"tags"`
}

// Text is plain text, and the same as Markdown where that says more (3.12).
type Text struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

// Result is one finding (3.27). Level is "note" or "warning".
type Result struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level"`
	Message             Text              `json:"message"`
	Locations           []Location        `json:"locations"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
	Properties          Properties        `json:"properties"`
}

// Properties are the numbers of a finding: shares of Measure, 0 to 1, and Absolute in the measure's unit per request
// (ns or bytes).
type Properties struct {
	Measure  string  `json:"measure"`
	Cost     float64 `json:"cost"`
	Absolute float64 `json:"absolute"`
	Gain     float64 `json:"gain"`
	Run      string  `json:"run"`
}

// Location is a line of a file (3.28), in the function that LogicalLocations names.
type Location struct {
	PhysicalLocation PhysicalLocation  `json:"physicalLocation"`
	LogicalLocations []LogicalLocation `json:"logicalLocations"`
}

// LogicalLocation is a function (3.33).
type LogicalLocation struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

// PhysicalLocation is a part of a file (3.29).
type PhysicalLocation struct {
	ArtifactLocation ArtifactLocation `json:"artifactLocation"`
	Region           Region           `json:"region"`
}

// ArtifactLocation is a file (3.4): URI is relative to the directory that URIBaseID names.
type ArtifactLocation struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId"`
}

// Region is a whole line (3.30), counted from 1.
type Region struct {
	StartLine int64 `json:"startLine"`
}
