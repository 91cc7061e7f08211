package model

import (
	"testing"
	"time"
)

func TestBudgetsAsPeopleTypeThem(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{97 * time.Second, "--budget 100s"}, {100 * time.Second, "--budget 100s"}, {time.Millisecond, "--budget 5s"},
		{17 * time.Second, "--budget 20s"}, {61 * time.Second, "--budget 70s"},
		{3*time.Minute + 1, "--budget 3m30s"}, {4 * time.Minute, "--budget 4m"},
		{11*time.Minute + 5*time.Second, "--budget 12m"},
	} {
		if got := budgetFlag(roundUp(c.d)); got != c.want {
			t.Errorf("%v: %s, want %s", c.d, got, c.want)
		}
	}
}
