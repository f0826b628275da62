package dev.cairn.start;

import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.authentication.Account;
import dev.cairn.commit.CommitAnswer;
import dev.cairn.commit.CommitService;
import dev.cairn.platform.database.Database;
import dev.cairn.tenant.Organizations;
import dev.cairn.tenant.Repositories;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** The repository {@code demo/world}: countries, currencies, and assertions about them. */
@ApplicationScoped
class DemoRepository {
  static final String ORG = "demo";
  static final String REPO = "world";
  private static final String CONTENT = "/demo/world.json";

  private final Database database;
  private final Organizations organizations;
  private final Repositories repositories;
  private final Authorizer authorizer;
  private final CommitService commits;

  DemoRepository(
      Database database,
      Organizations organizations,
      Repositories repositories,
      Authorizer authorizer,
      CommitService commits) {
    this.database = database;
    this.organizations = organizations;
    this.repositories = repositories;
    this.authorizer = authorizer;
    this.commits = commits;
  }

  /** Creates it for its owner, unless an organization of that name exists. */
  void createIfMissing(Account owner) {
    boolean exists =
        database
            .first(
                "select exists (select from organization where name = ?)",
                r -> r.getBoolean(1),
                ORG)
            .orElseThrow();
    if (exists) {
      return;
    }
    var caller = Caller.service(owner.id, owner.displayName);
    organizations.createDemo(owner.id, ORG, "Demo", "Something to look at and to play with.");
    repositories.create(
        authorizer.organization(caller, ORG, ORG_CONFIGURE),
        REPO,
        "Countries of ISO 3166-1, currencies of ISO 4217, and assertions about them.",
        "public");
    commits.submit(
        authorizer.repository(caller, ORG, REPO, REPO_WRITE),
        content(),
        Optional.empty(),
        CommitAnswer.Wanted.of(CommitAnswer.Form.SUMMARY),
        _ -> true);
  }

  private static byte[] content() {
    try (var content = DemoRepository.class.getResourceAsStream(CONTENT)) {
      return content.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
