package continuous

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// labels are those of one series.
type labels []struct{ Name, Value string }

// value is that of a name; "" if there is none.
func (l labels) value(name string) string {
	for _, one := range slices.Backward(l) {
		if one.Name == name {
			return one.Value
		}
	}
	return ""
}

// group is series that have the same labels.
type group struct {
	labels map[string]string
	// varying are the names of labels in which groups differ.
	varying []string
	types   map[Type]bool
}

const (
	// mostGroups bounds the number of requests: each group has one for each type.
	mostGroups = 20
	// mostVarying is how many labels may differ between groups: the time to find them is that many times the number of
	// series.
	mostVarying = 100
)

// groupSeries makes groups of the series whose labels of these names are the same; nil means all labels of theirs that
// are not internal (__name__). If there are too many groups it makes one of all, and the note says so.
func groupSeries(series []labels, names []string) (groups []*group, note string) {
	kept, varying := differing(series, names)
	if len(varying) <= mostVarying {
		if groups = groupBy(series, kept, varying); len(groups) <= mostGroups {
			return groups, ""
		}
	}
	same := slices.DeleteFunc(kept, func(name string) bool {
		_, differs := slices.BinarySearch(varying, name)
		return differs
	})
	shown := varying[:min(mostGroups, len(varying))]
	return groupBy(series, same, nil),
		fmt.Sprintf("labels that differ are not kept (%s): they make more than %d groups, which is the most that is asked "+
			"for; --labels NAME keeps the labels that are named", strings.Join(shown, ", "), mostGroups)
}

// differing are the names of the labels that are kept, and of those that are not the same in all series, both in order.
func differing(series []labels, names []string) (kept, varying []string) {
	type values struct {
		first   string
		series  int // that have it
		differs bool
	}
	of := map[string]*values{}
	for _, s := range series {
		for _, l := range s {
			if strings.HasPrefix(l.Name, "__") || names != nil && !slices.Contains(names, l.Name) {
				continue
			}
			v := of[l.Name]
			if v == nil {
				v = &values{first: l.Value}
				of[l.Name] = v
			}
			v.series++
			v.differs = v.differs || v.first != l.Value
		}
	}
	kept = slices.Sorted(maps.Keys(of))
	for _, name := range kept {
		if v := of[name]; v.differs || v.series < len(series) {
			varying = append(varying, name)
		}
	}
	return kept, varying
}

// groupBy makes groups by the labels that differ: one more than there may be at most.
func groupBy(series []labels, kept, varying []string) (groups []*group) {
	of := map[string]*group{}
	for _, s := range series {
		key := ""
		for _, name := range varying {
			key += strconv.Quote(s.value(name))
		}
		g := of[key]
		if g == nil {
			if len(groups) > mostGroups {
				return groups
			}
			g = &group{labels: map[string]string{}, varying: varying, types: map[Type]bool{}}
			for _, l := range s {
				if _, is := slices.BinarySearch(kept, l.Name); is && l.Value != "" && len(g.labels) < mostVarying {
					g.labels[l.Name] = l.Value
				}
			}
			of[key], groups = g, append(groups, g)
		}
		g.types[Type(s.value(typeLabel))] = true
	}
	return groups
}

// matchers select the series of the group among those of a selector.
func (g *group) matchers(all string) string {
	parts := []string{}
	if all != "" {
		parts = append(parts, all)
	}
	for _, name := range g.varying {
		parts = append(parts, name+"="+strconv.Quote(g.labels[name]))
	}
	return "{" + strings.Join(parts, ",") + "}"
}
