package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"reflect"
	"strconv"
	"sync"
)

type cluster struct {
	mu     sync.RWMutex
	wanted map[string][]resource
	actual map[string]map[string]resource
}

type change struct {
	Verb     string `json:"verb"`
	Name     string `json:"name"`
	Replicas int    `json:"replicas"`
	Revision string `json:"revision"`
}

func same(a, b resource) bool {
	return reflect.DeepEqual(a, b)
}

// revision names the state that a resource should have.
func revision(r resource) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%d", r.Name, r.Replicas)
	for _, c := range r.Containers {
		io.WriteString(h, c.Image)
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

func (c *cluster) plan(space string) ([]change, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	list, ok := c.wanted[space]
	if !ok {
		return nil, false
	}
	plan := []change{}
	for _, want := range list {
		have, exists := c.actual[space][want.Name]
		switch {
		case !exists:
			plan = append(plan, change{"create", want.Name, want.Replicas, revision(want)})
		case !same(have, want):
			plan = append(plan, change{"update", want.Name, want.Replicas, revision(want)})
		}
	}
	return plan, true
}
