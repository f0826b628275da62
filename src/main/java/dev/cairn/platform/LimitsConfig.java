package dev.cairn.platform;

import io.smallrye.config.WithDefault;

/**
 * How fast callers may send, and for how long they may hold what others need: the settings below
 * {@code cairn.limits}. See {@code docs/limits.md}, Rate limits.
 */
public interface LimitsConfig {
  /**
   * Sign-ins a minute for each network address; each account takes ten times as many failed ones
   * over all addresses. Attempts at devices' codes are limited by the same number, for each network
   * address and for each account.
   */
  @WithDefault("10")
  int signInsPerMinute();

  /** Personal access tokens that an account may make in an hour; failed attempts count. */
  @WithDefault("20")
  int patsPerHour();

  /**
   * Sessions that an account may begin in an hour, and, counted separately, how often it may
   * consent to OAuth clients and change its password, and how often the tokens of one session may
   * be renewed, in an hour.
   */
  @WithDefault("120")
  int sessionsPerHour();

  /**
   * Subscriptions that an account may make in a minute, and, counted separately, requests to write
   * credential sets, and to resolve, install, set up or examine components; failed attempts count.
   */
  @WithDefault("20")
  int subscriptionsPerMinute();

  /**
   * How often an account may change organizations, repositories and subscriptions, register or
   * install components, resume or bind subscriptions, and retry runs in an hour; failed attempts
   * count.
   */
  @WithDefault("1200")
  int changesPerHour();

  /** Methods of components that an account may call in a minute; failed attempts count. */
  @WithDefault("60")
  int componentCallsPerMinute();

  /** Organizations that an account may create in an hour; failed attempts count. */
  @WithDefault("20")
  int organizationsPerHour();

  /** Repositories that an account may create in a minute; failed attempts count. */
  @WithDefault("30")
  int repositoriesPerMinute();

  /**
   * Members that an account may add, invite or change in a minute, over all organizations; failed
   * attempts count.
   */
  @WithDefault("60")
  int membersPerMinute();

  /** Commits that an account may make in a minute. */
  @WithDefault("0")
  int commitsPerMinute();

  /**
   * How many seconds a commit waits for others of its repository, such as the rename of an entity
   * with many references, before it is answered with `UNAVAILABLE`.
   */
  @WithDefault("30")
  int commitWaitSeconds();

  /**
   * MiB of stored rows that the renames of an organization may rewrite in an hour. A rename that
   * rewrites more needs the whole hour's budget and delays the next ones accordingly. `0` switches
   * it off.
   */
  @WithDefault("1024")
  int renamedMibPerHour();

  /** Requests to repositories without credentials, an hour for each address. */
  @WithDefault("0")
  int anonymousReadsPerHour();

  /**
   * Queries that are sent to an embedding service, an hour for each account, and for each address
   * of callers without credentials: a service may cost something for each.
   */
  @WithDefault("600")
  int embeddedQueriesPerHour();

  /** OAuth clients that register, and devices that request to connect, an hour and address. */
  @WithDefault("60")
  int registrationsPerHour();

  /**
   * How many seconds the body of a request may take to arrive whole. 16 MiB arrive in that time at
   * 20 kB a second. Cannot be switched off.
   */
  @WithDefault("900")
  int bodySeconds();

  /**
   * How many bytes of a body must arrive each second, on average and after the first 30 seconds;
   * `0` switches it off.
   */
  @WithDefault("1024")
  int bodyBytesPerSecond();

  /**
   * The room in memory for requests that are arriving, in MiB. One account or network address has a
   * quarter of it, or 16 MiB if that is more, but never more than half. All requests without
   * credentials together have half of it. When it is full, the requests that made the least
   * progress are ended. `0` is a twelfth of the heap, at least 32.
   */
  @WithDefault("0")
  int arrivingMib();

  /**
   * The connections that clients may have to one replica. Beyond it the one that waited longest for
   * a request is closed for a new one; `0` switches it off.
   */
  @WithDefault("8192")
  int connections();

  /**
   * The same for each network address that connects (an IPv6 network of 64 bits is one). It is off
   * if `quarkus.http.proxy.proxy-address-forwarding` is on, because all connections are then those
   * of proxies. `0` switches it off.
   */
  @WithDefault("1024")
  int connectionsPerAddress();

  /**
   * How many seconds a client may take to read a part of an answer that was sent to it, before it
   * is disconnected. A page has up to 8 MiB and is one part. Cannot be switched off.
   */
  @WithDefault("120")
  int unreadAnswerSeconds();

  /**
   * How many seconds a streamed export may take before it is cancelled, because it holds a snapshot
   * of the database for that time. Exports by `prefer=async` are not bounded by their readers.
   * Cannot be switched off.
   */
  @WithDefault("600")
  int exportStreamSeconds();

  /**
   * How many seconds a streaming submission waits for the next whole line of its client before it
   * is ended. Cannot be switched off.
   */
  @WithDefault("60")
  int streamIdleSeconds();

  /**
   * Streaming submissions that one replica takes at a time; one account may have a quarter of them.
   * Each has a few MiB in memory. `0` is one for each 16 MiB of the heap, at most 64.
   */
  @WithDefault("0")
  int streams();

  /**
   * Downloads of built exports that one replica may send at a time; one account may have a quarter
   * of them. Each has up to 128 KiB in memory. Cannot be switched off.
   */
  @WithDefault("64")
  int downloads();

  /**
   * Tickets for live updates, a minute for each account and for each network address without one.
   */
  @WithDefault("1200")
  int liveTicketsPerMinute();

  /**
   * Clients of accounts that may follow repositories at a time on one replica, by event streams,
   * WebSockets and waiting reads; besides, half as many without credentials. Beyond it, one of the
   * account or network that has the most ends for one of another. Cannot be switched off.
   */
  @WithDefault("5000")
  int liveClients();

  /** The same for each account. */
  @WithDefault("1000")
  int liveClientsPerAccount();

  /** The same for each network address without credentials. */
  @WithDefault("100")
  int liveClientsPerAddress();

  /** Queries that a client may follow at a time over one WebSocket. Cannot be switched off. */
  @WithDefault("50")
  int liveQueries();
}
