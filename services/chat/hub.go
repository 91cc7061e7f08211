package chat

import (
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"
)

// hub knows who is logged in and who is in which room. Logins and joins lock one shard
// of it, chosen by the name; messages lock nothing.
type hub struct {
	seed    maphash.Seed
	maxRoom int
	shards  [hubShards]shard
}

// hubShards is how many logins and joins may go on at once: far more than processors.
const hubShards = 64

type shard struct {
	mu    sync.Mutex
	users map[string]struct{}
	rooms map[string]*room
}

// room is one room. It is in the hub as long as it has members.
type room struct {
	name string
	// list is replaced under the shard's lock and never changed below its length, so
	// that a broadcast may walk it for as long as it takes.
	list atomic.Pointer[[]*peer]
}

// members returns who is in the room now. The caller must not change it.
func (r *room) members() []*peer { return *r.list.Load() }

func newHub(maxRoom int) *hub {
	h := &hub{seed: maphash.MakeSeed(), maxRoom: maxRoom}
	for i := range h.shards {
		h.shards[i] = shard{users: make(map[string]struct{}), rooms: make(map[string]*room)}
	}
	return h
}

func (h *hub) shard(name string) *shard {
	return &h.shards[maphash.String(h.seed, name)%hubShards]
}

// login takes name, or says that it is taken.
func (h *hub) login(name string) bool {
	s := h.shard(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.users[name]; taken {
		return false
	}
	s.users[name] = struct{}{}
	return true
}

// logout gives name back.
func (h *hub) logout(name string) {
	s := h.shard(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.users, name)
}

// enter adds p to the room called name, which it makes if there is none; nil if it
// is full.
func (h *hub) enter(p *peer, name string) *room {
	s := h.shard(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rooms[name]
	if r == nil {
		r = &room{name: name}
		r.list.Store(new([]*peer))
		s.rooms[name] = r
	}
	list := r.members()
	if len(list) >= h.maxRoom {
		return nil
	}
	// Appending may write behind the lists that broadcasts walk, never into them: only
	// the last list is appended to, and leave makes its list afresh.
	list = append(list, p)
	r.list.Store(&list)
	return r
}

// leave takes p out of r.
func (h *hub) leave(p *peer, r *room) {
	s := h.shard(r.name)
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.DeleteFunc(slices.Clone(r.members()), func(m *peer) bool { return m == p })
	r.list.Store(&list)
	if len(list) == 0 {
		delete(s.rooms, r.name)
	}
}
