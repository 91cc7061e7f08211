package natslink

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
)

// Options say how to reach a broker.
type Options struct {
	// URL is the broker's, or several with commas between. Creds is a file with a user's credentials, Token the token
	// of a broker that wants one. CA is a file of certificates to trust instead of the system's.
	URL, Creds, Token, CA string
	// Name is how the broker's operator sees this client.
	Name string
	// Patient goes on trying until the broker is there.
	Patient bool
}

// Link is a connection to a broker. It comes back by itself after the broker was away; what was sent meanwhile is lost
// or late, which a cluster expects.
type Link struct{ conn *nats.Conn }

// Connect connects to a broker.
func Connect(o Options) (*Link, error) {
	options := []nats.Option{
		nats.Name(o.Name), nats.Timeout(2 * time.Second), nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond), nats.PingInterval(time.Second),
		nats.MaxPingsOutstanding(3),
		nats.ReconnectBufSize(1 << 20), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
		nats.RetryOnFailedConnect(o.Patient),
	}
	if o.Token != "" {
		options = append(options, nats.Token(o.Token))
	}
	if o.Creds != "" {
		options = append(options, nats.UserCredentials(o.Creds))
	}
	if o.CA != "" {
		options = append(options, nats.RootCAs(o.CA))
	}
	c, err := nats.Connect(o.URL, options...)
	at := redact.Text(o.URL)
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return nil, fail.New(fail.BadInput, "the broker at %s refuses us: %w", at,
			err).WithHint("name its token or credentials: --token-file FILE, --creds FILE")
	case errors.Is(err, nats.ErrNoServers):
		return nil, fail.New(fail.Environment, "no broker answers at %s", at).WithHint("start one: hone agent broker")
	case err != nil:
		return nil, fail.New(fail.Environment, "connect to the broker at %s: %w", at,
			err).WithHint("check --nats, --creds and --token-file")
	}
	return &Link{c}, nil
}

// Close sends what waits to be sent, and ends the link.
func (l *Link) Close() {
	_ = l.conn.FlushTimeout(time.Second) // what does not leave is lost, as by any fault
	l.conn.Close()
}

// The subjects. An agent listens to who and to its own orders, a coordinator to its run.
const (
	prefix  = "hone.v1."
	whoIs   = prefix + "who"
	offset  = "Offset"
	agentID = "Agent"
)

func ordersOf(agent string) string { return prefix + "order." + agent }
func statesOf(run string) string   { return prefix + "run." + run + ".state" }
func chunksOf(run string) string   { return prefix + "run." + run + ".chunk" }

// askEvery is how often Who asks: agents may come while it waits, and answers may get lost.
const askEvery = 300 * time.Millisecond

// MaxAgents is how many agents Who takes note of; a plan for more than half of them is in docs/scale-out.md.
const MaxAgents = 2000

// Who asks which agents are there, and waits for their answers: until those are enough, or for a time. heard is when
// each came, in the same order. Where enough is nil it waits for the whole time.
func (l *Link) Who(
	ctx context.Context, wait time.Duration, enough func(there []cluster.Hello) bool,
) (there []cluster.Hello, heard []time.Time, err error) {
	inbox := l.conn.NewInbox()
	sub, err := l.conn.SubscribeSync(inbox)
	if err != nil {
		return nil, nil, linkError(err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	at := map[string]int{} // in there, by ID
	for end := time.Now().Add(wait); time.Now().Before(end) && ctx.Err() == nil; {
		if err := l.conn.PublishRequest(whoIs, inbox, nil); err != nil {
			return nil, nil, linkError(err)
		}
		turn, cancel := context.WithTimeout(ctx, min(askEvery, time.Until(end)))
		for {
			m, err := sub.NextMsgWithContext(turn)
			if err != nil {
				break // the time is over
			}
			h, err := cluster.ReadHello(m.Data)
			if err != nil {
				continue
			}
			i, known := at[h.ID]
			if !known && len(there) == MaxAgents {
				continue
			}
			if !known {
				i, there, heard = len(there), append(there, h), append(heard, time.Now())
				at[h.ID] = i
			}
			there[i], heard[i] = h, time.Now()
			if enough != nil && enough(there) {
				cancel()
				return there, heard, nil
			}
		}
		cancel()
	}
	return there, heard, ctx.Err()
}

// Answer answers Who until the link ends. hello is called from a goroutine of the link.
func (l *Link) Answer(hello func() cluster.Hello) error {
	_, err := l.conn.Subscribe(whoIs, func(m *nats.Msg) {
		if raw, err := json.Marshal(hello()); err == nil {
			_ = m.Respond(raw) // one that does not arrive is an agent that is not there
		}
	})
	return linkError(err)
}

// Orders takes the orders for an agent until the link ends: signed messages, as cluster.Open reads them.
func (l *Link) Orders(agent string, take func(message []byte)) error {
	_, err := l.conn.Subscribe(ordersOf(agent), func(m *nats.Msg) { take(m.Data) })
	return linkError(err)
}

// Order sends a signed order to an agent. An order that is too large for the broker is an error; that one gets lost is
// not.
func (l *Link) Order(agent string, message []byte) error {
	err := l.conn.Publish(ordersOf(agent), message)
	if errors.Is(err, nats.ErrMaxPayload) {
		return fail.New(fail.BadInput, "the job takes %d bytes, and the broker lets %d through", len(message),
			l.conn.MaxPayload()).
			WithHint("use a shorter feed or body, or raise max_payload of the broker")
	}
	return nil
}

// Report takes what the agents of a run say until stop is called, or the link ends.
func (l *Link) Report(run string, state func(cluster.State), chunk func(cluster.Chunk)) (stop func(), err error) {
	states, err := l.conn.Subscribe(statesOf(run), func(m *nats.Msg) {
		if s, err := cluster.ReadState(m.Data); err == nil && s.Run == run {
			state(s)
		}
	})
	if err != nil {
		return nil, linkError(err)
	}
	chunks, err := l.conn.Subscribe(chunksOf(run), func(m *nats.Msg) {
		if k, err := cluster.ReadChunk(run, m.Header.Get(agentID), m.Header.Get(offset), m.Data); err == nil {
			chunk(k)
		}
	})
	stop = func() { // of a link that has ended nothing is left
		_ = states.Unsubscribe()
		if chunks != nil {
			_ = chunks.Unsubscribe()
		}
	}
	if err != nil {
		stop()
	}
	return stop, linkError(err)
}

// Send sends a State or a Chunk of an agent. One that gets lost is not an error.
func (l *Link) Send(message any) error {
	switch m := message.(type) {
	case cluster.State:
		raw, err := json.Marshal(m)
		if err != nil {
			return fmt.Errorf("encode state: %w", err)
		}
		return linkError(l.conn.Publish(statesOf(m.Run), raw))
	case cluster.Chunk:
		header := nats.Header{offset: {strconv.FormatInt(m.Offset, 10)}, agentID: {m.Agent}}
		return linkError(l.conn.PublishMsg(&nats.Msg{Subject: chunksOf(m.Run), Header: header, Data: m.Data}))
	}
	return fmt.Errorf("no message of a cluster: %T", message)
}

func linkError(err error) error {
	if err == nil {
		return nil
	}
	return fail.New(fail.Environment, "speak with the broker: %w", err)
}
