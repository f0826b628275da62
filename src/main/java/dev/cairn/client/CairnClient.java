package dev.cairn.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A client for one Cairn server: {@code docs/client.md}. It is safe for use by several threads, and
 * should be used for many requests, because it keeps connections open. Every method that sends a
 * request throws {@link CairnException} if the service refuses it, and {@link
 * ServerNotReachedException} if there is no answer.
 */
public final class CairnClient implements AutoCloseable {
  private final HttpClient http;
  private final Transport transport;

  private CairnClient(Builder builder) {
    // Without following redirects: they would send the token somewhere else.
    http =
        HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .followRedirects(Redirect.NEVER)
            .connectTimeout(builder.connectTimeout)
            .build();
    transport =
        new Transport(
            http,
            builder.server,
            new Authorization(builder.credentials),
            builder.retries,
            builder.requestTimeout,
            builder.listener);
  }

  /**
   * A client for a server.
   *
   * @param server its base URL, such as {@code https://cairn.example.org}
   * @throws IllegalArgumentException if that is no {@code http} or {@code https} URL, or has a
   *     user, a query or a fragment
   */
  public static Builder builder(URI server) {
    return new Builder(server);
  }

  /** The server itself. */
  public ServerClient server() {
    return new ServerClient(transport);
  }

  /** Signing in and out, with or without a browser. */
  public SignInClient signIn() {
    return new SignInClient(transport);
  }

  /** The caller's own account. */
  public AccountClient account() {
    return new AccountClient(transport);
  }

  /** The caller's organizations. */
  public OrganizationsClient organizations() {
    return new OrganizationsClient(transport);
  }

  /**
   * An organization, which is not looked up before the first request.
   *
   * @param name its name, in any case
   */
  public OrganizationClient organization(String name) {
    return new OrganizationClient(transport, name);
  }

  /** The components that organizations have registered. */
  public ComponentsClient components() {
    return new ComponentsClient(transport);
  }

  /**
   * A repository, which is not looked up before the first request.
   *
   * @param organization the organization's name, in any case
   * @param name the repository's name, in any case
   */
  public RepositoryClient repository(String organization, String name) {
    return new RepositoryClient(transport, organization, name);
  }

  /**
   * Commits to up to 20 repositories as they are made, as {@link RepositoryClient#streamEvents}
   * does for one.
   *
   * @param lastEventId the {@link LiveEvent#id} to continue after, of a stream of the same
   *     repositories in the same order; null to begin now
   */
  public Stream<LiveEvent> streamEvents(
      List<RepositoryClient> repositories, LiveFilter filter, @Nullable String lastEventId) {
    return events(transport, repositories, filter, lastEventId);
  }

  static Stream<LiveEvent> events(
      Transport transport,
      List<RepositoryClient> repositories,
      LiveFilter filter,
      @Nullable String lastEventId) {
    var events =
        new EventStream(
            transport,
            () -> repositories.stream().map(one -> one.createLiveTicket().ticket()).toList(),
            filter,
            lastEventId);
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(events, Spliterator.ORDERED | Spliterator.NONNULL),
            false)
        .onClose(events::close);
  }

  /** Ends the requests that are being sent, and closes all connections. */
  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }

  /** Builds a client. */
  public static final class Builder {
    private final String server;
    private Credentials credentials = Credentials.none();
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration requestTimeout = Duration.ofMinutes(2);
    private RetrySchedule retries = RetrySchedule.DEFAULT;
    private Consumer<Exchange> listener = exchange -> {};

    private Builder(URI server) {
      boolean isHttp =
          server.getScheme() != null && Set.of("http", "https").contains(server.getScheme());
      if (!isHttp
          || server.getHost() == null
          || server.getUserInfo() != null
          || server.getQuery() != null
          || server.getFragment() != null) {
        throw new IllegalArgumentException(
            "The server must be a URL such as https://cairn.example.org.");
      }
      this.server = server.toString().replaceFirst("/+$", "");
    }

    /** What is sent in {@code Authorization}; by default nothing. */
    public Builder credentials(Credentials sent) {
      credentials = Objects.requireNonNull(sent);
      return this;
    }

    /** How long a connection may take; by default 10 s. */
    public Builder connectTimeout(Duration longest) {
      connectTimeout = longest;
      return this;
    }

    /**
     * How long an answer may take; by default two minutes. Verifications, commits and reads that
     * wait have as much as they may need.
     */
    public Builder requestTimeout(Duration longest) {
      requestTimeout = longest;
      return this;
    }

    /** How often requests are repeated; by default {@link RetrySchedule#DEFAULT}. */
    public Builder retries(RetrySchedule schedule) {
      retries = Objects.requireNonNull(schedule);
      return this;
    }

    /** Is told of every attempt of a request, by the thread that sends it. */
    public Builder listener(Consumer<Exchange> told) {
      listener = Objects.requireNonNull(told);
      return this;
    }

    /** The client; it opens no connection yet. */
    public CairnClient build() {
      return new CairnClient(this);
    }
  }
}
