package read

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/requests"
)

// Further targets are requests after the target's own, each with its weight.
func TestFurtherTargetsAreRequests(t *testing.T) {
	l := spec.Load{Target: "http://h/a", Also: []string{"/b", "http://h/c"}, Weights: []int{7, 2, 1}}
	want := []wire.Request{{Weight: 7}, {Path: "/b", Weight: 2}, {Path: "http://h/c", Weight: 1}}
	if err := readMix(&l); err != nil || !reflect.DeepEqual(l.Protocol.Requests, want) || !l.Protocol.IsMix() {
		t.Errorf("%+v: %v", l.Protocol.Requests, err)
	}
	l = spec.Load{}
	if err := (&Requests{}).targets(&l, []string{"http://h/a", "/b"}); err != nil || l.Target != "http://h/a" ||
		!reflect.DeepEqual(l.Protocol.Requests, []wire.Request{{Weight: 1}, {Path: "/b", Weight: 1}}) {
		t.Errorf("%+v: %v", l, err)
	}
}

func TestFurtherTargetsThatDoNotFitAreRefused(t *testing.T) {
	items := []wire.Request{{Method: "GET", Path: "/items"}}
	for _, c := range []struct {
		f       *Requests
		weights []int
		want    string
	}{
		{&Requests{}, []int{1, 0}, "--weight has the weight 0"},
		{&Requests{}, []int{1}, "--weight has 1 weights for 2 targets"},
		{&Requests{sequence: items}, nil, "steps say all requests themselves"},
		{&Requests{list: &requests.List{Requests: items}}, nil, "further targets do not go with a list of requests"},
	} {
		l := spec.Load{Weights: c.weights}
		err := c.f.targets(&l, []string{"http://h", "/b"})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
