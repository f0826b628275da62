package dev.cairn.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The requests that manage organizations, repositories and what belongs to them. */
class ManagementTest {
  private static final String OK = "{\"ok\":true}";
  private static final String ORGANIZATION = "{\"name\":\"garden\",\"createdAt\":1}";
  private static final String REPOSITORY =
      """
      {"orgName":"garden","name":"greenhouse","visibility":"private","repoSeq":0,"createdAt":1,\
      "updatedAt":1}\
      """;
  private static final String SUBSCRIPTION =
      "{\"name\":\"a/b\",\"kind\":\"webhook\",\"active\":true}";
  private static final String SET =
      "{\"name\":\"hooks\",\"keyNames\":[\"A\"],\"createdAt\":1,\"updatedAt\":1}";

  private final ScriptedServer server = new ScriptedServer();
  private final CairnClient client = server.client().build();

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private RepositoryClient repository() {
    return client.repository("garden", "greenhouse");
  }

  private static JsonNode json(String text) throws Exception {
    return Json.mapper().readTree(text);
  }

  @Test
  void organizations_and_members_have_their_routes() throws Exception {
    server.then(200, "{\"items\":[" + ORGANIZATION + "]}").then(201, ORGANIZATION);
    server.then(200, ORGANIZATION).then(200, ORGANIZATION);
    server.then(200, "{\"items\":[]}").then(200, "{\"items\":[]}");
    server.then(200, "{\"email\":\"b@example.org\",\"role\":\"editor\",\"createdAt\":1}");
    server.then(200, OK);
    assertEquals("garden", client.organizations().listOrganizations().toList().getFirst().name());
    client.organizations().createOrganization(new NewOrganization("garden", "The garden", null));
    var garden = client.organization("garden");
    garden.getOrganization();
    garden.updateOrganization(new OrganizationChange(null, null, null, true));
    assertEquals(List.of(), garden.listAuditEvents().toList());
    assertEquals(List.of(), garden.listMembers().toList());
    assertEquals("editor", garden.setMember("b+1@example.org", new NewRole("editor")).role());
    garden.removeMember("b+1@example.org");
    assertEquals(
        List.of(
            "GET /api/orgs?limit=500",
            "POST /api/orgs",
            "GET /api/orgs/garden",
            "PATCH /api/orgs/garden",
            "GET /api/orgs/garden/audit?limit=500",
            "GET /api/orgs/garden/members?limit=500",
            "PUT /api/orgs/garden/members/b%2B1%40example.org",
            "DELETE /api/orgs/garden/members/b%2B1%40example.org"),
        server.routes());
    assertEquals(
        json("{\"name\":\"garden\",\"displayName\":\"The garden\"}"),
        json(server.requests().get(1).body()));
    assertEquals(json("{\"archived\":true}"), json(server.requests().get(3).body()));
  }

  @Test
  void a_change_of_settings_tells_null_from_what_is_left_out() throws Exception {
    server.then(200, REPOSITORY).then(201, REPOSITORY).then(200, OK);
    var notifications =
        new RepositorySettingsChange.Notifications(
            JsonNodeFactory.instance.nullNode(), JsonNodeFactory.instance.textNode("hooks"));
    repository()
        .updateRepository(
            new RepositoryChange(
                null, null, null, null, new RepositorySettingsChange(null, notifications, null)));
    client.organization("garden").createRepository(new NewRepository("greenhouse", null, null));
    repository().deleteRepository();
    assertEquals(
        json(
            "{\"settings\":{\"notifications\":{\"webhookUrl\":null,\"credentialSetName\":\"hooks\"}}}"),
        json(server.requests().getFirst().body()));
    assertEquals(
        List.of(
            "PATCH /api/repos/garden/greenhouse",
            "POST /api/orgs/garden/repos",
            "DELETE /api/repos/garden/greenhouse"),
        server.routes());
  }

  @Test
  void subscriptions_have_their_routes_with_encoded_names_and_if_match() {
    server.then(200, "[" + SUBSCRIPTION + "]").then(200, SUBSCRIPTION).then(200, SUBSCRIPTION);
    server.then(200, OK).then(200, OK).then(200, OK);
    server.then(
        200,
        """
        {"bound":true,"subscriptionName":"a/b","credentialSetName":"hooks","subscription":%s}\
        """
            .formatted(SUBSCRIPTION));
    server.then(200, "{\"unbound\":true,\"subscriptionName\":\"a/b\"}");
    var subscriptions = repository().subscriptions();
    assertEquals("a/b", subscriptions.listSubscriptions().getFirst().name());
    subscriptions.getSubscription("a/b");
    subscriptions.updateSubscription("a/b", JsonNodeFactory.instance.objectNode(), "\"e\"");
    subscriptions.pauseSubscription("a/b");
    subscriptions.resumeSubscription("a/b", "\"e\"");
    subscriptions.deleteSubscription("a/b", null);
    assertEquals(
        "hooks",
        subscriptions.bindCredentials("a/b", new Binding("hooks"), null).credentialSetName());
    subscriptions.unbindCredentials("a/b", "\"e\"");
    var below = " /api/repos/garden/greenhouse/subs/a%2Fb";
    assertEquals(
        List.of(
            "GET /api/repos/garden/greenhouse/subs",
            "GET" + below,
            "PATCH" + below,
            "POST" + below + "/pause",
            "POST" + below + "/resume",
            "DELETE" + below,
            "POST" + below + "/bind",
            "DELETE" + below + "/bind"),
        server.routes());
    assertEquals("\"e\"", server.requests().get(2).header("If-Match"));
    assertEquals("\"e\"", server.requests().get(4).header("If-Match"));
    assertEquals(null, server.requests().get(5).header("If-Match"));
  }

