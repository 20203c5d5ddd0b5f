#ifndef MUSTER_CONNECTIONS_H
#define MUSTER_CONNECTIONS_H

// From now on connections that are accepted get descriptors below this one, and the rest are for
// the process itself. None may be further ahead, in bytes that it has sent and that have not been
// taken, than what all others leave of `bytes_ahead`: one alone half of it, two a third each. To be
// called once, before there are threads. False: there is no memory.
_Bool muster_bound_connections(int below, long bytes_ahead);

// The process has taken what came over a connection in so many bytes. False: it was too far ahead,
// and nobody waits for what it has sent.
_Bool muster_took(int descriptor, long bytes);

// Nothing is left to be taken of connections that are over.
void muster_took_all(void);

// Counts so much less of what is never taken: heartbeats of each connection that is up, and the
// beginnings of messages of those that are over.
void muster_forgive(long bytes_of_each, long bytes_of_past);

// How far all connections together are ahead, those that are over as well.
long muster_ahead(void);

// How many connections were closed as soon as they came, since there was no room for them, and how
// many since they were too far ahead.
long muster_turned_away(void);
long muster_hung_up(void);

#endif
