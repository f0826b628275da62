package dev.cairn.mcp;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** MCP, Tools: organizations, their members and repositories. */
@QuarkusTest
@HttpTest
class TenancyToolsTest {
  private final Mcp owner = Mcp.admin(Mcp.NEW);

  @Test
  void an_organization_is_made_changed_and_closed() {
    var name = Api.unique("org");
    var org = Map.of("org", name);
    done(owner.call("org_create", Map.of("name", name, "displayName", "One")));
    done(owner.call("org_update", ToolsTest.with(org, "description", "Of one")))
        .body("result.structuredContent.description", equalTo("Of one"));
    done(owner.call("org_get", org)).body("result.structuredContent.role", equalTo("owner"));
    done(owner.call("org_archive", org));
    owner
        .call("org_update", ToolsTest.with(org, "description", "x"))
        .body("result.structuredContent.code", equalTo("ARCHIVED"));
    done(owner.call("org_unarchive", org));
    done(owner.call("org_list", Map.of("limit", 1)))
        .body("result.structuredContent.nextCursor", notNullValue());
    var person = People.stranger();
    done(
        owner.call(
            "org_member_set",
            ToolsTest.with(ToolsTest.with(org, "email", person.email()), "role", "viewer")));
    done(Mcp.of(Mcp.NEW, person.token()).call("org_list", Map.of()))
        .body("result.structuredContent.items.name", hasItem(name));
    Mcp.anonymous(Mcp.NEW)
        .call("org_get", org)
        .body("result.structuredContent.code", equalTo("NOT_FOUND"));
  }

  @Test
  void whoami_shows_200_organizations_and_leads_to_the_others() {
    var person = People.stranger();
    var prefix = Api.unique("who") + "-";
    People.joinNewOrganizations(person.email(), prefix, 1, 203);
    var member = Mcp.of(Mcp.NEW, person.token());
    String next =
        done(member.call("whoami", Map.of()))
            .body("result.structuredContent.orgs.size()", equalTo(200))
            .extract()
            .path("result.structuredContent.orgsNext");
    // As the description of the tool says.
    var cursor = next.substring(next.lastIndexOf('=') + 1);
    done(member.call("org_list", Map.of("cursor", cursor)))
        .body(
            "result.structuredContent.items.name",
            contains(prefix + "0201", prefix + "0202", prefix + "0203"))
        .body("result.structuredContent.nextCursor", nullValue());
  }

  @Test
  void members_come_and_go_and_do_what_their_role_allows() {
    var org = Map.of("org", Api.newOrg());
    var person = People.stranger();
    var email = ToolsTest.with(org, "email", person.email());
    done(owner.call("org_member_set", ToolsTest.with(email, "role", "viewer")));
    done(owner.call("org_member_list", org))
        .body("result.structuredContent.items.email", hasItem(person.email()));
    Mcp.of(Mcp.NEW, person.token())
        .call("repo_create", ToolsTest.with(org, "name", "theirs"))
        .body("result.structuredContent.code", equalTo("FORBIDDEN"));
    done(owner.call("org_member_remove", ToolsTest.with(email, "confirm", person.email())));
    done(owner.call("org_member_list", org))
        .body("result.structuredContent.items.email", not(hasItem(person.email())));
  }

  @Test
  void a_page_of_repositories_ends_early_where_their_descriptions_are_long() {
    var org = Api.newOrg();
    int count = 34;
    for (int i = 0; i < count; i++) {
      done(
          owner.call(
              "repo_create",
              Map.of("org", org, "name", "r" + i, "description", "\ud83d\ude00".repeat(2_000))));
    }

    var first = done(owner.call("repo_list", Map.of("org", org, "limit", 100))).extract();
    int items = first.path("result.structuredContent.items.size()");
    String cursor = first.path("result.structuredContent.nextCursor");
    var rest = done(owner.call("repo_list", Map.of("org", org, "limit", 100, "cursor", cursor)));

    assertTrue(items > 10 && items < count, items + " items");
    rest.body("result.structuredContent.items.size()", equalTo(count - items));
  }

  @Test
  void a_repository_is_changed_closed_and_deleted() {
    var in = ToolsTest.in(Api.newRepository());
    done(owner.call("repo_update", ToolsTest.with(in, "visibility", "private")))
        .body("result.structuredContent.visibility", equalTo("private"));
    done(owner.call("repo_list", Map.of("org", in.get("org"))))
        .body("result.structuredContent.items.name", hasItem("repo"));
    done(owner.call("repo_archive", in));
    owner
        .call("repo_content_set", with(in, "agents.md"))
        .body("result.structuredContent.code", equalTo("ARCHIVED"));
    done(owner.call("repo_unarchive", in));
    for (int i = 0; i < 2; i++) {
      done(owner.call("repo_content_set", with(in, "agents.md")));
    }
    done(owner.call("repo_content_get", ToolsTest.with(in, "document", "agents.md")))
        .body("result.content[0].text", equalTo("Ask first"))
        .body("result.structuredContent.content", equalTo("Ask first"));
    done(owner.call("repo_content_get", ToolsTest.with(in, "document", "llms.txt")));
    owner
        .call("repo_content_set", with(in, "llms.txt"))
        .body("result.structuredContent.code", equalTo("VALIDATION_ERROR"));
    done(owner.call("repo_delete", ToolsTest.with(in, "confirm", "repo")));
    owner.call("repo_get", in).body("result.structuredContent.code", equalTo("NOT_FOUND"));
  }

  private static Map<String, Object> with(Map<String, Object> in, String document) {
    return ToolsTest.with(ToolsTest.with(in, "document", document), "content", "Ask first");
  }

  private static ValidatableResponse done(ValidatableResponse answer) {
    return answer.statusCode(200).body("result.isError", equalTo(false));
  }
}