  @Test
  void a_new_subscription_is_sent_again_with_the_same_key_if_the_answer_is_lost() throws Exception {
    server.thenLost().then(201, SUBSCRIPTION).then(201, SUBSCRIPTION);
    var request =
        NewSubscription.onCommits(
                "a/b",
                "Sensor",
                Filter.ofOperations("add"),
                new SubscriptionExecutor.Webhook("https://hooks.garden.example/"))
            .boundTo("hooks");
    repository().subscriptions().createSubscription(request);
    repository().subscriptions().createSubscription(request);
    var keys = server.requests().stream().map(sent -> sent.header("Idempotency-Key")).toList();
    assertEquals(keys.get(0), keys.get(1));
    assertNotEquals(keys.get(1), keys.get(2));
    assertEquals(
        json(
            """
            {"name":"a/b","kind":"webhook","shapeName":"Sensor","filterJson":{"operation":"add"},\
            "webhookUrl":"https://hooks.garden.example/","credentialSetName":"hooks"}\
            """),
        json(server.requests().getFirst().body()));
  }

  @Test
  void a_schedule_names_its_executor() throws Exception {
    server.then(201, SUBSCRIPTION);
    var command = new SpriteConfig("make", "stdin", null, null, null, null, null, null);
    repository()
        .subscriptions()
        .createSubscription(
            NewSubscription.onSchedule(
                "nightly",
                new CronConfig("30 2 * * *", null),
                new SubscriptionExecutor.Sprite(command)));
    assertEquals(
        json(
            """
            {"name":"nightly","kind":"cron","executorKind":"sprite",\
            "cronConfig":{"cronspec":"30 2 * * *"},\
            "spriteConfig":{"command":"make","inputMode":"stdin"}}\
            """),
        json(server.requests().getFirst().body()));
  }

  @Test
  void a_subscription_says_what_it_does_if_the_answer_has_it() throws Exception {
    server.then(200, "{\"name\":\"a\",\"kind\":\"webhook\",\"active\":true,\"webhookUrl\":\"u\"}");
    server.then(
        200,
        """
        {"name":"b","kind":"cron","active":true,"executorKind":"sprite",\
        "spriteConfig":{"command":"make","inputMode":"env"}}\
        """);
    server.then(200, "{\"name\":\"c\",\"kind\":\"sprite\",\"active\":true}");
    var subscriptions = repository().subscriptions();
    assertEquals(
        new SubscriptionExecutor.Webhook("u"),
        subscriptions.getSubscription("a").executor().orElseThrow());
    var sprite =
        (SubscriptionExecutor.Sprite) subscriptions.getSubscription("b").executor().orElseThrow();
    assertEquals("make", sprite.config().command());
    assertEquals(true, subscriptions.getSubscription("c").executor().isEmpty());
  }

  @Test
  void a_filter_reads_one_text_and_several() throws Exception {
    var filter =
        Json.mapper()
            .readValue(
                "{\"operation\":\"add\",\"match\":[\"A/*\",\"B/*\"],\"not\":{\"kind\":\"shape\"}}",
                Filter.class);
    assertEquals(List.of("add"), filter.operation());
    assertEquals(List.of("A/*", "B/*"), filter.match());
    assertEquals(List.of("shape"), filter.not().kind());
  }

  @Test
  void runs_are_read_in_pages_of_200_that_links_follow() {
    var run =
        """
        [{"runId":"r%d","subscriptionName":"a","status":"succeeded","executorKind":"webhook",\
        "attemptCount":1,"maxAttempts":7,"createdAt":1,"updatedAt":1}]\
        """;
    server.then(
        200,
        run.formatted(1),
        "Link",
        "</api/repos/garden/greenhouse/actions/runs?cursor=next>; rel=\"next\"");
    server.then(200, run.formatted(2));
    server.then(200, "[]").then(200, "[]").then(200, "[]");
    var runs = repository().runs();
    assertEquals(List.of("r1", "r2"), runs.listRuns("succeeded", 5L).map(Run::runId).toList());
    assertEquals(List.of(), runs.listNotifications(null).toList());
    runs.listAttempts("r1");
    runs.listAttemptsOfCommit("a/b", "465db8d78211dee8");
    var below = "GET /api/repos/garden/greenhouse/actions";
    assertEquals(
        List.of(
            below + "/runs?status=succeeded&since=5&limit=200",
            below + "/runs?status=succeeded&since=5&limit=200&cursor=next",
            below + "/notifications?limit=200",
            below + "/runs/r1/attempts",
            below + "/subs/a%2Fb/commits/465db8d78211dee8/attempts"),
        server.routes());
  }

