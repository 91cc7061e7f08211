package cases

import (
	"testing"

	"github.com/gohone/hone/bench/figures"
)

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		r    figures.Ratio
		want string
	}{
		{figures.Ratio{Value: 0.3, Low: 0.2, High: 0.34}, "met"},
		{figures.Ratio{Value: 0.3, Low: 0.2, High: 0.4}, "met, but not for sure"},
		{figures.Ratio{Value: 0.3}, "met, but not for sure"},
		{figures.Ratio{Value: 0.4, Low: 0.36, High: 0.5}, "missed"},
	} {
		if got := verdict(c.r, 0.35); got != c.want {
			t.Errorf("%v: %s, want %s", c.r, got, c.want)
		}
	}
}
