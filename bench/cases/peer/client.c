// The yardstick: a closed-loop framed client on one epoll loop that checks length,
// command, id and result of every answer, and does nothing else.
// Usage: client CPU PORT CONNECTIONS DEPTH; for each line MILLISECONDS on stdin it
// loads for so long, waits for what is outstanding, and prints
// "answers cpu_ns wall_ns".
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
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, EVENTS = 256, SUBMIT = 37, ACK = 14, KEEP = 16 };

struct link {
	int fd, held;
	char want[8], send[8]; // ids of the next answer and the next request
	unsigned char rest[KEEP];
};

static unsigned char input[BUFFER], output[BUFFER];
static long outstanding, answers;
static int sending, depth;

static void fail(const char *what) { perror(what); exit(1); }
static void wrong(const char *what) { fprintf(stderr, "wrong answer: %s\n", what); exit(1); }

static int64_t now(clockid_t id) {
	struct timespec t;
	clock_gettime(id, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void count_up(char *id) {
	for (int i = 7; i >= 0; i--) {
		if (++id[i] <= '9') return;
		id[i] = '0';
	}
}

static void submit(struct link *l, int n) {
	static const unsigned char head[5] = {0, 0, 0, SUBMIT, 0x02};
	static const char payload[] = "abcdefghijklmnopqrstuvwx";
	unsigned char *out = output;
	for (int i = 0; i < n; i++, out += SUBMIT) {
		memcpy(out, head, 5);
		memcpy(out + 5, l->send, 8);
		memcpy(out + 13, payload, 24);
		count_up(l->send);
	}
	if (send(l->fd, output, out - output, MSG_NOSIGNAL) != out - output) fail("send");
	outstanding += n;
}

static void receive(struct link *l) {
	memcpy(input, l->rest, l->held);
	ssize_t got = recv(l->fd, input + l->held, BUFFER - KEEP, 0);
	if (got < 0 && errno == EAGAIN) return;
	if (got <= 0) fail("recv");
	unsigned char *at = input, *end = input + l->held + got;
	int n = 0;
	for (; end - at >= ACK; at += ACK, n++) {
		static const unsigned char head[5] = {0, 0, 0, ACK, 0x81};
		if (memcmp(at, head, 5)) wrong("head");
		if (memcmp(at + 5, l->want, 8)) wrong("id");
		if (at[13]) wrong("result");
		count_up(l->want);
	}
	l->held = end - at;
	memcpy(l->rest, at, l->held);
	answers += n;
	outstanding -= n;
	if (sending && n) submit(l, n);
}

int main(int argc, char **argv) {
	if (argc != 5) { fprintf(stderr, "usage: client CPU PORT CONNECTIONS DEPTH\n"); return 2; }
	int connections = atoi(argv[3]), one = 1, ep = epoll_create1(0);
	depth = atoi(argv[4]);
	if (depth * SUBMIT > BUFFER) { fprintf(stderr, "depth too large\n"); return 2; }
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(atoi(argv[1]), &set);
	if (sched_setaffinity(0, sizeof set, &set)) fail("sched_setaffinity");
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[2])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct link *links = calloc(connections, sizeof *links);
	for (int i = 0; i < connections; i++) {
		struct link *l = &links[i];
		memcpy(l->want, "00000000", 8);
		memcpy(l->send, "00000000", 8);
		l->fd = socket(AF_INET, SOCK_STREAM, 0);
		if (connect(l->fd, (void *)&a, sizeof a)) fail("connect");
		setsockopt(l->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
		int flags = 1;
		if (ioctl(l->fd, FIONBIO, &flags)) fail("ioctl");
		struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data.ptr = l};
		if (epoll_ctl(ep, EPOLL_CTL_ADD, l->fd, &e)) fail("epoll_ctl");
	}
	char line[64];
	while (fgets(line, sizeof line, stdin)) {
		int64_t wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
		int64_t until = wall + atoll(line) * 1000000LL;
		answers = 0;
		sending = 1;
		for (int i = 0; i < connections; i++) submit(&links[i], depth);
		while (outstanding) {
			struct epoll_event events[EVENTS];
			int n = epoll_wait(ep, events, EVENTS, -1);
			for (int i = 0; i < n; i++) receive(events[i].data.ptr);
			if (now(CLOCK_MONOTONIC) >= until) sending = 0;
		}
		cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
		printf("%ld %lld %lld\n", answers, (long long)cpu, (long long)(now(CLOCK_MONOTONIC) - wall));
		fflush(stdout);
	}
	return 0;
}
