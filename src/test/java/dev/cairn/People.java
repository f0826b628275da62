package dev.cairn;

import dev.cairn.access.authentication.AccountRows;
import dev.cairn.platform.database.OwnConnections;
import java.util.Arrays;
import java.util.Map;

/** Accounts for the tests of access. */
public final class People {
  /** What all of them sign in with. */
  public static final String PASSWORD = "a good long password";

  private People() {}

  /**
   * An account that was just made.
   *
   * @param token its access token
   */
  public record Person(String email, String token) {
    /** The address as it stands in a path. */
    public String inPath() {
      return email.replace("@", "%40");
    }
  }

  /** A new account without any role. */
  public static Person stranger() {
    var email = Api.unique("person") + "@example.org";
    AccountRows.insert(email, "Person", PASSWORD);
    return new Person(email, Api.token(email, PASSWORD));
  }

  /** A new account with a role in an organization. */
  public static Person member(String org, String role) {
    var person = stranger();
    Prepared.answer(
        200,
        Api.adminToken(),
        "PUT",
        "/api/orgs/" + org + "/members/" + person.inPath(),
        Map.of("role", role));
    return person;
  }

  /**
   * Makes an account a viewer of new organizations, named by a prefix and four digits.
   *
   * @param from the first number
   * @param to the last number
   */
  public static void joinNewOrganizations(String email, String prefix, int from, int to) {
    OwnConnections.database()
        .update(
            """
            with made as (
              insert into organization (id, name, personal, created_at)
              select gen_random_uuid(), ? || lpad(i::text, 4, '0'), false, now()
              from generate_series(?, ?) as i returning id)
            insert into member (org_id, account_id, role, created_at)
            select id, ?, 'viewer', now() from made
            """,
            prefix,
            from,
            to,
            AccountRows.id(email));
  }

  /**
   * A personal access token of an account.
   *
   * @param scopes the entries as the elements of a JSON array, with ' for "; null for none
   */
  public static String pat(String ownerToken, String scopes) {
    var name = Api.unique("pat");
    var body =
        "{'name':'%s'%s}"
            .formatted(name, scopes == null ? "" : ",'structured':true,'scopes':[" + scopes + "]");
    return Prepared.answer(201, ownerToken, "POST", "/api/pats", body.replace('\'', '"'))
        .path("token")
        .textValue();
  }

  /** Revokes the personal access tokens of an account, by its address. */
  public static void revokeTokens(String email) {
    OwnConnections.database()
        .update(
            """
            update personal_access_token set revoked_at = now()
            where account_id = (select id from account where email = ?)
            """,
            email);
  }

  /** A repository of a new account, whose organizations are a tenant of their own. */
  public static String repositoryOfStranger() {
    var token = stranger().token();
    var org = Api.unique("owned");
    Prepared.answer(201, token, "POST", "/api/orgs", "{\"name\":\"%s\"}".formatted(org));
    Prepared.answer(201, token, "POST", "/api/orgs/" + org + "/repos", "{\"name\":\"repo\"}");
    return "/api/repos/" + org + "/repo";
  }

  /** A token of the administrator for one repository, given by its path. */
  public static String narrowedPat(String repository, String permission, String... allowedMatches) {
    var patterns = Arrays.stream(allowedMatches).map("'%s'"::formatted).toList();
    return pat(
        Api.adminToken(),
        "{'resource':'%s','permissions':['%s'],'allowedMatches':[%s]}"
            .formatted(
                repository.substring("/api/repos/".length()),
                permission,
                String.join(",", patterns)));
  }
}
