package cluster

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"
)

// recorded is an agent without a load: its recording is there from the start.
type recorded struct {
	recording []byte
	worker    *Worker
}

func (a *recorded) Prepare(json.RawMessage)                {}
func (a *recorded) StartAt(time.Duration, json.RawMessage) {}
func (a *recorded) Cut()                                   {}
func (a *recorded) Stop()                                  {}
func (a *recorded) Abandon()                               {}
func (a *recorded) Recording() io.ReaderAt                 { return bytes.NewReader(a.recording) }

// take takes an order as an agent does whose job is done at once.
func (a *recorded) take(o Order, co *Coordinator, now time.Duration) {
	if a.worker != nil {
		a.worker.Hear(o, now)
		if o.Start > 0 && a.worker.State().Phase == Ready {
			sum := sha256.Sum256(a.recording)
			a.worker.Started(now, now)
			a.worker.Finished(int64(len(a.recording)), hex.EncodeToString(sum[:]), nil, now)
		}
		return
	}
	a.worker = NewWorker(o, a, func(message any) {
		switch m := message.(type) {
		case State:
			co.HearState(m, now)
		case Chunk:
			co.HearChunk(m, now)
		}
	}, now)
	a.worker.Prepared(nil, now)
}

// keptBytes counts what a coordinator keeps.
type keptBytes int

func (k *keptBytes) Keep(_ string, _ int64, data []byte) error {
	*k += keptBytes(len(data))
	return nil
}

// BenchmarkDeliver has 100 agents deliver recordings of a minute to one coordinator, message by message: both ends of
// all.
func BenchmarkDeliver(b *testing.B) {
	const many, size = 100, 60 * 10_000
	for b.Loop() {
		var parts []Part
		agents := map[string]*recorded{}
		for i := range many {
			id := fmt.Sprint(i)
			agents[id] = &recorded{recording: bytes.Repeat([]byte{byte(i)}, size)}
			parts = append(parts, Part{Hello: Hello{ID: id, Name: id, Clock: 1}, Job: json.RawMessage("{}")})
		}
		var orders []Order
		kept, now := keptBytes(0), 2*time.Nanosecond
		co := NewCoordinator("run", parts, &kept, 1, now)
		co.Send = func(o Order) { orders = append(orders, o) }
		for co.Tick(now); !co.Over(); co.Tick(now) {
			if co.Err() != nil || now > time.Hour {
				b.Fatal(co.Err())
			}
			now += Every / 5
			batch := orders
			orders = nil
			for _, o := range batch {
				agents[o.Agent].take(o, co, now)
			}
			for _, a := range agents {
				if a.worker != nil {
					a.worker.Tick(now)
				}
			}
		}
		if kept != many*size {
			b.Fatalf("%d bytes were kept, want %d", kept, many*size)
		}
	}
}
