package turns

import (
	"os"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
)

// The file of the testing package is known in the toolchain at hand.
func TestTheTestingPackageIsBuiltForTurns(t *testing.T) {
	path, by, err := testingForTurns(t.Context(), &sources.Side{Dir: ".", Env: os.Environ()}, t.TempDir())
	if err != nil || path == "" {
		t.Fatalf("%q, %v: the testing package has changed, and turns take longer than they need", path, err)
	}
	text, err := os.ReadFile(by)
	if err != nil || !strings.Contains(string(text), collectsUnless) {
		t.Errorf("%v, no %q in %s", err, collectsUnless, by)
	}
	for _, other := range []string{"", string(text), strings.ReplaceAll(string(text), runs, "")} {
		if changed, known := forTurns(other); known {
			t.Errorf("a file that is not as it is known was changed to %.80q", changed)
		}
	}
}
