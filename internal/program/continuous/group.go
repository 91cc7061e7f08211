package continuous

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// group is series that have the same labels.
type group struct {
	labels map[string]string
	// varying are the names of labels in which groups differ.
	varying []string
	types   []Type
}

// mostGroups bounds the number of requests: each group has one for each type.
const mostGroups = 20

// groupSeries makes groups of the series whose labels of these names are the same; nil means all labels of theirs that are not
// internal (__name__). If there are too many groups it makes one of all, and the note says so.
func groupSeries(series []map[string]string, names []string) (groups []*group, note string) {
	values := map[string][]string{}
	for _, s := range series {
		for name := range s {
			if !strings.HasPrefix(name, "__") && (names == nil || slices.Contains(names, name)) {
				values[name] = nil
			}
		}
	}
	for name := range values {
		for _, s := range series {
			if !slices.Contains(values[name], s[name]) {
				values[name] = append(values[name], s[name])
			}
		}
	}
	kept := slices.Sorted(maps.Keys(values))
	varying := slices.DeleteFunc(slices.Clone(kept), func(name string) bool { return len(values[name]) == 1 })
	if groups = groupBy(series, kept, varying); len(groups) <= mostGroups {
		return groups, ""
	}
	same := slices.DeleteFunc(kept, func(name string) bool { return slices.Contains(varying, name) })
	return groupBy(series, same, nil), fmt.Sprintf("labels that differ are not kept (%s): there are %d groups of them, and at most %d are asked for; --labels NAME keeps the labels that are named",
		strings.Join(varying, ", "), len(groups), mostGroups)
}

func groupBy(series []map[string]string, kept, varying []string) (groups []*group) {
	of := map[string]*group{}
	for _, s := range series {
		key := ""
		for _, name := range varying {
			key += strconv.Quote(s[name])
		}
		g := of[key]
		if g == nil {
			g = &group{labels: map[string]string{}, varying: varying}
			for _, name := range kept {
				if s[name] != "" {
					g.labels[name] = s[name]
				}
			}
			of[key], groups = g, append(groups, g)
		}
		if t := Type(s[typeLabel]); !slices.Contains(g.types, t) {
			g.types = append(g.types, t)
		}
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
