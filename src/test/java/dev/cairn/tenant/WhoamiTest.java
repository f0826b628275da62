package dev.cairn.tenant;

import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Access: whoami shows 200 organizations, and where the others are. */
@HttpTest
@QuarkusTest
class WhoamiTest {
  private static final int SHOWN = 200;

  @Test
  void two_hundred_organizations_are_all() {
    var person = People.stranger();
    People.joinNewOrganizations(person.email(), Api.unique("who") + "-", 1, SHOWN);
    as(person.token())
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("orgs", hasSize(SHOWN))
        .body("orgsNext", nullValue());
  }

  @Test
  void of_more_the_first_are_shown_with_a_link_to_the_rest() {
    var person = People.stranger();
    var prefix = Api.unique("who") + "-";
    People.joinNewOrganizations(person.email(), prefix, 1, SHOWN + 3);
    var answer = as(person.token()).get("/api/whoami").then().statusCode(200).extract();
    var names = new ArrayList<List<String>>();
    names.add(answer.path("orgs.name"));
    assertEquals(SHOWN, names.getFirst().size());
    names.add(
        as(person.token())
            .get(answer.<String>path("orgsNext"))
            .then()
            .statusCode(200)
            .body("nextCursor", nullValue())
            .extract()
            .path("items.name"));
    assertEquals(List.of(prefix + "0201", prefix + "0202", prefix + "0203"), names.getLast());
    var pat =
        People.pat(person.token(), "{'resource':'" + prefix + "0203','permissions':['org:read']}");
    as(pat)
        .get("/api/whoami")
        .then()
        .body("orgs.name", is(List.of(prefix + "0203")))
        .body("orgsNext", nullValue());
  }
}
