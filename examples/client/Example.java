import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.client.Add;
import dev.cairn.client.CairnClient;
import dev.cairn.client.CairnException;
import dev.cairn.client.CommitRequest;
import dev.cairn.client.Credentials;
import dev.cairn.client.ErrorCode;
import dev.cairn.client.LiveEvent;
import dev.cairn.client.LiveFilter;
import dev.cairn.client.OperationResult;
import dev.cairn.client.Query;
import dev.cairn.client.RepositoryClient;
import java.net.URI;

/** Writes cities into a repository, reads them, and follows what others write. */
final class Example {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Arguments: the server, the organization, and the repository. The token is in CAIRN_TOKEN. */
  public static void main(String... args) throws Exception {
    var token = Credentials.token(System.getenv("CAIRN_TOKEN"));
    try (var client = CairnClient.builder(URI.create(args[0])).credentials(token).build()) {
      var repository = client.repository(args[1], args[2]);
      write(repository);
      read(repository);
      follow(repository);
    }
  }

  private static void write(RepositoryClient repository) throws Exception {
    var shape = json("{ \"fields\": { \"people\": \"number\", \"country?\": \"string\" } }");
    var request =
        CommitRequest.of(
                Add.of("City", shape).orSkip(),
                Add.of("City/oslo", json("{ \"people\": 717710 }")).orSkip(),
                Add.of("City/lima", json("{ \"people\": 10092000 }")).orSkip())
            .withMessage("The first cities");
    for (var result : repository.commit(request).operations()) {
      switch (result) {
        case OperationResult.Applied applied -> System.out.println("added " + applied.wref());
        case OperationResult.Noop noop -> System.out.println(noop.wref() + " was there");
        case OperationResult.Failed failed -> System.out.println(failed.error().detail());
      }
    }
  }

  private static void read(RepositoryClient repository) {
    repository
        .query(Query.of("City").where("people:gt:1000000"))
        .forEach(city -> System.out.println(city.name() + ": " + city.data().path("people")));
    try {
      repository.getThing("City/atlantis");
    } catch (CairnException e) {
      if (!e.code().equals(ErrorCode.NOT_FOUND)) {
        throw e;
      }
      System.out.println("no Atlantis");
    }
  }

  private static void follow(RepositoryClient repository) {
    try (var events = repository.streamEvents(new LiveFilter("City", null), null)) {
      for (var event : (Iterable<LiveEvent>) events::iterator) {
        switch (event) {
          case LiveEvent.Ready ready -> System.out.println("at commit " + ready.repoSeq());
          case LiveEvent.Reset _ -> System.out.println("read everything anew");
          case LiveEvent.Invalidate changed -> System.out.println("changed " + changed.wrefs());
        }
        if (event.repoSeq() > 1) {
          return;
        }
      }
    }
  }

  private static JsonNode json(String text) throws Exception {
    return JSON.readTree(text);
  }
}
