package gate

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// FunctionNamed finds the function that a gate means among those that were seen: the one of that
// name, or else the only one of that name in a package whose path ends so (parse.Read for
// example.com/app/parse.Read). The error says why there is none.
func FunctionNamed(name string, seen []string) (string, error) {
	if slices.Contains(seen, name) {
		return name, nil
	}
	var found []string
	for _, s := range seen {
		if strings.HasSuffix(s, "/"+name) && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fail.New(fail.BadInput, "no function %s was seen", name)
	default:
		slices.Sort(found)
		return "", fail.New(fail.BadInput, "%s is one of several functions: %s", name, strings.Join(found, ", "))
	}
}

// mostNearest is how many functions an error suggests.
const mostNearest = 5

// UnknownFunction is the error for a function that is not among those that were seen, or is several of them; of names
// what it stands in, as in gate "func(main.work)". Its hint names the nearest ones.
func UnknownFunction(of, name string, seen []string) error {
	_, why := FunctionNamed(name, seen)
	if why == nil {
		return nil
	}
	err := fail.New(fail.BadInput, "%s: %w", of, why)
	if near := nearestFunctions(name, seen); len(near) > 0 {
		return err.WithHint("functions that were seen: %s", strings.Join(near, ", "))
	}
	return err.WithHint("no function of a similar name was seen; write it as profiles do: PACKAGE.NAME, PACKAGE.(*TYPE).METHOD")
}

// nearestFunctions are the seen functions whose names are most like one: with the same last part,
// or one that differs little, or the same package.
func nearestFunctions(name string, seen []string) []string {
	seen = slices.Compact(slices.Sorted(slices.Values(seen)))
	bare := strings.ToLower(lastPart(name))
	pkg, _, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
	var near []string
	add := func(fits func(s string) bool) {
		for _, s := range seen {
			if len(near) < mostNearest && !slices.Contains(near, s) && fits(s) {
				near = append(near, s)
			}
		}
	}
	add(func(s string) bool { return strings.ToLower(lastPart(s)) == bare })
	add(func(s string) bool { return fail.Nearest(bare, []string{strings.ToLower(lastPart(s))}) != "" })
	add(func(s string) bool { return strings.Contains(strings.ToLower(s), bare) })
	add(func(s string) bool {
		return strings.HasPrefix(s, pkg+".") || strings.Contains(s, "/"+pkg+".")
	})
	return near
}

// lastPart is the name of a function or method without its package and type.
func lastPart(name string) string {
	if bracket := strings.IndexByte(name, '['); bracket > 0 { // type arguments have points of their own
		name = name[:bracket] + name[strings.LastIndexByte(name, ']')+1:]
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}
