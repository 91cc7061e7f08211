package main

import (
	"context"
	"net"
	"os"
	"syscall"
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
func TestServesUntilSignalled(t *testing.T) {
	for _, stage := range rpc.Stages {
		for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
			t.Run(stage.Name+", "+signal.String(), func(t *testing.T) {
				serveUntil(t, stage.Name, signal)
			})
		}
	}
}

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
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	programtest.Fails(t, map[string]programtest.Failure{
		"unknown stage":      {Args: []string{"-stage", "fast"}, Code: program.Usage, Want: `unknown stage \"fast\" (known: naive, `},
		"unknown flag":       {Args: []string{"-port", "1"}, Code: program.Usage, Want: "flag provided but not defined: -port"},
		"argument":           {Args: []string{"pipelined"}, Code: program.Usage, Want: `unexpected argument \"pipelined\"`},
		"negative limit":     {Args: []string{"-max-conns", "-1"}, Code: program.Usage, Want: "max conns is -1"},
		"limit too small":    {Args: []string{"-max-body", "5"}, Code: program.Usage, Want: "max body is 5"},
		"address of no form": {Args: []string{"-addr", "nonsense"}, Code: program.Failed, Want: "missing port in address"},
		"port taken":         {Args: []string{"-addr", taken.Addr().String()}, Code: program.Failed, Want: "listen tcp " + taken.Addr().String()},
		"timeout of no form": {Args: []string{"-idle-timeout", "soon"}, Code: program.Usage, Want: "idle-timeout"},
	})
}

func TestHelpNamesTheStages(t *testing.T) { programtest.HelpNames(t, ladder.Names(rpc.Stages)) }

func TestImportsNothingOfHone(t *testing.T) {
	programtest.ImportsNothingOfHone(t, "rpc")
	programtest.ImportsNoneOf(t, "../...", "net/http")
}
