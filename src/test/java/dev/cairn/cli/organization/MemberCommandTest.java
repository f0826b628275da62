package dev.cairn.cli.organization;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.CommandTest;
import dev.cairn.cli.command.ExitCode;
import org.junit.jupiter.api.Test;

class MemberCommandTest extends CommandTest {
  private static final String MEMBER = "/api/orgs/garden/members/b%2B1%40example.org";
  private static final String MEMBERS = "GET /api/orgs/garden/members?limit=500";

  private static String member(String more) {
    return "{\"email\":\"b+1@example.org\",\"role\":\"editor\"," + more + "\"createdAt\":1}";
  }

  @Test
  void the_organization_is_that_of_the_repository_in_use_unless_one_is_named() {
    server.answer(MEMBERS, 200, "{\"items\":[" + member("\"pending\":true,") + "]}");
    server.answer("GET /api/orgs/other/members?limit=500", 200, "{\"items\":[]}");
    assertEquals(
        "b+1@example.org\t\teditor\tinvited\t1970-01-01T00:00:00.001Z\n",
        cairn().run("member", "list").out());
    assertEquals("", cairn().run("member", "list", "--org", "other").out());
    var nowhere = CliRun.in(home).with("CAIRN_SERVER", server.url()).run("member", "list");
    assertEquals(ExitCode.USAGE.code(), nowhere.code());
  }

  @Test
  void adding_says_whether_it_is_an_invitation() {
    server
        .answer("PUT " + MEMBER, 200, member("\"pending\":true,"))
        .answer("PUT " + MEMBER, 200, member(""));
    var add = new String[] {"member", "add", "b+1@example.org", "--role", "editor"};
    assertEquals(
        "Invited b+1@example.org as editor of garden: the membership begins when that address signs"
            + " up.\n",
        cairn().run(add).err());
    assertEquals("b+1@example.org is editor of garden.\n", cairn().run(add).err());
    assertEquals("{\"role\":\"editor\"}", server.requests().getFirst().body());
  }

  @Test
  void a_role_is_only_changed_of_somebody_who_is_there() {
    server
        .answer(MEMBERS, 200, "{\"items\":[]}")
        .answer(MEMBERS, 200, "{\"items\":[" + member("") + "]}");
    server.answer("PUT " + MEMBER, 200, member(""));
    var set = new String[] {"member", "set-role", "B+1@example.org", "editor"};
    var missing = cairn().run(set);
    assertEquals(ExitCode.NOT_FOUND.code(), missing.code());
    assertTrue(missing.err().contains("Try: cairn member add B+1@example.org"), missing.err());
    assertEquals(1, server.requests().size());
    server.answer("PUT " + MEMBER.replace("/b", "/B"), 200, member(""));
    assertEquals(0, cairn().run(set).code());
  }

  @Test
  void only_who_is_signed_in_can_leave() {
    server.answer(
        "GET /api/whoami", 200, "{\"authenticated\":false,\"kind\":\"anonymous\",\"orgs\":[]}");
    var result = cairn().run("member", "leave", "--org", "garden", "--yes");
    assertEquals(ExitCode.UNAUTHENTICATED.code(), result.code());
    assertEquals("cairn: Nobody is signed in.\nTry: cairn login\n", result.err());
  }

  @Test
  void the_organization_to_leave_must_be_named() {
    var result = cairn().run("member", "leave", "--yes");
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertTrue(server.requests().isEmpty());
  }

  @Test
  void leaving_ends_the_callers_own_membership() {
    server.answer(
        "GET /api/whoami",
        200,
        """
        {"authenticated":true,"kind":"jwt","account":{"email":"b+1@example.org",\
        "displayName":"B"},"orgs":[]}\
        """);
    server.answer("DELETE " + MEMBER, 200, "{\"ok\":true}");
    var result = cairn().run("member", "leave", "--org", "garden", "--yes", "--jsonl");
    assertEquals("{\"ok\":true}\n", result.out());
  }
}
