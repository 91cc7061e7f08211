package gobench

import (
	"os/exec"
	"testing"

	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/judge"
)

func TestPairsBesideABusyProgramAreMarked(t *testing.T) {
	// It works for a while, and ends after the block, as programs do that are not the measurement's.
	neighbour := exec.Command("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo; read end")
	end, err := neighbour.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := neighbour.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := neighbour.Start(); err != nil {
		t.Fatal(err)
	}
	m := &measurement{gauge: machine.OpenGauge()}
	defer m.gauge.Close()
	block, err := m.watched(func() (judge.Block, error) {
		_, err := out.Read(make([]byte, 1)) // when it has worked
		return judge.Block{Pairs: make([]judge.Pair, 2)}, err
	})
	if err != nil || !block.Pairs[0].Disturbed || !block.Pairs[1].Disturbed {
		t.Errorf("%+v, %v: not marked", block, err)
	}
	end.Close()
	neighbour.Wait() // read fails at the end of its input
}
