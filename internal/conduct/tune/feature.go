package tune

import (
	"regexp"
	"strings"

	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
)

// featureName is what a feature may be called: as in hone.yaml.
var featureName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// ParseFeatures reads what switches features off, as a command line has it:
//
//	compression=env:COMPRESSION=off
//	logging=arg:-quiet
//	metrics=tag:nometrics
//
// A name that comes again adds to its feature. Errors are fail.BadInput.
func ParseFeatures(words []string) ([]tuning.Setting, error) {
	var all []tuning.Setting
	for _, word := range words {
		name, rest, _ := strings.Cut(word, "=")
		if !featureName.MatchString(name) {
			return nil, badFeature(word, "%q is not a name: want letters, digits, _ . -", name)
		}
		kind, value, found := strings.Cut(rest, ":")
		if !found || value == "" {
			return nil, badFeature(word, "nothing switches %s off", name)
		}
		i := 0
		for i < len(all) && all[i].Name != name {
			i++
		}
		if i == len(all) {
			all = append(all, tuning.Setting{Name: name})
		}
		switch kind {
		case "env":
			if key, _, found := strings.Cut(value, "="); !found || key == "" {
				return nil, badFeature(word, "%q is not an entry of an environment", value)
			}
			all[i].Env = append(all[i].Env, value)
		case "arg":
			all[i].Args = append(all[i].Args, value)
		case "tag":
			all[i].Tags = append(all[i].Tags, value)
		default:
			return nil, badFeature(word, "%q is neither env, arg nor tag", kind)
		}
	}
	return all, nil
}

func badFeature(word, format string, args ...any) error {
	return fail.New(fail.BadInput, "--without "+strings.ReplaceAll(word, "%", "%%")+": "+format, args...).
		WithHint("write NAME=env:KEY=VALUE, NAME=arg:WORD or NAME=tag:TAG: --without compression=env:COMPRESSION=off")
}
