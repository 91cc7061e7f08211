// The floor: the framed protocol on one level-triggered epoll loop in C, one read and one
// write an event. A client that does not read is not read from until it does, so that no
// connection holds more than a frame and the answers to one read.
//
//	gcc -O2 -Wall -o epollc server.c && ./epollc -addr 127.0.0.1:8888
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	MIN_FRAME = 13,         // length, command, id
	MAX_FRAME = 64 << 10,
	ANSWER = 14,
	READ = 64 << 10,        // at most, at a time
	EVENTS = 256,
};

struct conn {
	int fd;
	size_t part, unsent;    // bytes in the buffers below, which are NULL until needed
	unsigned char *frame;   // begun and not whole
	unsigned char *answers; // that the socket did not take
};

// One loop, so one buffer for all: a frame begun, and a read behind it.
static unsigned char input[MAX_FRAME + READ], output[sizeof input / MIN_FRAME * ANSWER];

static void fail(const char *what) { perror(what); exit(1); }

static void drop(struct conn *c) {
	close(c->fd);
	free(c->frame);
	free(c->answers);
	free(c);
}

static void watch(int ep, int how, struct conn *c, uint32_t events) {
	struct epoll_event e = {.events = events, .data.ptr = c};
	if (epoll_ctl(ep, how, c->fd, &e)) fail("epoll_ctl");
}

// keep copies n bytes into a buffer that is made when there is none.
static void keep(unsigned char **to, size_t size, const unsigned char *from, size_t n) {
	if (!*to && !(*to = malloc(size))) fail("malloc");
	memcpy(*to, from, n);
}

// flush sends what the socket did not take before.
static void flush(int ep, struct conn *c) {
	ssize_t n = send(c->fd, c->answers, c->unsent, MSG_NOSIGNAL);
	if (n < 0 && errno == EAGAIN) return;
	if (n < 0) { drop(c); return; }
	memmove(c->answers, c->answers + n, c->unsent -= n);
	if (!c->unsent) watch(ep, EPOLL_CTL_MOD, c, EPOLLIN);
}

// answer reads once and answers every whole frame with one write. A bad frame ends the
// connection after the answers to those before it.
static void answer(int ep, struct conn *c) {
	if (c->part) memcpy(input, c->frame, c->part);
	ssize_t got = recv(c->fd, input + c->part, READ, 0);
	if (got < 0 && errno == EAGAIN) return;
	if (got <= 0) { drop(c); return; }
	unsigned char *at = input, *end = input + c->part + got, *out = output;
	int bad = 0;
	while (end - at >= 4) {
		uint32_t length = (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
		if ((bad = length < MIN_FRAME || length > MAX_FRAME)) break;
		if ((size_t)(end - at) < length) break;
		if ((bad = at[4] != 1 && at[4] != 2)) break;
		memcpy(out, "\0\0\0\16", 4);
		out[4] = at[4] + 0x80 - 0x01;
		memcpy(out + 5, at + 5, 8);
		out[13] = 0;
		out += ANSWER;
		at += length;
	}
	ssize_t sent = 0;
	if (out > output) sent = send(c->fd, output, out - output, MSG_NOSIGNAL);
	if (sent < 0 && errno == EAGAIN) sent = 0;
	if (sent < 0 || bad) { drop(c); return; }
	if ((c->unsent = out - output - sent)) {
		keep(&c->answers, sizeof output, output + sent, c->unsent);
		watch(ep, EPOLL_CTL_MOD, c, EPOLLOUT);
	}
	if ((c->part = end - at)) keep(&c->frame, MAX_FRAME, at, c->part);
}

static struct sockaddr_in address(int argc, char **argv) {
	struct sockaddr_in a = {.sin_family = AF_INET};
	char *colon = argc == 3 && !strcmp(argv[1], "-addr") ? strrchr(argv[2], ':') : NULL;
	int port = colon ? atoi(colon + 1) : 0;
	if (colon) *colon = 0;
	if (port < 1 || port > 65535 || inet_pton(AF_INET, argv[2], &a.sin_addr) != 1) {
		fprintf(stderr, "usage: epollc -addr IPV4:PORT\n");
		exit(2);
	}
	a.sin_port = htons(port);
	return a;
}

int main(int argc, char **argv) {
	struct sockaddr_in a = address(argc, argv);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
	if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) ||
	    bind(listener, (void *)&a, sizeof a) || listen(listener, 4096)) fail("listen");
	int ep = epoll_create1(0);
	struct epoll_event accepts = {.events = EPOLLIN, .data.ptr = NULL};
	if (ep < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, listener, &accepts)) fail("epoll");
	for (;;) {
		struct epoll_event events[EVENTS];
		int n = epoll_wait(ep, events, EVENTS, -1);
		for (int i = 0; i < n; i++) {
			struct conn *c = events[i].data.ptr;
			if (c && c->unsent) { flush(ep, c); continue; }
			if (c) { answer(ep, c); continue; }
			int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
			if (fd < 0) continue;
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
			if (!(c = calloc(1, sizeof *c))) fail("calloc");
			c->fd = fd;
			watch(ep, EPOLL_CTL_ADD, c, EPOLLIN);
		}
	}
}
