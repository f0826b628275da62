import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A1: targets with dot segments and empty segments, which must reach nothing. */
final class DotSegments {
  private static final List<String> VERBS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

  /** Each leads to the repository, or to something in it, if somebody normalises it. */
  private static final List<String> TARGETS =
      List.of(
          "/api/repos/eve/prey/subs/..",
          "/api/repos/eve/prey/subs/%2e%2e",
          "/api/repos/eve/prey/subs/%2E.",
          "/api/repos/eve/prey/subs/.%2e",
          "/api/repos/eve/prey/subs/..;x=1",
          "/api/repos/eve/prey/subs/%2e%2e;x=1",
          "/api/repos/eve/prey/subs/..%3bx",
          "/api/repos/eve/prey/subs/%2e%2e/",
          "/api/repos/eve/prey/subs/x/%2e%2e/%2e%2e",
          "/api/repos/eve/prey/subs/x/../..",
          "/api/repos/eve/prey/subs/x%2f..%2f..",
          "/api/repos/eve/prey/subs/x%2F%2e%2e%2F%2e%2e",
          "/api/repos/eve/prey/subs/..\\",
          "/api/repos/eve/prey/subs/..%5c",
          "/api/repos/eve/prey/subs/%c0%ae%c0%ae",
          "/api/repos/eve/prey/subs/..%00",
          "/api/repos/eve/prey/subs/%252e%252e",
          "/api/repos/eve/prey/credential-sets/..",
          "/api/repos/eve/prey/credential-sets/%2e%2e",
          "/api/repos/eve/prey/actions/runs/%2e%2e/%2e%2e",
          "/api/repos/eve/prey/things/Note/%2e%2e/Note/a",
          "/api/repos/eve/prey/things/Note/./a",
          "/api/repos/eve/prey/things/Note//a",
          "/api/repos/eve/prey/things/Note/a/",
          "/api/repos/eve/prey/things/Note%2f%2e%2e%2fNote%2fa",
          "/api/repos/eve/prey/.",
          "/api/repos/eve/prey/%2e",
          "/api/repos/eve/prey/",
          "/api/repos/eve/prey//",
          "/api/repos/eve//prey",
          "/api/repos//eve/prey",
          "/api//repos/eve/prey",
          "//api/repos/eve/prey",
          "/./api/repos/eve/prey",
          "/x/../api/repos/eve/prey",
          "/api/../api/repos/eve/prey",
          "/q/../api/repos/eve/prey",
          "/mcp/../api/repos/eve/prey",
          "/mcp/%2e%2e/api/repos/eve/prey",
          "/mcp/eve/%2e%2e/%2e%2e/api/repos/eve/prey",
          "/oauth/../api/repos/eve/prey",
          "/oauth/%2e%2e/api/repos/eve/prey",
          "/oauth//../api/repos/eve/prey",
          "http://localhost/api/repos/eve/prey/subs/%2e%2e",
          "http://localhost/api/repos/eve/prey/subs/..",
          "http://localhost/mcp/../api/repos/eve/prey",
          "http://localhost//api/repos/eve/prey",
          "/eve/prey/../prey/readme.md",
          "/eve/prey/%2e%2e/prey/llms.txt",
          "/eve//prey/readme.md",
          "/api/orgs/eve/members/..",
          "/api/orgs/eve/members/%2e%2e",
          "/api/orgs/eve/credential-sets/%2e%2e",
          "/api/orgs/eve/",
          "/api/orgs//eve",
          "/api/whoami/",
          "/api//whoami",
          "/api/pats/%2e%2e/whoami");

  private static final String CHANGE = "{\"visibility\":\"public\"}";
  private static final String RENAME = "{\"name\":\"taken\"}";

  private final Service service;
  private final Account eve;
  private final Tally statuses = new Tally();
  private final Tally got = new Tally();

  private DotSegments(Service service, Account eve) {
    this.service = service;
    this.eve = eve;
  }

  static Result run() throws Exception {
    try (var service = Service.start(Map.of());
        var eve = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      return new DotSegments(service, eve).attack(prober);
    }
  }

  private Result attack(Prober prober) throws Exception {
    makePrey();
    prober.endPhase();
    for (var target : TARGETS) {
      var taken = new ArrayList<String>();
      for (var verb : VERBS) {
        if (isTaken(verb, target)) {
          taken.add(verb);
        }
        countDamage();
      }
      if (!taken.isEmpty()) {
        System.err.println("  2xx: " + target + " " + taken);
      }
    }
    return prober.result(
        "%d requests answered with %s%s"
            .formatted(statuses.total(), statuses, got.total() == 0 ? "" : "; " + got),
        got.total() == 0 && statuses.between(200, 399) == 0 && statuses.between(500, 599) == 0);
  }

  private void makePrey() throws Exception {
    eve.makeRepository("eve", "prey", "private");
    eve.commit("eve/prey", Account.note("a", "b")).expectSuccess();
  }

  /** Sends it; whether the answer was a success. */
  private boolean isTaken(String verb, String target) throws Exception {
    boolean hasBody = List.of("POST", "PUT", "PATCH").contains(verb);
    var body = hasBody ? target.contains("/orgs/") ? RENAME : CHANGE : "";
    try (var connection = new RawConnection(service, Loopback.number(1))) {
      connection.send(RawConnection.head(verb, target, eve.token(), body.length()) + body);
      int status = connection.status(Duration.ofSeconds(20));
      statuses.add(status);
      return status >= 200 && status < 300;
    }
  }

  /** Looks at what was to be left alone, and restores it. */
  private void countDamage() throws Exception {
    if (eve.get("/api/orgs/eve").status() == 404) {
      got.add("organizations renamed");
      eve.patch("/api/orgs/taken", "{\"name\":\"eve\"}").expectSuccess();
    }
    var prey = eve.get("/api/repos/eve/prey");
    if (prey.status() == 404) {
      got.add("repositories deleted");
      makePrey();
    } else if (prey.value("visibility").equals("public")) {
      got.add("repositories made public");
      eve.patch("/api/repos/eve/prey", "{\"visibility\":\"private\"}").expectSuccess();
    }
  }
}
