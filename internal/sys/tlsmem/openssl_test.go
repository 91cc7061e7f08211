package tlsmem_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/sys/tlsmem"
	"github.com/gohone/hone/internal/testkit/nettest"
)

// openSSL starts OpenSSL's own server and returns its address, and its commands: K has it take new keys and ask for
// new ones (KeyUpdate, RFC 8446 section 4.6.3), any other line is sent to the client.
func openSSL(t *testing.T) (address string, commands io.Writer, says *bufio.Reader) {
	t.Helper()
	program, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("no openssl")
	}
	cert := nettest.Certificate(t)
	der, err := x509.MarshalECPrivateKey(cert.PrivateKey.(*ecdsa.PrivateKey))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "both.pem")
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Certificate[0]}),
		pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})...)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "s_server", "-accept", "127.0.0.1:0", "-cert", file, "-key", file,
		"-tls1_3")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // says that it was killed
	})
	if err := out.(*os.File).SetReadDeadline(time.Now().Add(patient)); err != nil {
		t.Fatal(err)
	}
	says = bufio.NewReader(out)
	for {
		line, err := says.ReadString('\n')
		if err != nil {
			t.Fatalf("openssl s_server: %v", err)
		}
		if rest, ok := strings.CutPrefix(line, "ACCEPT "); ok {
			return strings.TrimSpace(rest), in, says
		}
	}
}

// A server that changes its keys and asks for new ones gets them, before what is sent next.
func TestKeysChange(t *testing.T) {
	address, commands, says := openSSL(t)
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patient))
	client, err := tlsmem.Client(context.Background(), c, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	socket, o := client.Detach(), &opener{client: client}
	buf := make([]byte, 64<<10)
	for round := range 3 { // each time with the keys of the one before
		want := fmt.Sprintf("line %d\n", round)
		until := func(done func() bool) {
			for !done() {
				n, err := socket.Read(buf)
				if err != nil {
					t.Fatal(err)
				}
				if err := o.open(t, buf[:n]); err != nil {
					t.Fatal(err)
				}
			}
		}
		fmt.Fprintln(commands, "K")
		until(client.Pending) // it takes one command at a time
		fmt.Fprint(commands, want)
		until(func() bool { return bytes.Contains(o.plain, []byte(want)) })
		answer := fmt.Sprintf("answer %d\n", round)
		sealed, err := client.Seal(nil, []byte(answer), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := socket.Write(sealed); err != nil {
			t.Fatal(err)
		}
		for line := ""; !strings.HasSuffix(line, answer); {
			if line, err = says.ReadString('\n'); err != nil {
				t.Fatalf("the server did not read %q: %v", answer, err)
			}
		}
	}
}
