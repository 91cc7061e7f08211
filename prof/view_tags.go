package prof

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
)

var tagsView = &View{
	Name: "tags", Summary: "labels of samples, and what the samples with each value cost",
	show: (*selected).tags,
}

// Tags is the labels of a profile.
type Tags struct {
	Head
	Keys []TagKey `json:"keys"`
}

// TagKey is one key of labels. Samples with several values count for each.
type TagKey struct {
	Key    string     `json:"key"`
	Total  int64      `json:"total"`
	Values []TagValue `json:"values"`
}

// TagValue is the samples with one value of a label.
type TagValue struct {
	// Text is the value; a number has its unit behind it.
	Text  string `json:"text"`
	Value int64  `json:"value"`
}

func (s *selected) tags(l ViewOptions) (Document, error) {
	sums := map[string]map[string]int64{}
	add := func(key, text string, v int64) {
		if sums[key] == nil {
			sums[key] = map[string]int64{}
		}
		sums[key][text] += v
	}
	units, _ := s.profile.NumLabelUnits()
	for _, sample := range s.profile.Sample {
		v := sample.Value[s.column]
		for key, texts := range sample.Label {
			for _, text := range texts {
				add(key, text, v)
			}
		}
		for key, numbers := range sample.NumLabel {
			for _, n := range numbers {
				add(key, numberText(n, units[key]), v)
			}
		}
	}
	r := l.room()
	t := &Tags{Head: s.head("tags", sumOf(s.profile, s.column), 0), Keys: tagKeys(sums, r)}
	t.Cut = r.full
	return t, nil
}

func numberText(n int64, unit string) string {
	text := strconv.FormatInt(n, 10)
	if unit == "" || unit == "count" {
		return text
	}
	return text + " " + unit
}

// tagKeys orders keys and values by what they cost, as far as there is room.
func tagKeys(sums map[string]map[string]int64, r *room) []TagKey {
	var keys []TagKey
	for key, texts := range sums {
		k := TagKey{Key: key}
		for text, v := range texts {
			k.Total += v
			k.Values = append(k.Values, TagValue{text, v})
		}
		slices.SortFunc(k.Values, func(x, y TagValue) int {
			return cmp.Or(cmp.Compare(magnitude(y.Value), magnitude(x.Value)), cmp.Compare(x.Text, y.Text))
		})
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y TagKey) int {
		return cmp.Or(cmp.Compare(magnitude(y.Total), magnitude(x.Total)), cmp.Compare(x.Key, y.Key))
	})
	for i, k := range keys {
		for j, v := range k.Values {
			if !r.takes(rowBytes + len(k.Key) + len(v.Text)) {
				keys[i].Values = k.Values[:j]
				return keys[:i+1]
			}
		}
	}
	return keys
}

// WriteText writes each key with its values.
func (t *Tags) WriteText(w io.Writer) error {
	return t.write(w, func(b *bufio.Writer) {
		if len(t.Keys) == 0 {
			fmt.Fprintln(b, "no labels: runtime/pprof.Do and SetGoroutineLabels set them")
		}
		for _, k := range t.Keys {
			fmt.Fprintf(b, "\n%s: %s of %s (%s)\n", k.Key, t.values.text(k.Total), t.values.text(t.Total), share(k.Total, t.Total))
			for _, v := range k.Values {
				fmt.Fprintf(b, "%12s %8s  %s\n", t.values.text(v.Value), share(v.Value, t.Total), v.Text)
			}
		}
	})
}
