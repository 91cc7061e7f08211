//go:build !go1.25
// +build !go1.25

package probe

func honeProbeFlightPages(request honeProbeRequest) *honeProbeReply {
	return honeProbeTextReply(404, "no flight recorder: it came with Go 1.25")
}
