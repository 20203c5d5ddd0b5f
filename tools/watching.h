/* What tools/watches measures with: calls and watches over one ZeroMQ context. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#include "muster/v1/check_in.pb-c.h"
#include "muster/v1/gateway.pb-c.h"
#include "muster/v1/location.pb-c.h"
#include "muster/v1/profile.pb-c.h"
#include "muster/v1/rpc.pb-c.h"

#define CHECK(x) do { if (!(x)) { fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); perror(#x); \
                                  exit(1); } } while (0)
#define TEXT(s) ((ProtobufCBinaryData){strlen(s), (uint8_t *)(s)})

typedef struct { uint8_t bytes[16]; } Id;
typedef Muster__V1__ResponseHeader Header;

static void *context;
static const char *endpoint;
static uint64_t next_id = 1;

static int64_t now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static ProtobufCBinaryData data_of(Id *id) { return (ProtobufCBinaryData){16, id->bytes}; }

static void *dealer(int receive_high_water) {
  int zero = 0;
  void *socket = zmq_socket(context, ZMQ_DEALER);
  CHECK(socket && !zmq_setsockopt(socket, ZMQ_LINGER, &zero, sizeof zero) &&
        !zmq_setsockopt(socket, ZMQ_RCVHWM, &receive_high_water, sizeof receive_high_water) &&
        !zmq_connect(socket, endpoint));
  return socket;
}

static void send_message(void *socket, const ProtobufCMessage *message, int flags) {
  zmq_msg_t frame;
  CHECK(!zmq_msg_init_size(&frame, protobuf_c_message_get_packed_size(message)));
  protobuf_c_message_pack(message, zmq_msg_data(&frame));
  CHECK(zmq_msg_send(&frame, socket, flags) >= 0);
}

static void send_call(void *socket, uint64_t id, const char *method, const char *user,
                      const ProtobufCMessage *request) {
  Muster__V1__RequestHeader header = MUSTER__V1__REQUEST_HEADER__INIT;
  char name[96];
  snprintf(name, sizeof name, "muster.v1.%s", method);
  header.id = id;
  header.method = TEXT(name);
  header.acting_user = TEXT(user);
  header.timeout_ms = 60000;
  send_message(socket, &header.base, ZMQ_SNDMORE);
  send_message(socket, request, 0);
}

/* The next response, or NULL where none is there yet; `body` is to be closed. */
static Header *receive(void *socket, zmq_msg_t *body, int flags) {
  zmq_msg_t frame;
  zmq_msg_init(&frame);
  if (zmq_msg_recv(&frame, socket, flags) < 0) {
    CHECK(errno == EAGAIN);
    return NULL;
  }
  Header *header =
      muster__v1__response_header__unpack(NULL, zmq_msg_size(&frame), zmq_msg_data(&frame));
  CHECK(header && zmq_msg_more(&frame));
  zmq_msg_close(&frame);
  zmq_msg_init(body);
  CHECK(zmq_msg_recv(body, socket, 0) >= 0 && !zmq_msg_more(body));
  return header;
}

static void check_status(const Header *header) {
  if (header->status && header->status->code) {
    fprintf(stderr, "watches: %.*s: %.*s\n", (int)header->status->reason.len,
            header->status->reason.data, (int)header->status->message.len,
            header->status->message.data);
    exit(1);
  }
}

/* Makes a call and waits; gives the revision of check-ins that it led to. */
static uint64_t call(void *socket, const char *method, const ProtobufCMessage *request,
                     const ProtobufCMessageDescriptor *type, ProtobufCMessage **response) {
  zmq_msg_t body;
  send_call(socket, next_id++, method, "watches", request);
  Header *header = receive(socket, &body, 0);
  check_status(header);
  uint64_t revision = header->as_of ? header->as_of->check_ins : 0;
  if (response)
    CHECK(*response = protobuf_c_message_unpack(type, NULL, zmq_msg_size(&body),
                                                zmq_msg_data(&body)));
  zmq_msg_close(&body);
  muster__v1__response_header__free_unpacked(header, NULL);
  return revision;
}

