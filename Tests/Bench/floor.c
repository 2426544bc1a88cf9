/* The floor of the bench: what answering costs when nothing is checked. One epoll loop, edge-triggered, one read
   buffer, the answer given as a file; each blank line of the input is taken for the end of a request.
   Usage: floor PORT ANSWER-FILE [PROCESSES] */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { descriptors_max = 20000, batch_answers_max = 64 };

static char answer[65536], input[65536], *batch;
static size_t answer_count;
static int epoll;
/* How much of CR LF CR LF each connection's input ends with. */
static unsigned char matched[descriptors_max];

static int count_requests(int descriptor, size_t count) {
    int requests = 0;
    unsigned char state = matched[descriptor];
    for (char *at = input, *end = input + count; at < end;) {
        if (state == 0) {
            at = memchr(at, '\r', end - at);
            if (!at) break;
        }
        char wanted = state & 1 ? '\n' : '\r';
        if (*at == wanted) { state++; at++; } else if (state) state = 0; else at++;
        if (state == 4) { requests++; state = 0; }
    }
    matched[descriptor] = state;
    return requests;
}

static void serve(int descriptor, int is_new) {
    for (;;) {
        ssize_t count = recv(descriptor, input, sizeof input, 0);
        if (count == 0 || (count < 0 && errno != EAGAIN)) { close(descriptor); return; }
        if (count < 0) break;
        int requests = count_requests(descriptor, count);
        int closes = memmem(input, count, "Connection: close", 17) != NULL;
        while (requests > 0) {
            int now = requests < batch_answers_max ? requests : batch_answers_max;
            send(descriptor, batch, now * answer_count, MSG_NOSIGNAL | (closes ? MSG_MORE : 0));
            requests -= now;
        }
        if (closes) { close(descriptor); return; }
        if (count < (ssize_t)sizeof input) break;
    }
    if (is_new) {
        struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.fd = descriptor};
        epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
    }
}

int main(int count, char **arguments) {
    if (count != 3 && count != 4) return 64;
    FILE *file = fopen(arguments[2], "r");
    if (!file) return 66;
    answer_count = fread(answer, 1, sizeof answer, file);
    batch = malloc(batch_answers_max * answer_count);
    for (int i = 0; i < batch_answers_max; i++) memcpy(batch + i * answer_count, answer, answer_count);

    for (int others = count == 4 ? atoi(arguments[3]) - 1 : 0; others > 0; others--) {
        if (fork()) continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        break;
    }
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(arguments[1])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) return 69;
    epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int ready = epoll_wait(epoll, events, 256, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd != listener) { serve(events[i].data.fd, 0); continue; }
            for (int descriptor; (descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
                if (descriptor >= descriptors_max) { close(descriptor); continue; }
                matched[descriptor] = 0;
                serve(descriptor, 1);
            }
        }
    }
}
