package load

import (
	"testing"
	"time"
)

// bytewise is a protocol whose request and answer are one byte each, in order.
type bytewise struct{ next uint64 }

func (d *bytewise) AppendRequest(dst []byte, _ uint64) []byte { return append(dst, 0) }
func (d *bytewise) NextAnswer(in []byte, _ bool) (int, Answer) {
	if len(in) == 0 {
		return 0, Answer{}
	}
	d.next++
	return 1, Answer{Seq: d.next - 1}
}

// BenchmarkReceive is what the account of one answer costs, one and 64 in a read, without and with time stamps.
func BenchmarkReceive(b *testing.B) {
	for _, stamped := range []bool{false, true} {
		for _, depth := range []int{1, 64} {
			name := map[int]string{1: "one", 64: "64"}[depth] + map[bool]string{true: " stamped"}[stamped]
			b.Run(name, func(b *testing.B) { benchmarkReceive(b, depth, stamped) })
		}
	}
}

func benchmarkReceive(b *testing.B, depth int, stamped bool) {
	s := newShard(0, Plan{Connections: 1, Depth: depth}, mute{}, time.Now(), nil)
	s.cpu = func() time.Duration { return 0 }
	l := &link{}
	s.links = []*link{l}
	s.connect(l, 1)
	l.dialog = &bytewise{}
	in, now := make([]byte, depth), int64(1)
	b.ReportAllocs()
	for b.Loop() {
		if stamped && (s.stamps == nil || s.stamps.room == 0) {
			s.stamps = &stamping{room: 1 << 16} // as often as it is full, a new one
			l.sent.allowDues()
		}
		now += 100
		l.sent.push(depth, now)
		s.outstanding += depth
		if rest, closed := s.receive(l, in, false, now+50); len(rest) > 0 || closed {
			b.Fatal("not settled")
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(depth), "ns/answer")
}
