package deploy

import (
	"bufio"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"
)

// brokerOptions reads a configuration as one of the brokers in deploy/ does.
func brokerOptions(t *testing.T, name string) *server.Options {
	t.Helper()
	o, err := server.ProcessConfigFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if o.Authorization != "secret-token" || o.MaxPayload != 8*1000*1000 && o.MaxPayload != 8<<20 {
		t.Errorf("%s: token %q, %d bytes", name, o.Authorization, o.MaxPayload)
	}
	if o.HTTPPort != 0 || o.HTTPSPort != 0 || o.ProfPort != 0 || o.JetStream {
		t.Errorf("%s: a broker has a monitoring port, or a disk: %d, %d, %d, %v", name, o.HTTPPort, o.HTTPSPort,
			o.ProfPort, o.JetStream)
	}
	return o
}

// brokerEnvironment is that of a broker in Kubernetes, which expands $(NAME).
func brokerEnvironment(t *testing.T) {
	t.Helper()
	_, doc, _ := strings.Cut(string(read(t, "kubernetes/nats.yaml")), "\n---\n")
	var set appsv1.StatefulSet
	if err := yaml.UnmarshalStrict([]byte(doc), &set); err != nil {
		t.Fatal(err)
	}
	for _, e := range set.Spec.Template.Spec.Containers[0].Env {
		switch {
		case e.ValueFrom == nil:
			t.Setenv(e.Name, strings.ReplaceAll(e.Value, "$(TOKEN)", "secret-token"))
		case e.ValueFrom.SecretKeyRef != nil:
			t.Setenv(e.Name, "secret-token")
		default:
			t.Setenv(e.Name, "hone-nats-0")
		}
	}
}

// The configurations are such that NATS reads them, with the token of the secret, and with it in each route.
func TestNATS(t *testing.T) {
	brokerEnvironment(t)
	brokerOptions(t, "compose.nats.conf")
	o := brokerOptions(t, "kubernetes/nats.conf")
	if o.ServerName != "hone-nats-0" || len(o.Routes) != 3 {
		t.Errorf("name %q, %d routes", o.ServerName, len(o.Routes))
	}
	for _, r := range o.Routes {
		if password, _ := r.User.Password(); r.User.Username() != "hone" || password != "secret-token" ||
			r.Port() != "6222" {
			t.Errorf("a route without the token: %v", r)
		}
	}
}

// Two brokers of the cluster find each other. One without the token is turned away at the port of the routes.
func TestRoutesNeedTheToken(t *testing.T) {
	brokerEnvironment(t)
	start := func(name string, routes ...*url.URL) *server.Server {
		o := brokerOptions(t, "kubernetes/nats.conf")
		o.ServerName, o.Host, o.Port, o.Cluster.Host, o.Cluster.Port = name, "127.0.0.1", server.RANDOM_PORT,
			"127.0.0.1", server.RANDOM_PORT
		o.Routes, o.NoLog, o.NoSigs = routes, true, true
		s, err := server.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		go s.Start() // ends with Shutdown
		t.Cleanup(s.Shutdown)
		if !s.ReadyForConnections(10 * time.Second) {
			t.Fatal("a broker does not come up")
		}
		return s
	}
	one := start("one")
	route := *brokerOptions(t, "kubernetes/nats.conf").Routes[0]
	route.Host = one.ClusterAddr().String()
	start("two", &route)
	for end := time.Now().Add(10 * time.Second); one.NumRoutes() == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("two brokers of the cluster do not find each other")
		}
	}
	c, err := net.DialTimeout("tcp", one.ClusterAddr().String(), 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprint(c, "CONNECT {\"verbose\":false,\"cluster\":\"hone\",\"name\":\"stranger\"}\r\nPING\r\n")
	for in := bufio.NewScanner(c); ; {
		if !in.Scan() {
			if in.Err() != nil {
				t.Fatal(in.Err())
			}
			return // closed: turned away
		}
		if strings.Contains(in.Text(), "Authorization Violation") {
			return
		}
		if strings.HasPrefix(in.Text(), "PONG") {
			t.Fatal("a broker without the token is a route of the cluster")
		}
	}
}
