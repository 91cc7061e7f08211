package metricname

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

// The media types of pages of metrics. Native histograms come with protobuf only.
const (
	TypeProtobuf    = "application/vnd.google.protobuf"
	TypeOpenMetrics = "application/openmetrics-text"
	TypeText        = "text/plain"
)

// Parser reads a page of metrics in any of Prometheus' formats: text, OpenMetrics 1.0, protobuf. A page without a type
// is text.
func Parser(page []byte, contentType string) (textparse.Parser, error) {
	p, err := textparse.New(page, contentType, labels.NewSymbolTable(),
		textparse.ParserOptions{FallbackContentType: TypeText})
	if p == nil {
		return nil, fmt.Errorf("its answer cannot be read: %w", err)
	}
	return p, nil
}

// Left is what was left out of a page that is not quite one. It stands next to what the rest of the page holds.
type Left struct {
	Lines int
	First error // why the first of them is not a metric
	Open  bool  // OpenMetrics that does not end with # EOF: a part may be missing
}

func (l *Left) Error() string {
	text := ""
	if l.Lines > 0 {
		lines := "1 line"
		if l.Lines > 1 {
			lines = fmt.Sprintf("%d lines", l.Lines)
		}
		text = lines + " of the page left out, for which Prometheus refuses all of it: " + l.First.Error()
	}
	if l.Open {
		if text != "" {
			text += "; "
		}
		text += "the page does not end with # EOF, so a part of it may be missing"
	}
	return text
}

// Mend leaves out the lines of a page that are not of its format, after Parser met one. OpenMetrics that calls itself
// text is read as what it is. left is nil if nothing is left out; ok is false for a page that holds no metric, or is
// not text.
func Mend(page []byte, contentType string) (mended []byte, kind string, left *Left, ok bool) {
	media := TypeText
	if contentType != "" {
		media, _, _ = mime.ParseMediaType(contentType)
	}
	ends := bytes.HasSuffix(bytes.TrimSpace(page), []byte(eof))
	switch {
	case media == TypeOpenMetrics, media == TypeText && ends:
		kind = TypeOpenMetrics + "; version=1.0.0"
	case media == TypeText:
		kind = TypeText
	default:
		return nil, "", nil, false
	}
	if series, fault := check(page, kind); fault == nil && series > 0 {
		return page, kind, nil, true
	}
	mended, left, series := goodLines(page, kind)
	if left.Lines == 0 && !left.Open {
		left = nil
	}
	if _, fault := check(mended, kind); fault != nil || series == 0 {
		return nil, "", nil, false
	}
	return mended, kind, left, true
}

const eof = "# EOF"

// goodLines are the lines of a page that are right by themselves, and how many of them hold a value.
func goodLines(page []byte, kind string) (good []byte, left *Left, series int) {
	left = &Left{Open: kind != TypeText}
	number := 0
	for line := range bytes.Lines(page) {
		number++
		line = bytes.TrimRight(line, "\r\n")
		if kind != TypeText && bytes.Equal(line, []byte(eof)) {
			left.Open = false
			break
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		one := append(bytes.Clone(line), '\n')
		alone := one
		if kind != TypeText {
			alone = append(bytes.Clone(one), eof+"\n"...)
		}
		n, fault := check(alone, kind)
		if fault != nil {
			if left.Lines++; left.First == nil {
				left.First = fmt.Errorf("line %d: %w", number, fault)
			}
			continue
		}
		good, series = append(good, one...), series+n
	}
	if kind != TypeText {
		good = append(good, eof+"\n"...)
	}
	return good, left, series
}

// check says what is wrong with a page, and how many values it has.
func check(page []byte, kind string) (series int, fault error) {
	p, err := Parser(page, kind)
	if err != nil {
		return 0, err
	}
	for {
		entry, err := p.Next()
		switch {
		case errors.Is(err, io.EOF):
			return series, nil
		case err != nil:
			return series, err
		case entry == textparse.EntrySeries, entry == textparse.EntryHistogram:
			series++
		}
	}
}
