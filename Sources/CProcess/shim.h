#ifndef MUSTER_CPROCESS_H
#define MUSTER_CPROCESS_H
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Starts a program that dies with the thread that started it, in a process group of its own, so
   that the terminal's Ctrl-C reaches its parent alone. Its output and messages go to `output`; it
   has no input. -1 with errno where there can be no new process; one that cannot be executed says
   so on `output` and ends with 127.

   In C, because prctl takes any number of arguments, which Swift cannot call, and because between
   fork and exec nothing may run but what is safe in a signal handler. posix_spawn cannot ask for
   PR_SET_PDEATHSIG. */
static inline pid_t muster_spawn(const char *path, char *const *arguments, int output) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child != 0) return child;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  setpgid(0, 0);
  /* A parent that is gone already sends nothing any more. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(127);
  int nothing = open("/dev/null", O_RDONLY);
  if (dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) _exit(127);
  close_range(3, ~0U, 0);
  execv(path, arguments);
  const char *why = errno == ENOENT ? "it is not there\n" : "it cannot be executed\n";
  if (write(2, why, strlen(why)) < 0) _exit(126);
  _exit(127);
}

/* Holds back SIGINT, SIGTERM, SIGHUP and SIGCHLD, and gives a descriptor to read them from. In C,
   because signal sets are macros in places. */
static inline int muster_signal_descriptor(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  sigaddset(&set, SIGCHLD);
  if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -1;
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}
#endif
