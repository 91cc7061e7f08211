package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gohone/hone/internal/machine"
)

// schema of the document; its number grows when a field changes its meaning.
const schema = "hone.sidebyside/1"

// document is all results of one run, for pages made from them later.
type document struct {
	Schema     string              `json:"schema"`
	Date       time.Time           `json:"date"`
	Machine    machine.Description `json:"machine"`
	Command    string              `json:"command"`
	ServerCPU  int                 `json:"server_cpu"`
	ClientCPU  int                 `json:"client_cpu"`
	Confidence float64             `json:"confidence"`
	Skipped    []skip              `json:"skipped,omitempty"`
	Contests   []*result           `json:"contests"`
}

func newDocument(l *lab) *document {
	return &document{
		Schema: schema, Date: time.Now().UTC().Truncate(time.Second), Machine: machine.Describe(),
		Command:   "sidebyside " + strings.Join(os.Args[1:], " "),
		ServerCPU: l.serverCPU, ClientCPU: l.clientCPU, Confidence: confidence, Skipped: l.skipped,
		Contests: []*result{},
	}
}

// write writes it to a file; an empty name is none.
func (d *document) write(name string) error {
	if name == "" {
		return nil
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	if err := os.WriteFile(name, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}
