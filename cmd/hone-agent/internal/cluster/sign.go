package cluster

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/nats-io/nkeys"

	"github.com/gohone/hone/internal/text/fail"
)

// Signed is an order with the signature of a coordinator (Ed25519, by an nkey of a user).
type Signed struct {
	Order     json.RawMessage `json:"order"`
	Key       string          `json:"key"`
	Signature []byte          `json:"signature"`
}

// Signer signs the orders of one coordinator.
type Signer struct{ pair nkeys.KeyPair }

// NewSigner reads a seed as nkeys write it ("SU...").
func NewSigner(seed []byte) (*Signer, error) {
	pair, err := nkeys.FromSeed(seed)
	if err != nil {
		return nil, fail.New(fail.BadInput, "the seed is not an nkey: %w", err)
	}
	if key, err := pair.PublicKey(); err != nil || !nkeys.IsValidPublicUserKey(key) {
		return nil, fail.New(fail.BadInput, "the seed is not an nkey of a user: it begins with SU")
	}
	return &Signer{pair}, nil
}

// NewSeed makes a new seed.
func NewSeed() ([]byte, error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	return pair.Seed()
}

// Key is the public key, by which agents know the coordinator.
func (s *Signer) Key() string {
	key, _ := s.pair.PublicKey() // NewSigner has looked at it
	return key
}

// Sign signs an order.
func (s *Signer) Sign(o Order) ([]byte, error) {
	raw, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("encode order: %w", err)
	}
	signature, err := s.pair.Sign(raw)
	if err != nil {
		return nil, fmt.Errorf("sign order: %w", err)
	}
	return json.Marshal(Signed{Order: raw, Key: s.Key(), Signature: signature})
}

// Open reads an order that one of the trusted keys has signed.
func Open(message []byte, trusted []string) (Order, error) {
	var s Signed
	if err := decode(message, &s); err != nil {
		return Order{}, fmt.Errorf("read order: %w", err)
	}
	if !slices.Contains(trusted, s.Key) {
		return Order{}, fail.New(fail.BadInput,
			"the order is signed with the key %.60q, which this agent does not trust", s.Key).
			WithHint("if the coordinator is yours: hone agent --trust KEY")
	}
	key, err := nkeys.FromPublicKey(s.Key)
	if err != nil {
		return Order{}, fmt.Errorf("read key: %w", err)
	}
	if err := key.Verify(s.Order, s.Signature); err != nil {
		return Order{}, fail.New(fail.BadInput, "the signature of the order does not fit")
	}
	var o Order
	if err := json.Unmarshal(s.Order, &o); err != nil {
		return Order{}, fmt.Errorf("read order: %w", err)
	}
	return o, o.check()
}
