// Two bounds that libzmq 4.3.4 has not. They stand before three functions of the C library that it
// calls, and do the same as those but at a bound.
#define _GNU_SOURCE
#include <connections.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int below;
static long bytes_ahead;
// By descriptor: how far a connection is ahead; NOT_OURS: it was not accepted, or is over.
static long *ahead;
static long all_ahead;
static unsigned long turned_away, hung_up;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { NOT_OURS = -1 };

_Bool muster_bound_connections(int descriptors_below, long bytes) {
  ahead = malloc((size_t)descriptors_below * sizeof *ahead);
  if (!ahead) return 0;
  for (int i = 0; i < descriptors_below; i++) ahead[i] = NOT_OURS;
  bytes_ahead = bytes;
  below = descriptors_below;
  return 1;
}

static unsigned long read_locked(const unsigned long *number) {
  pthread_mutex_lock(&lock);
  unsigned long value = *number;
  pthread_mutex_unlock(&lock);
  return value;
}

unsigned long muster_turned_away(void) { return read_locked(&turned_away); }
unsigned long muster_hung_up(void) { return read_locked(&hung_up); }

// With the lock: the connection begins, or is over.
static void set(int descriptor, long value) {
  if (ahead[descriptor] > 0) all_ahead -= ahead[descriptor];
  ahead[descriptor] = value;
}

void muster_took(int descriptor, long bytes) {
  if (descriptor < 0 || descriptor >= below) return;
  pthread_mutex_lock(&lock);
  // Messages outlive their connection, whose number may be another one's by now.
  if (ahead[descriptor] < bytes) bytes = ahead[descriptor];
  if (bytes > 0) {
    ahead[descriptor] -= bytes;
    all_ahead -= bytes;
  }
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
  if (taken < below) set(taken, 0); else turned_away++;
  pthread_mutex_unlock(&lock);
  if (taken < below) return taken;
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
  if (ahead[descriptor] != NOT_OURS) {
    if (got > 0) {
      ahead[descriptor] += got;
      all_ahead += got;
    }
    int is_too_far = ahead[descriptor] > bytes_ahead - all_ahead;
    if (got <= 0 || is_too_far) set(descriptor, NOT_OURS);
    if (got > 0 && is_too_far) {
      hung_up++;
      got = 0;
    }
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return got;
}
