package tune

import (
	"os"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
)

// setting is what a variable is set to for the program: by the variant, or else by hone's own
// environment; false if it is not set. An empty value is as good as none to the Go runtime.
func setting(v build.Variant, name string) (value string, ok bool) {
	all := slices.Concat(os.Environ(), v.Env, v.RunEnv)
	for _, entry := range slices.Backward(all) {
		if rest, found := strings.CutPrefix(entry, name+"="); found {
			return rest, rest != ""
		}
	}
	return "", false
}
