package main

import (
	"fmt"
	"strconv"
)

type port struct {
	Name   string
	Number int
}

type container struct {
	Image string
	Args  []string
	Env   map[string]string
	Ports []port
}

type resource struct {
	Name       string
	Labels     map[string]string
	Replicas   int
	Containers []container
}

func (c *cluster) seed(space string, n int) {
	c.actual[space] = map[string]resource{}
	for i := range n {
		make1 := func() resource {
			return resource{
				Name: fmt.Sprintf("%s-%02d", space, i), Replicas: i%4 + 1,
				Labels: map[string]string{"app": space, "tier": strconv.Itoa(i % 3), "team": "core"},
				Containers: []container{{
					Image: "registry/app:1." + strconv.Itoa(i), Args: []string{"-v", "-port", "8080"},
					Env: map[string]string{"MODE": "prod", "REGION": "eu"}, Ports: []port{{"http", 8080}, {"admin", 9090}},
				}},
			}
		}
		c.wanted[space] = append(c.wanted[space], make1())
		have := make1()
		switch i % 10 {
		case 3:
			have.Replicas++
		case 7:
			continue
		}
		c.actual[space][have.Name] = have
	}
}