static Id *make_places(void *socket, size_t count) {
  Id *ids = calloc(count, sizeof *ids);
  for (size_t i = 0; i < count; i++) {
    Muster__V1__CreateLocationRequest request = MUSTER__V1__CREATE_LOCATION_REQUEST__INIT;
    Muster__V1__Location place = MUSTER__V1__LOCATION__INIT;
    ProtobufCMessage *made;
    char name[32];
    snprintf(name, sizeof name, "Place %zu", i);
    place.name = TEXT(name);
    request.location = &place;
    call(socket, "LocationService/CreateLocation", &request.base,
         &muster__v1__create_location_response__descriptor, &made);
    memcpy(ids[i].bytes, ((Muster__V1__CreateLocationResponse *)made)->location->id.data, 16);
    protobuf_c_message_free_unpacked(made, NULL);
  }
  return ids;
}

enum { BATCH = 1000 };

static Id *make_people(void *socket, size_t count) {
  Id *ids = calloc(count, sizeof *ids);
  for (size_t first = 0; first < count; first += BATCH) {
    static Muster__V1__Profile profiles[BATCH];
    static Muster__V1__Profile *list[BATCH];
    static char users[BATCH][48], names[BATCH][24];
    Muster__V1__BatchCreateProfilesRequest request;
    muster__v1__batch_create_profiles_request__init(&request);
    ProtobufCMessage *made;
    size_t n = count - first < BATCH ? count - first : BATCH;
    for (size_t i = 0; i < n; i++) {
      muster__v1__profile__init(&profiles[i]);
      snprintf(users[i], sizeof users[i], "watched-%d-%zu", getpid(), first + i);
      snprintf(names[i], sizeof names[i], "First%zu", first + i);
      profiles[i].user_id = TEXT(users[i]);
      profiles[i].first_name = TEXT(names[i]);
      profiles[i].last_name = TEXT("Lastname");
      profiles[i].company_name = TEXT("Company");
      list[i] = &profiles[i];
    }
    request.n_profiles = n;
    request.profiles = list;
    call(socket, "ProfileService/BatchCreateProfiles", &request.base,
         &muster__v1__batch_create_profiles_response__descriptor, &made);
    Muster__V1__BatchCreateProfilesResponse *response = (void *)made;
    CHECK(response->n_ids == n);
    for (size_t i = 0; i < n; i++) memcpy(ids[first + i].bytes, response->ids[i].data, 16);
    protobuf_c_message_free_unpacked(made, NULL);
  }
  return ids;
}

static void check_in(Muster__V1__CheckInRequest *request, Id *person, Id *place) {
  muster__v1__check_in_request__init(request);
  request->profile_id = data_of(person);
  request->location_id = data_of(place);
}

static void watch(void *socket, uint64_t id, const char *user, Id *place, uint64_t *after) {
  Muster__V1__WatchRequest request = MUSTER__V1__WATCH_REQUEST__INIT;
  Muster__V1__Revisions revisions = MUSTER__V1__REVISIONS__INIT;
  request.location_id = data_of(place);
  if (after && after[2]) {
    revisions.profiles = after[0];
    revisions.locations = after[1];
    revisions.check_ins = after[2];
    request.after = &revisions;
  }
  send_call(socket, id, "GatewayService/Watch", user, &request.base);
}

/* As many sockets as the system allows. */
static void begin_at(const char *where) {
  struct rlimit files;
  CHECK(!getrlimit(RLIMIT_NOFILE, &files));
  files.rlim_cur = files.rlim_max;
  CHECK(!setrlimit(RLIMIT_NOFILE, &files));
  context = zmq_ctx_new();
  CHECK(context && !zmq_ctx_set(context, ZMQ_MAX_SOCKETS, 8192));
  srandom(1);
  endpoint = where;
}
