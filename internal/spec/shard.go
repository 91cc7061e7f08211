package spec

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of several parts of the benchmarks, a job for each. The zero value is all of them.
type Shard struct {
	// Index is from 1 to Of.
	Index int `json:"index"`
	Of    int `json:"of"`
}

// String implements pflag.Value: "2/8".
func (s *Shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Of)
}

// Type implements pflag.Value.
func (s *Shard) Type() string { return "K/N" }

// Set implements pflag.Value.
func (s *Shard) Set(text string) error {
	index, of, ok := strings.Cut(text, "/")
	k, errK := strconv.Atoi(index)
	n, errN := strconv.Atoi(of)
	if !ok || errK != nil || errN != nil || k < 1 || k > n {
		return fmt.Errorf("%q: write the number of the part and of all parts, such as 2/8", text)
	}
	s.Index, s.Of = k, n
	return nil
}

// Holds says whether the function with an index belongs to the part; all do where there are no parts.
func (s *Shard) Holds(i int) bool { return s.Of == 0 || i%s.Of == s.Index-1 }
