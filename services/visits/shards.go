package visits

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// shards is names for many goroutines at once: a visit of a known name takes a lock that
// any number of readers share, of one shard in shardCount, and adds to a count of its own.
type shards struct {
	seed   maphash.Seed
	max    int64
	known  atomic.Int64
	others atomic.Int64
	shard  [shardCount]shard
}

// shardCount is a power of two, above the number of CPUs of most machines, so that two
// visits of different names seldom meet.
const shardCount = 64

// shard fills two cache lines of 64 bytes, which processors fetch together, so that locks
// of neighbours do not share one.
type shard struct {
	mu     sync.RWMutex
	counts map[string]*atomic.Int64
	_      [128 - 32]byte
}

func newShards(max int) *shards {
	s := &shards{seed: maphash.MakeSeed(), max: int64(max)}
	for i := range s.shard {
		s.shard[i].counts = map[string]*atomic.Int64{}
	}
	return s
}

// visit counts a visit of name and returns its number. It does not keep name.
func (s *shards) visit(name []byte) int64 {
	in := &s.shard[maphash.Bytes(s.seed, name)%shardCount]
	count := in.find(name)
	if count == nil {
		count = s.add(in, name)
	}
	return count.Add(1)
}

func (s *shard) find(name []byte) *atomic.Int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.counts[string(name)] // no copy: the compiler knows that a lookup keeps nothing
}

// add returns the count of a name that was unknown a moment ago. There are never more
// names than s.max: each takes its place before it is stored.
func (s *shards) add(in *shard, name []byte) *atomic.Int64 {
	if s.known.Load() >= s.max {
		// No name is added any more, so that a flood of new ones takes no lock that holds up
		// the known ones. This one may have been, since visit looked: another visit took the last
		// place had the lock until it was stored.
		if count := in.find(name); count != nil {
			return count
		}
		return &s.others
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if count := in.counts[string(name)]; count != nil {
		return count
	}
	if s.known.Add(1) > s.max {
		s.known.Add(-1)
		return &s.others
	}
	count := new(atomic.Int64)
	in.counts[string(name)] = count
	return count
}
