package lsp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	// mostMessage bounds a message in bytes: editors send the text of each file that they open. mostHeader bounds its
	// header; editors send 60 bytes.
	mostMessage = 16 << 20
	mostHeader  = 4 << 10
)

// errTooLong is of a message of more than mostMessage bytes. It was read and thrown away, so that the next one can be
// read.
var errTooLong = fmt.Errorf("the message has more than %d MB", mostMessage>>20)

// readFrame reads the content of one message (LSP 3.17, "Base Protocol"). io.EOF is the end between two messages. After
// any error but errTooLong it is not known where the next message begins.
func readFrame(r *bufio.Reader) ([]byte, error) {
	length, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	if length > mostMessage {
		if _, err := io.CopyN(io.Discard, r, length); err != nil {
			return nil, cut(err)
		}
		return nil, errTooLong
	}
	// The memory grows with what comes, and not with what the header promises.
	content, err := io.ReadAll(io.LimitReader(r, length))
	if err == nil && int64(len(content)) < length {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, cut(err)
	}
	return content, nil
}

// readHeader reads the fields of a header, and returns the length of the content in bytes.
func readHeader(r *bufio.Reader) (length int64, err error) {
	length = -1
	for room := mostHeader; ; {
		line, err := readLine(r, room)
		if errors.Is(err, io.EOF) && line == "" && room == mostHeader {
			return 0, io.EOF
		}
		if err != nil {
			return 0, cut(err)
		}
		room -= len(line)
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return 0, fmt.Errorf("the header has the line %.40q without a colon", line)
		}
		if strings.EqualFold(name, "Content-Length") {
			n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 62)
			if err != nil || length >= 0 {
				return 0, fmt.Errorf("the header has the length %.40q: it is not a number, or not the only length",
					value)
			}
			length = int64(n)
		}
	}
	if length < 0 {
		return 0, errors.New("the header has no Content-Length")
	}
	return length, nil
}

// readLine reads a line with its end, of at most room bytes.
func readLine(r *bufio.Reader, room int) (string, error) {
	var line []byte
	for len(line) < room {
		b, err := r.ReadByte()
		if err != nil {
			return string(line), err
		}
		if line = append(line, b); b == '\n' {
			return string(line), nil
		}
	}
	return "", fmt.Errorf("the header has more than %d bytes", mostHeader)
}

func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the message is cut off")
	}
	return err
}

// writeFrame writes one message.
func writeFrame(w io.Writer, content []byte) error {
	_, err := w.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(content)), content...))
	return err
}
