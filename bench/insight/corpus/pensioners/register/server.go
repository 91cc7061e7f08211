package register

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"time"
)

// Serve starts a register with invented people and tells its address. The files of those born abroad lie in another house.
func Serve() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go answer(c)
		}
	}()
	return l.Addr().String(), nil
}

func answer(c net.Conn) {
	defer c.Close()
	in := bufio.NewScanner(c)
	for in.Scan() {
		_, number, _ := strings.Cut(in.Text(), "\t")
		if strings.HasPrefix(number, "X") {
			time.Sleep(55 * time.Millisecond)
		}
		if number == "" {
			fmt.Fprintln(c)
			continue
		}
		fmt.Fprintf(c, "Person %s\t%d\t%d\n", number, 90000+len(number)*700, 1990+len(number))
	}
}
