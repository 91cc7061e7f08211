package main

import (
	"errors"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/gohone/hone/cmd/hone-agent/internal/fleet"
	"github.com/gohone/hone/cmd/hone-agent/internal/natslink"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

// linkFlags say where the broker is that coordinators and agents meet at.
type linkFlags spec.Link

func (f *linkFlags) add(fl *pflag.FlagSet) {
	fl.StringVar(&f.URL, "nats", "",
		"`URL` of the broker where coordinator and agents meet (default: one of hone's own on this machine)")
	fl.StringVar(&f.Creds, "creds", "", "`FILE` with the credentials of a user of that broker")
	fl.StringVar(&f.Token, "token-file", "",
		"`FILE` with the token of that broker (default: the user's, see hone agent key)")
	fl.StringVar(&f.CA, "nats-ca", "", "`FILE` of certificates to trust instead of the system's, for a broker with TLS")
}

// addListen adds where a broker of hone's own listens.
func (f *linkFlags) addListen(fl *pflag.FlagSet) {
	fl.StringVar(&f.Listen, "broker", natslink.DefaultListen,
		"`HOST:PORT` of hone's own broker; agents on other machines need an address that they reach")
}

// options are those of a connection to the broker.
func (f *linkFlags) options(keys fleet.Keys, name string) (natslink.Options, error) {
	o := natslink.Options{URL: f.URL, Creds: f.Creds, CA: f.CA, Name: name}
	if f.Token != "" && f.Creds != "" {
		return o, fail.New(fail.BadInput, "a broker takes --creds or --token-file, not both").WithHint("leave one out")
	}
	if f.Creds != "" {
		return o, nil
	}
	o.Token = keys.Token
	var err error
	if f.Token != "" {
		o.Token, err = fleet.ReadToken(f.Token)
	}
	return o, err
}

// coordinate connects a coordinator: to the broker that is named, or to hone's own, which is started in this process
// unless one runs already. stop ends both.
func (f *linkFlags) coordinate(keys fleet.Keys) (link *natslink.Link, stop func(), err error) {
	o, err := f.options(keys, "hone coordinator")
	if err != nil {
		return nil, nil, err
	}
	stop = func() {}
	if o.URL == "" {
		o.URL = "nats://" + f.Listen
		broker, err := natslink.Serve(f.Listen, o.Token)
		switch {
		case err == nil:
			o.URL, stop = broker.URL(), broker.Close
		case !errors.Is(err, syscall.EADDRINUSE):
			return nil, nil, err
		}
	}
	link, err = natslink.Connect(o)
	if err != nil {
		stop()
		return nil, nil, err
	}
	broker := stop
	return link, func() { link.Close(); broker() }, nil
}
