//go:build go1.25
// +build go1.25

package probe

import (
	honeProbeSync "sync"
	honeProbeFlightTime "time"

	honeProbeFlightTrace "runtime/trace"
)

// honeProbeFlight is the one flight recorder of the program: it keeps the latest part of
// an execution trace in memory until it is asked for.
var honeProbeFlight struct {
	mu       honeProbeSync.Mutex
	recorder *honeProbeFlightTrace.FlightRecorder // nil while none is running
}

func honeProbeFlightPages(request honeProbeRequest) *honeProbeReply {
	flight := &honeProbeFlight
	flight.mu.Lock()
	defer flight.mu.Unlock()
	switch request.path {
	case "/flight/start":
		seconds, fault := request.honeProbeSeconds("1", honeProbeMaxTrace)
		if fault != nil {
			return fault
		}
		recorder := honeProbeFlightTrace.NewFlightRecorder(honeProbeFlightTrace.FlightRecorderConfig{
			MinAge: honeProbeFlightTime.Duration(seconds * float64(honeProbeFlightTime.Second)),
		})
		if err := recorder.Start(); err != nil {
			return honeProbeTextReply(409, err.Error()) // there is one already, ours or the program's own
		}
		flight.recorder = recorder
		return honeProbeTextReply(200, "ok")
	case "/flight", "/flight/stop":
		if flight.recorder == nil {
			return honeProbeTextReply(409, "no flight recorder is running; start one with /flight/start?seconds=S")
		}
		if request.path == "/flight/stop" {
			flight.recorder.Stop()
			flight.recorder = nil
			return honeProbeTextReply(200, "ok")
		}
		reply := &honeProbeReply{status: 200, kind: honeProbeOctetStream}
		if _, err := flight.recorder.WriteTo(&reply.body); err != nil {
			return honeProbeTextReply(500, err.Error())
		}
		return reply
	}
	return honeProbeTextReply(404, "no such page; there are /flight/start /flight /flight/stop")
}
