package main

import (
	"math"
	"sync"
)

type visit struct {
	room  string
	since int64
}

type shard struct {
	mu    sync.RWMutex
	users map[string]visit
	_     [32]byte // keeps two shards' locks off one cache line
}

// presence spreads the users over shards, so that entering and leaving seldom meet.
type presence struct{ shards []*shard }

func newPresence(n int) *presence {
	p := &presence{shards: make([]*shard, n)}
	for i := range p.shards {
		p.shards[i] = &shard{users: map[string]visit{}}
	}
	return p
}

func (p *presence) of(user string) *shard {
	h := uint32(2166136261)
	for i := range len(user) {
		h = (h ^ uint32(user[i])) * 16777619
	}
	return p.shards[h%uint32(len(p.shards))]
}

func (p *presence) enter(user, room string, now int64) {
	sh := p.of(user)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.users[user] = visit{room, now}
}

func (p *presence) leave(user string) {
	sh := p.of(user)
	sh.mu.Lock()
	delete(sh.users, user)
	sh.mu.Unlock()
}

type census struct {
	Room   string `json:"room"`
	Here   int    `json:"here"`
	All    int    `json:"all"`
	Oldest int64  `json:"oldest"`
}

func (p *presence) count(room string) census {
	c := census{Room: room, Oldest: math.MaxInt64}
	for _, sh := range p.shards {
		sh.mu.RLock()
		defer sh.mu.RUnlock()
		c.All += len(sh.users)
		for _, v := range sh.users {
			if v.room == room {
				c.Here++
				c.Oldest = min(c.Oldest, v.since)
			}
		}
	}
	return c
}
