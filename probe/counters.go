//go:build ignore
// +build ignore

package probe

import (
	honeProbeCountersOS "os"
	honeProbeCountersFilepath "path/filepath"
	honeProbeCoverage "runtime/coverage"
)

// This file is in no build but those with coverage counters (go build -cover), to which hone adds it by its overlay:
// in others package runtime/coverage would be linked for nothing. It is there before the probe answers.
var _ = honeProbeAddCounters()

func honeProbeAddCounters() bool {
	honeProbeCounters = honeProbeCountersPages
	return true
}

// honeProbeCountersPages clears the counters, or writes them into a directory beside the socket.
func honeProbeCountersPages(request honeProbeRequest) *honeProbeReply {
	switch request.path {
	case "/counters/clear":
		if err := honeProbeCoverage.ClearCounters(); err != nil {
			return honeProbeTextReply(500, err.Error())
		}
		return honeProbeTextReply(200, "ok")
	case "/counters/write":
		name := request.honeProbeGet("name", "")
		if name == "" || name == "." || name == ".." || name != honeProbeCountersFilepath.Base(name) {
			return honeProbeTextReply(400, "want name=N, of a directory beside the socket")
		}
		dir := honeProbeCountersFilepath.Join(honeProbeDirectory, name)
		if err := honeProbeCountersOS.MkdirAll(dir, 0700); err != nil {
			return honeProbeTextReply(500, err.Error())
		}
		if err := honeProbeCoverage.WriteMetaDir(dir); err != nil {
			return honeProbeTextReply(500, err.Error())
		}
		if err := honeProbeCoverage.WriteCountersDir(dir); err != nil {
			return honeProbeTextReply(500, err.Error())
		}
		return honeProbeTextReply(200, "ok")
	}
	return honeProbeTextReply(404, "no such page; there are /counters/clear /counters/write")
}
