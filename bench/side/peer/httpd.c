// The other end of the HTTP benchmarks: one epoll loop that answers whatever ends in an
// empty line, as bare as it can be. Requests have no bodies. It prints its port and
// serves until its stdin ends.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { KEEP = 4096, INPUT = 1 << 16, EVENTS = 512 };

struct peer {
	int fd, held;     // bytes of a request that is not whole yet
	char rest[KEEP];
};

static const char reply[] =
	"HTTP/1.1 200 OK\r\nContent-Length: 12\r\nContent-Type: text/plain\r\n\r\nhello, world";
static char input[KEEP + INPUT];
static char output[(KEEP + INPUT) / 4 * (sizeof reply - 1)]; // a request has 4 bytes or more

static void fail(const char *what) { perror(what); exit(1); }
static void drop(struct peer *p) { close(p->fd); free(p); }

// answer reads once and answers every whole request with one write.
static void answer(struct peer *p) {
	memcpy(input, p->rest, p->held);
	ssize_t got = recv(p->fd, input + p->held, INPUT, 0);
	if (got <= 0) {
		if (got == 0 || (errno != EAGAIN && errno != EINTR)) drop(p);
		return;
	}
	char *at = input, *end = input + p->held + got, *stop;
	size_t out = 0;
	while ((stop = memmem(at, end - at, "\r\n\r\n", 4)) != NULL) {
		memcpy(output + out, reply, sizeof reply - 1);
		out += sizeof reply - 1;
		at = stop + 4;
	}
	if (end - at > KEEP) { drop(p); return; }
	p->held = end - at;
	memcpy(p->rest, at, p->held);
	// A client that does not read what it asked for is cut off.
	if (out && send(p->fd, output, out, MSG_NOSIGNAL) != (ssize_t)out) drop(p);
}

static void add(int epoll, int fd, void *data) {
	struct epoll_event e = { .events = EPOLLIN, .data.ptr = data };
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e)) fail("epoll_ctl");
}

static void take(int epoll, int listener) {
	int fd, one = 1;
	while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
		struct peer *p = calloc(1, sizeof *p);
		if (!p) fail("calloc");
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
		p->fd = fd;
		add(epoll, fd, p);
	}
}

static int listen_anywhere(void) {
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (fd < 0 || bind(fd, (void *)&a, size) || listen(fd, 4096) || getsockname(fd, (void *)&a, &size)) fail("listen");
	printf("%d\n", ntohs(a.sin_port));
	fflush(stdout);
	return fd;
}

int main(void) {
	static struct epoll_event events[EVENTS];
	struct rlimit files;
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	int epoll = epoll_create1(0), listener = listen_anywhere();
	if (epoll < 0) fail("epoll_create1");
	add(epoll, listener, NULL);
	add(epoll, STDIN_FILENO, &events); // any address that is no peer's
	for (;;) {
		int n = epoll_wait(epoll, events, EVENTS, -1);
		for (int i = 0; i < n; i++) {
			void *data = events[i].data.ptr;
			if (data == NULL) take(epoll, listener);
			else if (data == &events) return 0;
			else answer(data);
		}
	}
}
