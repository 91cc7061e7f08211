package main

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/internal/programtest"
	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

func TestMain(m *testing.M) { os.Exit(programtest.Main(m, main)) }

// The program says where it listens, serves, and ends in order on either signal, with
// exit code 0 and not another word.
func TestServesUntilSignalled(t *testing.T) { programtest.UntilSignalled(t, rpc.Stages, serveUntil) }

func serveUntil(t *testing.T, stage string, signal os.Signal) {
	server := programtest.Start(t, programtest.Command(t, "-stage", stage, "-addr", "127.0.0.1:0"), stage)
	client, err := rpc.NewClient(rpc.ClientConfig{Addr: server.Addr, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var reply helloworld.HelloReply
	err = client.Call(context.Background(), helloworld.Path, &helloworld.HelloRequest{Msg: "hello"}, &reply)
	if err != nil || reply.Msg != "world" {
		t.Errorf("call: %q, %v", reply.Msg, err)
	}
	client.Close()
	server.End(t, signal)
}

func TestFailuresAreSaidOnOneLine(t *testing.T) {
	programtest.Fails(t, ladder.Names(rpc.Stages), programtest.Limits(), map[string]programtest.Failure{
		"limit too small": {Args: []string{"-max-body", "5"}, Code: program.Usage, Want: "max body is 5"},
	})
}

func TestHelpNamesTheStages(t *testing.T) { programtest.HelpNames(t, ladder.Names(rpc.Stages)) }

func TestImportsNothingOfHone(t *testing.T) {
	programtest.ImportsNothingOfHone(t, "rpc")
	programtest.ImportsNoneOf(t, "../...", "net/http")
}
