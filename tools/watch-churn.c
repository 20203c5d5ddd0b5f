/* Whether watchers that come and go are right at the end.
 *   watch-churn ENDPOINT PEOPLE WATCHERS SECONDS RATE
 * RATE random moves a second for SECONDS, of people around one place with PEOPLE in it, while
 * WATCHERS come, read, stop to read for a while, and go. Every response is checked as it comes; at
 * the end every list is held against a fresh read. Prints moves, responses read, watches begun, of
 * them after a state, resets, people there, seconds until all lists were complete, wrong lists. */
#include <pthread.h>

#include "watching.h"

static Id *people, *places;
static size_t person_count;
static double rate, seconds;
static uint64_t last_revision;
static size_t moves;
static volatile int is_moving = 1;

/* Moves somebody from the place to the other one or back, at the rate, and awaits every answer. */
static void *mover(void *nothing) {
  void *socket = dealer(0);
  char *is_away = calloc(person_count, 1);
  size_t sent = 0, answered = 0;
  int64_t began = now_us();
  for (size_t i = 0; i < person_count; i++) is_away[i] = i % 2;
  (void)nothing;
  while (now_us() - began < seconds * 1e6 || answered < sent) {
    zmq_msg_t body;
    Header *header;
    while (sent < rate * (double)(now_us() - began) / 1e6 && sent < rate * seconds &&
           sent - answered < 2000) {
      size_t person = (size_t)random() % person_count;
      Muster__V1__CheckInRequest request;
      is_away[person] ^= 1;
      check_in(&request, &people[person], &places[(int)is_away[person]]);
      send_call(socket, 1000000 + sent++, "CheckInService/CheckIn", "mover", &request.base);
    }
    while ((header = receive(socket, &body, ZMQ_DONTWAIT))) {
      check_status(header);
      if (header->as_of->check_ins > last_revision) last_revision = header->as_of->check_ins;
      answered++;
      zmq_msg_close(&body);
      muster__v1__response_header__free_unpacked(header, NULL);
    }
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    zmq_poll(&item, 1, 1);
  }
  moves = answered;
  is_moving = 0;
  zmq_close(socket);
  return NULL;
}

typedef struct {
  void *socket;
  uint64_t after[3];
  char *is_here;
  size_t count;
  int is_whole;
  int64_t until_us, deaf_until_us;
} Watcher;

static size_t updates, resets, begun, resumed, *slots, slot_count;

static size_t number_of(const uint8_t *id) {
  uint64_t hash;
  memcpy(&hash, id + 8, 8);
  for (size_t slot = hash % slot_count;; slot = (slot + 1) % slot_count) {
    CHECK(slots[slot]);
    if (!memcmp(people[slots[slot] - 1].bytes, id, 16)) return slots[slot] - 1;
  }
}

static void index_people(void) {
  slot_count = person_count * 4;
  slots = calloc(slot_count, sizeof *slots);
  for (size_t i = 0; i < person_count; i++) {
    uint64_t hash;
    memcpy(&hash, people[i].bytes + 8, 8);
    size_t slot = hash % slot_count;
    while (slots[slot]) slot = (slot + 1) % slot_count;
    slots[slot] = i + 1;
  }
}

static void begin(Watcher *watcher, int keep) {
  static size_t user_number;
  char user[32];
  snprintf(user, sizeof user, "watcher-%zu", user_number++);
  watcher->socket = dealer(0);
  if (!keep) memset(watcher->after, 0, sizeof watcher->after);
  if (keep && watcher->after[2]) resumed++;
  begun++;
  watch(watcher->socket, 1, user, &places[0], watcher->after);
  watcher->until_us = now_us() + 1000000 + random() % 9000000;
  watcher->deaf_until_us = random() % 4 ? 0 : now_us() + random() % 3000000;
}

static void take(Watcher *watcher, const Header *header, zmq_msg_t *body) {
  Muster__V1__WatchResponse *update =
      muster__v1__watch_response__unpack(NULL, zmq_msg_size(body), zmq_msg_data(body));
  check_status(header);
  CHECK(update && header->more);
  updates++;
  if (update->reset) {
    resets++;
    memset(watcher->is_here, 0, person_count);
    watcher->count = 0;
  }
  for (size_t i = 0; i < update->n_changes; i++) {
    Muster__V1__HereChange *change = update->changes[i];
    char *is_here = &watcher->is_here[number_of(change->person->profile_id.data)];
    if (change->kind == MUSTER__V1__HERE_CHANGE_KIND__HERE_CHANGE_KIND_UPDATED) {
      /* A name that was not known in time, and is now. */
      CHECK(*is_here);
      continue;
    }
    int arrives = change->kind == MUSTER__V1__HERE_CHANGE_KIND__HERE_CHANGE_KIND_ARRIVED;
    CHECK(*is_here == !arrives);
    *is_here = (char)arrives;
    watcher->count += arrives ? 1 : (size_t)-1;
  }
  watcher->is_whole = !update->incomplete;
  if (watcher->is_whole) {
    CHECK(watcher->count == update->count);
    CHECK(header->as_of->check_ins >= watcher->after[2]);
    watcher->after[0] = header->as_of->profiles;
    watcher->after[1] = header->as_of->locations;
    watcher->after[2] = header->as_of->check_ins;
  }
  muster__v1__watch_response__free_unpacked(update, NULL);
}

