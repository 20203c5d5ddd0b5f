/* How long an update takes to its watchers, and what a watch costs.
 *   watch-delay ENDPOINT PID PLACES EACH DEAF ROUNDS
 * EACH watches of each of PLACES places; DEAF more, of callers that never read. People move ROUNDS
 * times, one after the other. Prints how many updates came, the median, 99th percentile and most of
 * the microseconds from the acknowledgement of a move to an update (below 0: the update was first),
 * KiB of the gateway for a watch, and KiB beyond that at the end. PID is the gateway's. */
#include "watching.h"

static long resident_kib(const char *pid) {
  char path[64], line[256];
  long kib = -1;
  snprintf(path, sizeof path, "/proc/%s/status", pid);
  FILE *file = fopen(path, "r");
  CHECK(file);
  while (fgets(line, sizeof line, file))
    if (!strncmp(line, "VmRSS:", 6)) kib = atol(line + 6);
  fclose(file);
  return kib;
}

static int ascending(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}


enum { WATCHES_OF_SOCKET = 200 };

/* Moves people at the first place until nobody who does not read can be told any more. */
static void fill(void *caller, zmq_pollitem_t *items, size_t socket_count, Id *people,
                 Id *places) {
  enum { MOVES = 20000, WINDOW = 64 };
  size_t sent = 0, answered = 0;
  zmq_msg_t body;
  Header *header;
  do {
    for (; sent < MOVES && sent - answered < WINDOW; sent++) {
      Muster__V1__CheckInRequest request;
      check_in(&request, &people[0], &places[(sent + 1) % 2]);
      send_call(caller, next_id++, "CheckInService/CheckIn", "watches", &request.base);
    }
    for (; (header = receive(caller, &body, ZMQ_DONTWAIT)); answered++) {
      check_status(header);
      zmq_msg_close(&body);
      muster__v1__response_header__free_unpacked(header, NULL);
    }
    for (size_t s = 0; s < socket_count; s++)
      while ((header = receive(items[s].socket, &body, ZMQ_DONTWAIT))) {
        zmq_msg_close(&body);
        muster__v1__response_header__free_unpacked(header, NULL);
      }
  } while (answered < MOVES || zmq_poll(items, (int)socket_count, 500) > 0);
}

static int delay(char **arguments) {
  const char *pid = arguments[0];
  size_t place_count = strtoul(arguments[1], NULL, 10), each = strtoul(arguments[2], NULL, 10);
  size_t deaf = strtoul(arguments[3], NULL, 10), rounds = strtoul(arguments[4], NULL, 10);
  size_t watch_count = place_count * each;
  size_t socket_count = (watch_count + WATCHES_OF_SOCKET - 1) / WATCHES_OF_SOCKET;
  size_t person_count = place_count * 3;
  void *caller = dealer(0);
  Id *places = make_places(caller, place_count);
  Id *people = make_people(caller, person_count);
  size_t *at = calloc(person_count, sizeof *at);
  for (size_t i = 0; i < person_count; i++) {
    Muster__V1__CheckInRequest request;
    at[i] = i % place_count;
    check_in(&request, &people[i], &places[at[i]]);
    call(caller, "CheckInService/CheckIn", &request.base, NULL, NULL);
  }
  long before = resident_kib(pid);
  zmq_pollitem_t *items = calloc(socket_count + 1, sizeof *items);
  char user[32];
  size_t begun = 0;
  for (size_t s = 0; s < socket_count; s++) {
    items[s] = (zmq_pollitem_t){dealer(0), 0, ZMQ_POLLIN, 0};
    snprintf(user, sizeof user, "reader-%zu", s);
    for (size_t w = s * WATCHES_OF_SOCKET; w < watch_count && w < (s + 1) * WATCHES_OF_SOCKET; w++)
      watch(items[s].socket, w, user, &places[w % place_count], NULL);
  }
  zmq_msg_t body;
  Header *header;
  while (begun < watch_count) {
    CHECK(zmq_poll(items, (int)socket_count, 30000) > 0);
    for (size_t s = 0; s < socket_count; s++)
      while ((header = receive(items[s].socket, &body, ZMQ_DONTWAIT))) {
        check_status(header);
        begun++;
        zmq_msg_close(&body);
        muster__v1__response_header__free_unpacked(header, NULL);
      }
  }
  long after = resident_kib(pid);
  for (size_t d = 0; d < deaf; d++) {
    snprintf(user, sizeof user, "deaf-%zu", d);
    watch(dealer(1), 1, user, &places[0], NULL);
  }
  if (deaf) fill(caller, items, socket_count, people, places);
  int64_t *delays = calloc(rounds * each * 2, sizeof *delays);
  size_t n = 0;
  items[socket_count] = (zmq_pollitem_t){caller, 0, ZMQ_POLLIN, 0};
  for (size_t round = 0; round < rounds; round++) {
    size_t person = (size_t)random() % person_count;
    size_t to = (at[person] + 1 + (size_t)random() % (place_count > 1 ? place_count - 1 : 1));
    Muster__V1__CheckInRequest request;
    Muster__V1__CheckOutRequest out = MUSTER__V1__CHECK_OUT_REQUEST__INIT;
    to %= place_count;
    size_t wanted = place_count > 1 ? 2 * each : each;
    if (place_count == 1 && at[person] == 0) {
      out.profile_id = data_of(&people[person]);
      send_call(caller, next_id++, "CheckInService/CheckOut", "watches", &out.base);
      at[person] = 1;
    } else {
      check_in(&request, &people[person], &places[to]);
      send_call(caller, next_id++, "CheckInService/CheckIn", "watches", &request.base);
      at[person] = to;
    }
    int64_t acknowledged = 0;
    size_t told = 0, first = n;
    while (told < wanted || !acknowledged) {
      CHECK(zmq_poll(items, (int)socket_count + 1, 30000) > 0);
      if (items[socket_count].revents && (header = receive(caller, &body, ZMQ_DONTWAIT))) {
        acknowledged = now_us();
        check_status(header);
        zmq_msg_close(&body);
        muster__v1__response_header__free_unpacked(header, NULL);
      }
      for (size_t s = 0; s < socket_count; s++)
        while (items[s].revents && (header = receive(items[s].socket, &body, ZMQ_DONTWAIT))) {
          int64_t arrived = now_us();
          check_status(header);
          Muster__V1__WatchResponse *update = muster__v1__watch_response__unpack(
              NULL, zmq_msg_size(&body), zmq_msg_data(&body));
          CHECK(update && !update->reset);
          if (update->n_changes) {
            delays[n++] = arrived;
            told++;
          }
          muster__v1__watch_response__free_unpacked(update, NULL);
          zmq_msg_close(&body);
          muster__v1__response_header__free_unpacked(header, NULL);
        }
    }
    for (size_t i = first; i < n; i++) delays[i] -= acknowledged;
    usleep(1000);
  }
  qsort(delays, n, sizeof *delays, ascending);
  printf("%zu %lld %lld %lld %.2f %ld\n", n, (long long)delays[n / 2],
         (long long)delays[n * 99 / 100], (long long)delays[n - 1],
         (double)(after - before) / (double)watch_count, resident_kib(pid) - after);
  return 0;
}

int main(int argc, char **argv) {
  CHECK(argc == 7);
  begin_at(argv[1]);
  return delay(argv + 2);
}
