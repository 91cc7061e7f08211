package insight

import (
	"testing"

	"github.com/gohone/hone/internal/insight/walltime"
)

func TestJudgeWait(t *testing.T) {
	p := shop(t)
	p.Causes = []cause{
		{Part: "lock", Category: words{"lock"}, At: []spot{{"store/a.go", "for {"}}},
		{Part: "load", Category: words{"network", "channel"}, At: []spot{{"store/a.go", "for {"}}},
	}
	truth := stamped{Slow: group{Total: 110, Parts: map[string]int64{"lock": 80, "load": 21}}, Typical: group{Total: 10, Parts: map[string]int64{"load": 1}}}
	said := func(state walltime.State, line int, share float64) walltime.Cause {
		return walltime.Cause{Part: walltime.Part{Label: walltime.Label{Call: walltime.Call{State: state, File: "/x/shop/store/a.go", Line: line}}}, Share: share}
	}
	for name, c := range map[string]struct {
		first       walltime.Cause
		right, held bool
	}{
		"right":                   {said(walltime.Lock, 10, 0.9), true, true},
		"another share":           {said(walltime.Lock, 10, 0.6), true, false},
		"another line":            {said(walltime.Lock, 20, 0.8), false, false},
		"another category":        {said(walltime.Network, 10, 0.8), false, false},
		"a cause that takes less": {said(walltime.Channel, 30, 0.8), false, false},
	} {
		j := judgeWait(p, waited{Causes: []walltime.Cause{c.first}, Truth: truth})
		if j.Right != c.right || (j.Held != nil && *j.Held) != c.held || j.True != 0.8 {
			t.Errorf("%s: %+v", name, j)
		}
	}
	if j := judgeWait(p, waited{Truth: truth}); j.Right || j.Named != "nothing" {
		t.Errorf("nothing said: %+v", j)
	}
	p.Control, p.Causes = true, nil
	for share, want := range map[float64]bool{0.05: true, 0.2: false} {
		if j := judgeWait(p, waited{Causes: []walltime.Cause{said(walltime.Running, 10, 0.9), said(walltime.Lock, 10, share)}}); j.Right != want {
			t.Errorf("a lock with %g in a control: right %v", share, j.Right)
		}
	}
}
