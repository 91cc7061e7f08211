package build

import (
	"slices"
	"testing"
)

func TestWithTags(t *testing.T) {
	for _, c := range []struct {
		goflags    string
		env, flags []string
		want       string
	}{
		{"", nil, nil, "-tags=slim,quiet"},
		{"", nil, []string{"-tags=prod"}, "-tags=prod,slim,quiet"},
		{"", nil, []string{"-tags", "prod slim"}, "-tags=prod,slim,quiet"},
		{"-tags=old", nil, []string{"-race"}, "-tags=old,slim,quiet"},
		{"-tags=old", []string{"GOFLAGS=-tags=new"}, nil, "-tags=new,slim,quiet"},
		{"-tags=old", nil, []string{"-tags=prod"}, "-tags=prod,slim,quiet"},
	} {
		got, err := WithTags(c.goflags, Variant{Env: c.env, BuildFlags: c.flags}, []string{"slim", "quiet"})
		if want := append(slices.Clone(c.flags), c.want); err != nil || !slices.Equal(got, want) {
			t.Errorf("%+v: %q, %v, want %q", c, got, err, want)
		}
	}
	if _, err := WithTags("'-tags=x", Variant{}, []string{"y"}); err == nil {
		t.Error("a quote that is never closed is taken")
	}
}
