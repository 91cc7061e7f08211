// The other end of the comparison: a framed server on one epoll loop, as bare as it
// can be. Usage: server CPU; prints its port, serves until its stdin ends.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BUFFER = 1 << 18, KEEP = 1 << 16, EVENTS = 256 };

struct peer {
	int fd;
	uint32_t held;         // bytes of an incomplete frame
	unsigned char rest[KEEP];
};

static unsigned char input[BUFFER], output[2 * BUFFER]; // 13 bytes in make 14 out

static void fail(const char *what) { perror(what); exit(1); }

static void pin(int cpu) {
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set)) fail("sched_setaffinity");
}

static void drop(struct peer *p) { close(p->fd); free(p); }

// answer reads once and answers every whole frame with one write.
static void answer(struct peer *p) {
	memcpy(input, p->rest, p->held);
	ssize_t got = recv(p->fd, input + p->held, BUFFER - KEEP, 0);
	if (got < 0 && errno == EAGAIN) return;
	if (got <= 0) { drop(p); return; }
	unsigned char *at = input, *end = input + p->held + got, *out = output;
	while (end - at >= 4) {
		uint32_t length = (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
		if (length < 13 || length > KEEP) { drop(p); return; }
		if ((size_t)(end - at) < length) break;
		static const unsigned char head[5] = {0, 0, 0, 14, 0x81};
		memcpy(out, head, 5);
		memcpy(out + 5, at + 5, 8);
		out[13] = 0;
		out += 14;
		at += length;
	}
	p->held = end - at;
	memcpy(p->rest, at, p->held);
	// The clients' windows fit a socket buffer: a short write is a dead peer.
	if (out > output && send(p->fd, output, out - output, MSG_NOSIGNAL) != out - output) drop(p);
}

int main(int argc, char **argv) {
	if (argc != 2) { fprintf(stderr, "usage: server CPU\n"); return 2; }
	pin(atoi(argv[1]));
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof a;
	if (listener < 0 || bind(listener, (void *)&a, size) || listen(listener, 1024) ||
	    getsockname(listener, (void *)&a, &size)) fail("listen");
	int ep = epoll_create1(0);
	struct epoll_event e = {.events = EPOLLIN, .data.ptr = NULL};
	struct epoll_event quit = {.events = EPOLLIN, .data.ptr = &one};
	if (ep < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, listener, &e) || epoll_ctl(ep, EPOLL_CTL_ADD, 0, &quit)) fail("epoll");
	printf("%d\n", ntohs(a.sin_port));
	fflush(stdout);
	for (;;) {
		struct epoll_event events[EVENTS];
		int n = epoll_wait(ep, events, EVENTS, -1);
		for (int i = 0; i < n; i++) {
			if (events[i].data.ptr == &one) return 0;
			if (events[i].data.ptr) { answer(events[i].data.ptr); continue; }
			int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
			if (fd < 0) continue;
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
			struct peer *p = calloc(1, sizeof *p);
			p->fd = fd;
			struct epoll_event in = {.events = EPOLLIN | EPOLLET, .data.ptr = p};
			epoll_ctl(ep, EPOLL_CTL_ADD, fd, &in);
		}
	}
}
