package tune

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
)

func TestParseFeatures(t *testing.T) {
	got, err := ParseFeatures([]string{"zip=env:ZIP=off=1", "log=arg:-level=none", "log=arg:-quiet", "zip=tag:nozip"})
	want := []tuning.Setting{
		{Name: "zip", Env: []string{"ZIP=off=1"}, Tags: []string{"nozip"}},
		{Name: "log", Args: []string{"-level=none", "-quiet"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for word, want := range map[string]string{
		"":                `"" is not a name`,
		"-x=env:A=1":      `"-x" is not a name`,
		"zip":             "nothing switches zip off",
		"zip=off":         "nothing switches zip off",
		"zip=env:":        "nothing switches zip off",
		"zip=env:ZIP":     `"ZIP" is not an entry of an environment`,
		"100%=env:A=1":    `"100%" is not a name`,
		"zip=flag:-x=%d!": `"flag" is neither env, arg nor tag`,
	} {
		_, err := ParseFeatures([]string{word})
		if err == nil || fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "%!") {
			t.Errorf("%q: %v, want %q", word, err, want)
		}
	}
}