  @Test
  void failed_runs_are_retried_and_recovered() throws Exception {
    server.then(200, "{\"ok\":true,\"runId\":\"r1\",\"status\":\"retry_wait\"}");
    server.then(200, "{\"ok\":true,\"runs\":3}");
    server.then(200, "{\"ok\":true,\"runId\":\"r1\",\"status\":\"succeeded\"}");
    assertEquals("retry_wait", repository().runs().retryRun("r1").status());
    assertEquals(3, repository().runs().recoverRuns("a/b", 7));
    var report = new Report("succeeded", null, null, null, null);
    assertEquals("succeeded", repository().runs().reportRun("r1", report).status());
    assertEquals(
        List.of(
            "POST /api/repos/garden/greenhouse/actions/runs/r1/retry",
            "POST /api/repos/garden/greenhouse/subs/a%2Fb/recover",
            "POST /api/action-runs/r1/callback"),
        server.routes());
    assertEquals(json("{\"since\":7}"), json(server.requests().get(1).body()));
  }

  @Test
  void a_retry_is_not_repeated_when_its_answer_is_lost() {
    server.thenLost();
    assertThrows(ServerNotReachedException.class, () -> repository().runs().retryRun("r1"));
    assertEquals(1, server.requests().size());
  }

  @Test
  void credential_sets_are_those_of_a_repository_or_of_an_organization() throws Exception {
    server.then(200, "[" + SET + "]").then(200, SET).then(200, SET).then(200, SET).then(200, OK);
    var keys = new HashMap<String, String>();
    keys.put("A", "secret");
    keys.put("B", null);
    var sets = client.organization("garden").credentialSets();
    sets.listCredentialSets();
    repository().credentialSets().getCredentialSet("hooks");
    sets.putCredentialSet("hooks", new CredentialChange(null, keys));
    sets.revokeCredentialSet("hooks");
    repository().credentialSets().deleteCredentialSet("hooks");
    assertEquals(
        List.of(
            "GET /api/orgs/garden/credential-sets",
            "GET /api/repos/garden/greenhouse/credential-sets/hooks",
            "PUT /api/orgs/garden/credential-sets/hooks",
            "POST /api/orgs/garden/credential-sets/hooks/revoke",
            "DELETE /api/repos/garden/greenhouse/credential-sets/hooks"),
        server.routes());
    assertEquals(
        json("{\"keys\":{\"A\":\"secret\",\"B\":null}}"), json(server.requests().get(2).body()));
  }

  @Test
  void components_and_their_installs_have_their_routes() throws Exception {
    for (int i = 0; i < 12; i++) {
      server.then(200, "{\"items\":[],\"reasons\":[],\"checks\":[],\"plan\":[]}");
    }
    server.then(200, "[]");
    var components = client.components();
    assertEquals(List.of(), components.listComponents("garden").toList());
    components.getComponent("garden", "x", "1.0.0");
    components.registerComponent("garden", "x", JsonNodeFactory.instance.objectNode());
    components.deregisterComponent("garden", "x");
    components.resolveComponent("garden", "x", new ComponentResolution("garden/greenhouse"));
    components.setUpComponent("garden", "x", new ComponentSetup("garden/greenhouse", "i", "h"));
    components.callComponentMethod("garden", "x", "find", new ComponentCall("garden/g", null));
    var installs = repository().installs();
    installs.installComponent(new Installation("garden/x", null, null, true));
    installs.examineComponent("i");
    installs.tearDownComponent("i", new Teardown("pause", null));
    installs.rotateComponentToken("i");
    components.registerComponent(
        "garden",
        "x",
        new ComponentRegistration(
            JsonNodeFactory.instance.objectNode(),
            null,
            JsonNodeFactory.instance.nullNode(),
            null,
            null));
    installs.listInstalls();
    var registry = " /api/component-registry/garden/x";
    var installed = " /api/repos/garden/greenhouse/components";
    assertEquals(
        List.of(
            "GET /api/component-registry/garden?limit=500",
            "GET" + registry + "?version=1.0.0",
            "PUT" + registry,
            "DELETE" + registry,
            "POST" + registry + "/resolve",
            "POST" + registry + "/setup-call",
            "POST" + registry + "/cli/find",
            "POST" + installed,
            "POST" + installed + "/i/doctor",
            "POST" + installed + "/i/teardown",
            "POST" + installed + "/i/token",
            "PUT" + registry,
            "GET" + installed),
        server.routes());
    assertEquals(
        json("{\"manifest\":{},\"setupUrl\":null}"), json(server.requests().get(11).body()));
  }

  @Test
  void no_secret_is_in_the_text_of_a_record() {
    var secret = "cairn_secret";
    var texts =
        List.of(
            new CreatedPat(secret, "n", null, null, 1, 1, null).toString(),
            new ComponentToken(secret, 1).toString(),
            new Installed("i", "c", "1", "h", List.of(), null, null, secret, null).toString(),
            new CredentialChange(null, Map.of("A", secret)).toString());
    texts.forEach(text -> assertFalse(text.contains(secret), text));
  }
}
