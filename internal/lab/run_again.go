package lab

import (
	"encoding/hex"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/loadcmd"
	"github.com/gohone/hone/internal/needs"
	"github.com/gohone/hone/internal/protocol"
	"github.com/gohone/hone/internal/subject"
)

// RunAgain is the command that measures the program of a stored run by itself once more, under the same load, and the
// directory to give it in. It is false where Again refuses the run, and where the run was asked for something that only a
// Request can say.
func RunAgain(r Record) (command, dir string, ok bool) {
	request, dir, err := Again(r, Given{})
	if err != nil {
		return "", "", false
	}
	v := request.Variants[0]
	words := []string{"hone", "run", subject.JoinCommand(v.Words())}
	flag := func(name string, value, usual any, text string) {
		if reflect.DeepEqual(value, usual) {
			return
		}
		if words = append(words, name); text != "" {
			words = append(words, text)
		}
	}
	span := func(name string, value, usual time.Duration) {
		if value > 0 {
			flag(name, value, usual, value.String())
		}
	}
	protocolWords, said := protocolFlags(request.Protocol)
	if !said {
		return "", "", false
	}
	flag("--target", request.Target, "", request.Target)
	flag("--path", request.Path, "", request.Path)
	words = append(words, protocolWords...)
	if c := request.Load; c != nil {
		words = append(words, "--load-cmd", subject.JoinCommand(c.Words))
		flag("--load-ops", c.Ops, "", c.Ops)
		flag("--ops-metric", c.Metric, "", c.Metric)
		span("--load-timeout", c.Limit, loadcmd.DefaultLimit)
	}
	p := request.Plan
	words = append(words, "-c", strconv.Itoa(p.Connections))
	flag("--depth", max(1, p.Depth), 1, strconv.Itoa(p.Depth))
	flag("-q", request.RateHz, 0.0, strconv.FormatFloat(request.RateHz, 'f', -1, 64))
	if r.Asked.Duration > 0 { // not of a comparison
		words = append(words, "-d", request.Duration.String())
		span("--slice", request.Slice, 100*time.Millisecond)
		flag("--warmup", request.WarmUp, 500*time.Millisecond, request.WarmUp.String())
	}
	span("--timeout", p.Timeout, 2*time.Second)
	if request.ProfileTime == 0 {
		words = append(words, "--no-profile")
	} else {
		span("--profile-time", request.ProfileTime, 2*time.Second)
	}
	flag("--profile-rate", request.ProfileRate, 0, strconv.Itoa(request.ProfileRate))
	flag("--no-trace", request.NoTrace, false, "")
	for _, path := range request.Copy {
		words = append(words, "--copy", path)
	}
	if len(request.Copy) > 0 && request.CopyFrom != "" && request.CopyFrom != dir {
		return "", "", false
	}
	flag("--ready", request.Ready, "", request.Ready)
	span("--ready-timeout", request.ReadyTimeout, 15*time.Second)
	needWords, said := needFlags(request.Needs, dir)
	if !said {
		return "", "", false
	}
	words = append(words, needWords...)
	span("--grace", request.Grace, 5*time.Second)
	flag("--toolchain", v.Toolchain, "", v.Toolchain)
	for _, f := range v.BuildFlags {
		words = append(words, "--flags", f)
	}
	flag("--no-inject", v.NoInject, false, "")
	flag("--after-start", len(v.AfterStart), 0, subject.JoinCommand(v.AfterStart))
	span("--after-start-timeout", request.AfterStartLimit, subject.DefaultAfterStartLimit)
	flag("--work-dir", request.Dir, "", request.Dir)
	flag("--keep-env", request.KeepEnv, false, "")
	if request.Metrics.Off {
		words = append(words, "--metrics", "none")
	} else {
		flag("--metrics", request.Metrics.Page, "", request.Metrics.Page)
	}
	p.Connections, p.Depth, p.Timeout = 0, 0, 0
	if !reflect.ValueOf(p).IsZero() || len(v.Prepare) > 0 || request.NoIsolate {
		return "", "", false
	}
	if len(request.Args) > 0 {
		words = append(append(words, "--"), request.Args...)
	}
	return subject.JoinCommand(words), dir, true
}

