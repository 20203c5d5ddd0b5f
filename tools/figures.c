/* What tools/figures measures with, so that the measuring costs next to nothing:
 *   figures append FILE COUNT             writes 4 KiB to the end of a file, and fdatasync
 *   figures overwrite FILE COUNT          writes 4 KiB over what is there, and fdatasync
 *   figures echo ENDPOINT                 a ROUTER that sends every message back
 *   figures proxy FRONT BACK              a ROUTER to DEALER hop, as a gateway is
 *   figures calls ENDPOINT WINDOW REQUESTS RESPONSES
 *                                         sends the calls of a file, WINDOW of them in flight,
 *                                         and writes the responses to a file
 * A file of calls is a row of frames, header and body in turn, each after its length (32 bits in
 * the machine's own order). Prints `COUNT SECONDS P50 P99`, the last two in microseconds. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#define CHECK(x) do { if (!(x)) { perror(#x); exit(1); } } while (0)

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int report(double *latencies, size_t count, double seconds) {
  CHECK(count > 0);
  qsort(latencies, count, sizeof *latencies, ascending);
  printf("%zu %.6f %.1f %.1f\n", count, seconds, latencies[count / 2] * 1e6,
         latencies[count * 99 / 100] * 1e6);
  return 0;
}

static int sync_file(const char *path, size_t count, int appends) {
  static char page[4096];
  enum { PAGES = 256 };
  double *latencies = calloc(count, sizeof *latencies), began;
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  CHECK(latencies && file >= 0);
  for (int i = 0; i < PAGES && !appends; i++) CHECK(write(file, page, sizeof page) == sizeof page);
  CHECK(!fsync(file));
  began = now();
  for (size_t i = 0; i < count; i++) {
    double start = now();
    memset(page, (int)i, sizeof page);
    off_t place = (off_t)((appends ? i : i % PAGES) * sizeof page);
    CHECK(pwrite(file, page, sizeof page, place) == sizeof page);
    CHECK(!fdatasync(file));
    latencies[i] = now() - start;
  }
  return report(latencies, count, now() - began);
}

static int echo(const char *endpoint) {
  void *socket = zmq_socket(zmq_ctx_new(), ZMQ_ROUTER);
  CHECK(socket && !zmq_bind(socket, endpoint));
  for (;;) {
    zmq_msg_t frame;
    int more;
    do {
      zmq_msg_init(&frame);
      CHECK(zmq_msg_recv(&frame, socket, 0) >= 0);
      more = zmq_msg_more(&frame);
      CHECK(zmq_msg_send(&frame, socket, more ? ZMQ_SNDMORE : 0) >= 0);
    } while (more);
  }
}

static int proxy(const char *front, const char *back) {
  void *context = zmq_ctx_new();
  void *router = zmq_socket(context, ZMQ_ROUTER), *dealer = zmq_socket(context, ZMQ_DEALER);
  CHECK(router && dealer && !zmq_bind(router, front) && !zmq_connect(dealer, back));
  return zmq_proxy(router, dealer, NULL);
}

static char *whole_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  CHECK(file && !fseek(file, 0, SEEK_END));
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size);
  CHECK(bytes && fread(bytes, 1, *size, file) == *size);
  fclose(file);
  return bytes;
}

/* Sends the frame at `at` and gives where the next one begins. */
static const char *send_frame(void *socket, const char *at, int flags) {
  uint32_t length;
  memcpy(&length, at, sizeof length);
  CHECK(zmq_send(socket, at + sizeof length, length, flags) == (int)length);
  return at + sizeof length + length;
}

static void keep_frame(void *socket, FILE *out, int more_expected) {
  zmq_msg_t frame;
  zmq_msg_init(&frame);
  CHECK(zmq_msg_recv(&frame, socket, 0) >= 0);
  CHECK(zmq_msg_more(&frame) == more_expected);
  uint32_t length = (uint32_t)zmq_msg_size(&frame);
  CHECK(fwrite(&length, sizeof length, 1, out) == 1);
  CHECK(fwrite(zmq_msg_data(&frame), 1, length, out) == length);
  zmq_msg_close(&frame);
}

/* With a window above 1 a latency is the time from one response to the next. */
static int calls(const char *endpoint, size_t window, const char *requests, const char *responses) {
  size_t size, sent = 0, answered = 0, room = 0;
  char *bytes = whole_file(requests, &size);
  const char *at = bytes, *end = bytes + size;
  FILE *out = fopen(responses, "wb");
  void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_DEALER);
  int zero = 0, one = 1, patience_ms = 60000;
  double *latencies = NULL, began, start;
  CHECK(out && socket && !zmq_setsockopt(socket, ZMQ_LINGER, &zero, sizeof zero) &&
        !zmq_setsockopt(socket, ZMQ_IMMEDIATE, &one, sizeof one) &&
        !zmq_setsockopt(socket, ZMQ_RCVTIMEO, &patience_ms, sizeof patience_ms) &&
        !zmq_connect(socket, endpoint));
  began = start = now();
  while (at < end || answered < sent) {
    while (at < end && sent - answered < window) {
      if (window == 1) start = now();
      at = send_frame(socket, at, ZMQ_SNDMORE);
      at = send_frame(socket, at, 0);
      sent++;
    }
    keep_frame(socket, out, 1);
    keep_frame(socket, out, 0);
    if (answered == room) {
      room = room ? room * 2 : 1024;
      CHECK((latencies = realloc(latencies, room * sizeof *latencies)));
    }
    latencies[answered++] = now() - start;
    start = now();
  }
  double seconds = now() - began;
  CHECK(!fclose(out) && !zmq_close(socket) && !zmq_ctx_term(context));
  return report(latencies, answered, seconds);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  int appends = !strcmp(mode, "append");
  if ((appends || !strcmp(mode, "overwrite")) && argc == 4)
    return sync_file(argv[2], strtoul(argv[3], NULL, 10), appends);
  if (!strcmp(mode, "echo") && argc == 3) return echo(argv[2]);
  if (!strcmp(mode, "proxy") && argc == 4) return proxy(argv[2], argv[3]);
  if (!strcmp(mode, "calls") && argc == 6)
    return calls(argv[2], strtoul(argv[3], NULL, 10), argv[4], argv[5]);
  fprintf(stderr, "usage: see the head of tools/figures.c\n");
  return 64;
}
