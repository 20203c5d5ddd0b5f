// Two bounds that libzmq 4.3.4 has not. They stand before three functions of the C library that it
// calls, and do the same as those but at a bound.
#define _GNU_SOURCE
#include <connections.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int below;
static long bytes_ahead;
// By descriptor: how far a connection is ahead. NOT_OURS: it was not accepted, or is over; HUNG_UP:
// it is over since it was too far ahead, and nobody has come in its place yet.
static long *ahead;
// Of those that are over: what they have sent is there still.
static long past_ahead;
// Both together.
static long all_ahead;
static long turned_away, hung_up;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { NOT_OURS = -1, HUNG_UP = -2 };
// So far anybody may be ahead, whatever others do: some thousand calls.
enum { ALWAYS_BYTES = 1 << 18 };

_Bool muster_bound_connections(int descriptors_below, long bytes) {
  ahead = malloc((size_t)descriptors_below * sizeof *ahead);
  if (!ahead) return 0;
  for (int i = 0; i < descriptors_below; i++) ahead[i] = NOT_OURS;
  bytes_ahead = bytes;
  below = descriptors_below;
  return 1;
}

static long read_locked(const long *number) {
  pthread_mutex_lock(&lock);
  long value = *number;
  pthread_mutex_unlock(&lock);
  return value;
}

long muster_ahead(void) { return read_locked(&all_ahead); }
long muster_turned_away(void) { return read_locked(&turned_away); }
long muster_hung_up(void) { return read_locked(&hung_up); }

// With the lock: the connection begins, or is over.
static void set(int descriptor, long value) {
  if (ahead[descriptor] > 0) past_ahead += ahead[descriptor];
  ahead[descriptor] = value;
}

// With the lock: takes from a number that counts in all, and gives what it did not have.
static long take(long *from, long bytes) {
  long taken = *from < bytes ? *from : bytes;
  if (taken <= 0) return bytes;
  *from -= taken;
  all_ahead -= taken;
  return bytes - taken;
}

_Bool muster_took(int descriptor, long bytes) {
  if (descriptor < 0 || descriptor >= below) return 1;
  pthread_mutex_lock(&lock);
  // Messages outlive their connection, whose number may be another one's by now.
  take(&past_ahead, take(&ahead[descriptor], bytes));
  _Bool is_wanted = ahead[descriptor] != HUNG_UP;
  pthread_mutex_unlock(&lock);
  return is_wanted;
}

void muster_took_all(void) {
  pthread_mutex_lock(&lock);
  take(&past_ahead, LONG_MAX);
  pthread_mutex_unlock(&lock);
}

void muster_forgive(long bytes_of_each, long bytes_of_past) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < below; i++) take(&ahead[i], bytes_of_each);
  take(&past_ahead, bytes_of_past);
  pthread_mutex_unlock(&lock);
}

// libzmq aborts the process where no descriptor is left (ipc), or tries again without a pause for
// as long as somebody wants to connect (TCP). Here such a connection is taken and closed at once,
// which libzmq takes for a peer that has changed its mind. The kernel gives out the lowest number
// that is free, so a number tells how many are left.
int accept4(int listener, struct sockaddr *address, socklen_t *size, int flags) {
  int taken = (int)syscall(SYS_accept4, listener, address, size, flags);
  // The system's table being full is an error that libzmq bears.
  if (taken < 0 && errno == EMFILE) errno = ENFILE;
  if (taken < 0 || !below) return taken;
  pthread_mutex_lock(&lock);
  // Who was hung up on does not come again before most of what it had sent is gone.
  int has_room = taken < below && past_ahead < bytes_ahead / 8;
  if (has_room) set(taken, 0); else turned_away++;
  pthread_mutex_unlock(&lock);
  if (has_room) return taken;
  close(taken);
  errno = ECONNABORTED;
  return -1;
}

// A connection of our own making is bounded by what was asked over it.
int socket(int domain, int type, int protocol) {
  int made = (int)syscall(SYS_socket, domain, type, protocol);
  if (made >= 0 && made < below) {
    pthread_mutex_lock(&lock);
    set(made, NOT_OURS);
    pthread_mutex_unlock(&lock);
  }
  return made;
}

// libzmq reads whatever a peer sends: its limit (RCVHWM) knows only whole messages, and with it a
// peer can abort the process. Who is too far ahead has hung up, as far as libzmq can see.
ssize_t recv(int descriptor, void *buffer, size_t size, int flags) {
  ssize_t got = syscall(SYS_recvfrom, descriptor, buffer, size, flags, NULL, NULL);
  if (descriptor < 0 || descriptor >= below) return got;
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return got;
  int error = errno;
  pthread_mutex_lock(&lock);
  if (ahead[descriptor] >= 0) {
    if (got > 0) {
      ahead[descriptor] += got;
      all_ahead += got;
    }
    long room = bytes_ahead - all_ahead;
    int is_too_far = ahead[descriptor] > (room > ALWAYS_BYTES ? room : ALWAYS_BYTES);
    if (got <= 0) {
      set(descriptor, NOT_OURS);
    } else if (is_too_far) {
      set(descriptor, HUNG_UP);
      hung_up++;
      got = 0;
    }
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return got;
}
