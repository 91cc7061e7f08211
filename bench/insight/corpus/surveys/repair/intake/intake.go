// Package intake reads surveys.
package intake

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Parser reads lines of person, question, points, weight and remark.
type Parser struct{ Columns int }

// Question is the answers to one question.
type Question struct {
	Answers int     `json:"answers"`
	Points  float64 `json:"points"`
	Weight  float64 `json:"weight"`
	Remarks int     `json:"remarks"`
}

// Summary is the answers to all questions.
type Summary struct {
	Lines     int                  `json:"lines"`
	Questions map[string]*Question `json:"questions"`
}

// Sum reads a survey; a line of text is an answer.
func (p Parser) Sum(r io.Reader) (*Summary, error) {
	s := &Summary{Questions: map[string]*Question{}}
	in := p.reader(r)
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", s.Lines+1, err)
		}
		if err := s.add(fields); err != nil {
			return nil, fmt.Errorf("line %d: %w", s.Lines+1, err)
		}
	}
}

func (s *Summary) add(fields []string) error {
	s.Lines++
	points, err := strconv.ParseFloat(strings.TrimSpace(fields[2]), 64)
	if err != nil {
		return err
	}
	weight, err := strconv.ParseFloat(fields[3], 64)
	if err != nil {
		return err
	}
	q := s.Questions[fields[1]]
	if q == nil {
		q = &Question{}
		s.Questions[fields[1]] = q
	}
	q.Answers++
	q.Points += points * weight
	q.Weight += weight
	if strings.TrimSpace(fields[4]) != "" {
		q.Remarks++
	}
	return nil
}
