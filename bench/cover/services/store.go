package services

import (
	"bufio"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// store keeps keys and lists, and speaks the protocol of Redis. Its log is what Redis shows with MONITOR.
var store = Service{
	Name: "store", serve: serveStore,
	Endpoints: []Endpoint{
		{Name: "get", Request: "GET user:{key}", Keys: 5000},
		{Name: "set", Request: "SET user:{key} value-{size}", Keys: 5000, Least: 1, Most: 100000},
		{Name: "range", Request: "LRANGE list:{key} 0 {size}", Keys: 200, Least: 10, Most: 200},
		{Name: "sort", Request: "SORT list:{key} ALPHA LIMIT 0 10", Keys: 200},
		{Name: "keys", Request: "KEYS user:{key}*", Keys: 500},
	},
}

type keys struct {
	mu    sync.RWMutex
	text  map[string]string
	lists map[string][]string
}

func serveStore(ln net.Listener, out io.Writer) error {
	k := &keys{text: map[string]string{}, lists: map[string][]string{}}
	for i := range 5000 {
		k.text[fmt.Sprintf("user:%d", i)] = text(i, 8, 500)
	}
	for i := range 200 {
		k.lists[fmt.Sprintf("list:%d", i)] = strings.Fields(text(i, 210, 2000))
	}
	monitor := log.New(out, "", 0)
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		go k.talk(c, monitor) // until the client closes the connection
	}
}

func (k *keys) talk(c net.Conn, monitor *log.Logger) {
	defer c.Close()
	in, out := bufio.NewReader(c), bufio.NewWriter(c)
	for {
		words, err := readCommand(in)
		if err != nil {
			return
		}
		monitor.Print(monitored(time.Now(), c.RemoteAddr(), words))
		k.do(out, words)
		if in.Buffered() == 0 && out.Flush() != nil {
			return
		}
	}
}

// monitored is a line of MONITOR: 1339518083.107412 [0 127.0.0.1:60866] "keys" "*".
func monitored(at time.Time, from net.Addr, words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return fmt.Sprintf("%d.%06d [0 %s] %s", at.Unix(), at.Nanosecond()/1000, from, strings.Join(quoted, " "))
}

// readCommand reads an array of bulk strings.
func readCommand(in *bufio.Reader) (words []string, err error) {
	n, err := readLength(in, '*')
	for range n {
		size, err := readLength(in, '$')
		if err != nil {
			return nil, err
		}
		word := make([]byte, size+2)
		if _, err := io.ReadFull(in, word); err != nil {
			return nil, err
		}
		words = append(words, string(word[:size]))
	}
	if err == nil && len(words) == 0 {
		err = errors.New("no command")
	}
	return words, err
}

func readLength(in *bufio.Reader, mark byte) (int, error) {
	line, err := in.ReadString('\n')
	if err != nil || len(line) < 3 || line[0] != mark {
		return 0, errors.Join(err, errors.New("no length"))
	}
	n, err := strconv.Atoi(strings.TrimSpace(line[1:]))
	return min(max(n, 0), 1<<16), err
}

func (k *keys) do(out *bufio.Writer, words []string) {
	command, key := strings.ToUpper(words[0]), words[min(1, len(words)-1)]
	switch {
	case command == "PING":
		out.WriteString("+PONG\r\n")
	case command == "GET":
		k.mu.RLock()
		defer k.mu.RUnlock()
		bulk(out, k.text[key])
	case command == "SET" && len(words) > 2:
		k.set(key, words[2])
		out.WriteString("+OK\r\n")
	case command == "LRANGE" && len(words) > 3:
		array(out, k.list(key)[:min(200, atoi(words[3]))])
	case command == "SORT":
		array(out, k.sort(key)[:10])
	case command == "KEYS":
		array(out, k.matching(strings.TrimSuffix(key, "*")))
	default:
		out.WriteString("-ERR unknown command\r\n")
	}
}

// set keeps a value with its hash, as a store with replicas does.
func (k *keys) set(key, value string) {
	h := fnv.New32a()
	for range 50 {
		_, _ = h.Write([]byte(value)) // a hash takes all
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.text[key] = fmt.Sprintf("%s#%08x", value, h.Sum32())
}

func (k *keys) list(key string) []string {
	if found, ok := k.lists[key]; ok {
		return found
	}
	return k.lists["list:0"]
}

func (k *keys) sort(key string) []string {
	all := slices.Clone(k.list(key))
	slices.Sort(all)
	return all
}

func (k *keys) matching(prefix string) (found []string) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	for key := range k.text {
		if strings.HasPrefix(key, prefix) && len(found) < 20 {
			found = append(found, key)
		}
	}
	return found
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return max(n, 0)
}

func bulk(out *bufio.Writer, s string) { fmt.Fprintf(out, "$%d\r\n%s\r\n", len(s), s) }

func array(out *bufio.Writer, all []string) {
	fmt.Fprintf(out, "*%d\r\n", len(all))
	for _, s := range all {
		bulk(out, s)
	}
}