static void read_all(Watcher *watcher) {
  zmq_msg_t body;
  Header *header;
  while ((header = receive(watcher->socket, &body, ZMQ_DONTWAIT))) {
    take(watcher, header, &body);
    zmq_msg_close(&body);
    muster__v1__response_header__free_unpacked(header, NULL);
  }
}

/* Who is at the place now, by a fresh read. */
static size_t fresh(void *caller, char *is_here) {
  Muster__V1__ListPeopleHereRequest request = MUSTER__V1__LIST_PEOPLE_HERE_REQUEST__INIT;
  char token[512];
  size_t count = 0;
  request.location_id = data_of(&places[0]);
  request.page_size = 1000;
  do {
    ProtobufCMessage *page;
    call(caller, "GatewayService/ListPeopleHere", &request.base,
         &muster__v1__list_people_here_response__descriptor, &page);
    Muster__V1__ListPeopleHereResponse *response = (void *)page;
    for (size_t i = 0; i < response->n_people; i++, count++)
      is_here[number_of(response->people[i]->profile_id.data)] = 1;
    CHECK(response->next_page_token.len < sizeof token);
    memcpy(token, response->next_page_token.data, response->next_page_token.len);
    request.page_token = (ProtobufCBinaryData){response->next_page_token.len, (uint8_t *)token};
    protobuf_c_message_free_unpacked(page, NULL);
  } while (request.page_token.len);
  return count;
}

static int churn(char **arguments) {
  size_t watcher_count = strtoul(arguments[1], NULL, 10), wrong = 0, behind;
  person_count = 2 * strtoul(arguments[0], NULL, 10);
  seconds = atof(arguments[2]);
  rate = atof(arguments[3]);
  void *caller = dealer(0);
  places = make_places(caller, 2);
  people = make_people(caller, person_count);
  index_people();
  for (size_t first = 0; first < person_count; first += BATCH) {
    static Muster__V1__BatchCheckInItem entries[BATCH];
    static Muster__V1__BatchCheckInItem *list[BATCH];
    Muster__V1__BatchCheckInRequest request = MUSTER__V1__BATCH_CHECK_IN_REQUEST__INIT;
    size_t n = person_count - first < BATCH ? person_count - first : BATCH;
    for (size_t i = 0; i < n; i++) {
      muster__v1__batch_check_in_item__init(&entries[i]);
      entries[i].profile_id = data_of(&people[first + i]);
      entries[i].location_id = data_of(&places[(first + i) % 2]);
      list[i] = &entries[i];
    }
    request.n_items = n;
    request.items = list;
    call(caller, "CheckInService/BatchCheckIn", &request.base, NULL, NULL);
  }
  Watcher *watchers = calloc(watcher_count, sizeof *watchers);
  zmq_pollitem_t *items = calloc(watcher_count, sizeof *items);
  for (size_t i = 0; i < watcher_count; i++) watchers[i].is_here = calloc(person_count, 1);
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, mover, NULL));
  int64_t ended = 0;
  do {
    int64_t now = now_us();
    behind = 0;
    if (!is_moving && !ended) ended = now;
    for (size_t i = 0; i < watcher_count; i++) {
      Watcher *watcher = &watchers[i];
      if (!watcher->socket) begin(watcher, 0);
      if (is_moving && watcher->until_us < now) {
        // Gone without a word; and back, half of the time with what was known.
        zmq_close(watcher->socket);
        begin(watcher, watcher->is_whole && random() % 2);
      }
      int reads = !is_moving || watcher->deaf_until_us < now;
      items[i] = (zmq_pollitem_t){watcher->socket, 0, reads ? ZMQ_POLLIN : 0, 0};
      behind += is_moving || !watcher->is_whole || watcher->after[2] < last_revision;
    }
    CHECK(zmq_poll(items, (int)watcher_count, 5) >= 0);
    for (size_t i = 0; i < watcher_count; i++)
      if (items[i].revents) read_all(&watchers[i]);
    CHECK(!ended || now_us() - ended < 30000000);
  } while (behind);
  CHECK(!pthread_join(thread, NULL));
  double settled = (double)(now_us() - ended) / 1e6;
  char *is_here = calloc(person_count, 1);
  size_t count = fresh(caller, is_here);
  for (size_t i = 0; i < watcher_count; i++)
    wrong += watchers[i].count != count || memcmp(watchers[i].is_here, is_here, person_count);
  printf("%zu %zu %zu %zu %zu %zu %.2f %zu\n", moves, updates, begun, resumed, resets, count,
         settled, wrong);
  return wrong != 0;
}

int main(int argc, char **argv) {
  CHECK(argc == 6);
  begin_at(argv[1]);
  return churn(argv + 2);
}