// needFlags are the flags that say what is started before, in the directory dir; false if some of it takes a file.
func needFlags(all []needs.Need, dir string) (words []string, ok bool) {
	for _, n := range all {
		if len(n.Env) > 0 || n.Dir != "" && n.Dir != dir || n.ReadyTimeout != 0 {
			return nil, false
		}
		words = append(words, "--need", n.Name+"="+subject.JoinCommand(n.Command))
		if n.Ready != "" {
			words = append(words, "--need-ready", n.Name+"="+n.Ready)
		}
		if n.Each {
			words = append(words, "--need-each", n.Name)
		}
	}
	return words, true
}

// protocolFlags are the flags that say how a target is spoken to; false if some of it takes a file.
func protocolFlags(o protocol.Options) (words []string, ok bool) {
	say := func(name, value string) {
		if value != "" {
			words = append(words, name, value)
		}
	}
	count := func(name string, n int) {
		if n != 0 {
			say(name, strconv.Itoa(n))
		}
	}
	is := func(name string, on bool) {
		if on {
			words = append(words, name)
		}
	}
	span := func(name string, d time.Duration) {
		if d != 0 {
			say(name, d.String())
		}
	}
	if len(o.Body) > 0 || o.Feed != nil || len(o.Requests) > 0 || len(o.Steps) > 0 {
		return nil, false
	}
	weights := []string{strconv.Itoa(max(1, o.Weight))}
	for _, w := range o.Mix {
		words, weights = append(words, "--also", w.URL), append(weights, strconv.Itoa(w.Weight))
	}
	if len(o.Mix) > 0 {
		say("--weight", strings.Join(weights, ","))
	}
	say("--method", o.Method)
	for _, h := range o.Headers {
		say("-H", h)
	}
	is("--http2", o.HTTP2)
	is("--http3", o.HTTP3)
	is("--insecure", o.TLS.Insecure)
	is("--no-resumption", o.TLS.NoResumption)
	say("--server-name", o.TLS.ServerName)
	say("--ca", o.TLS.CAs)
	count("--payload", o.PayloadBytes)
	say("--expect-status", strings.Join(o.Expect.Status, ","))
	if n := o.Expect.Length; n != nil {
		words = append(words, "--expect-length", strconv.FormatInt(*n, 10))
	}
	say("--expect-body", o.Expect.Body)
	say("--expect-json", o.Expect.JSON)
	is("--stream", o.Streams.All)
	count("--messages", o.Streams.Messages)
	span("--stream-for", o.Streams.For)
	say("--subprotocol", o.Messages.Subprotocol)
	is("--ws-binary", o.Messages.Binary)
	is("--raw", o.Raw)
	say("--ws-id", o.Messages.ID)
	say("--ws-age", o.Messages.Age)
	for _, file := range o.Calls.Protos {
		say("--proto", file)
	}
	for _, dir := range o.Calls.ProtoPaths {
		say("--proto-path", dir)
	}
	say("--protoset", o.Calls.ProtoSet)
	is("--each-message", o.Calls.EachMessage)
	span("--deadline", o.Calls.Deadline)
	f := o.Frame
	count("--frame-offset", f.Offset)
	count("--frame-width", f.Width)
	is("--frame-little", f.Little)
	say("--frame-counts", f.Counts)
	count("--frame-header", f.HeaderBytes)
	count("--id-offset", f.IDOffset)
	count("--id-width", f.IDWidth)
	count("--expect-at", f.ExpectAt)
	say("--expect-hex", hex.EncodeToString(f.ExpectBytes))
	count("--expect-length", f.ExpectLength)
	return slices.Clip(words), true
}
