package report

import (
	"slices"
	"testing"

	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/prof"
)

func TestTheShareOfASiteRestsOnItsSamples(t *testing.T) {
	site := prof.Site{What: "main.run", File: "/x/prog/main.go", Line: 9}
	other := prof.Site{What: "main.idle"}
	for name, c := range map[string]struct {
		costs []prof.Cost
		want  []string
	}{
		"many samples": {[]prof.Cost{{Site: site, Share: 99.9, Samples: 1199, Of: 1200},
			{Site: other, Share: 0.1, Samples: 1, Of: 1200}},
			[]string{"100 % of CPU in main.run  prog/main.go:9  (1,199 of 1,200 samples)",
				"0 % of CPU in main.idle  (1 of 1,200 samples)"}},
		"at the limit": {[]prof.Cost{{Site: site, Share: 50, Samples: 15, Of: 30}},
			[]string{"50 % of CPU in main.run  prog/main.go:9  (15 of 30 samples)"}},
		"too few": {[]prof.Cost{{Site: site, Share: 50, Samples: 3, Of: 6}, {Site: other, Share: 33, Samples: 2, Of: 6},
			{Site: other, Share: 17, Samples: 1, Of: 6}},
			[]string{"3 of 6 samples of CPU in main.run  prog/main.go:9  (too few for shares)",
				"2 of 6 samples of CPU in main.idle  (too few for shares)"}},
		"one": {[]prof.Cost{{Site: other, Share: 100, Samples: 1, Of: 1}},
			[]string{"1 of 1 sample of CPU in main.idle  (too few for shares)"}},
		"not counted": {[]prof.Cost{{Site: site, Share: 41.4}}, []string{"41 % of CPU in main.run  prog/main.go:9"}},
		"none":        {nil, nil},
	} {
		if got := model.HotLines(c.costs, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
