package dev.cairn.cli.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CommandTest;
import dev.cairn.cli.command.ExitCode;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is sent for the options of {@code sub create} and {@code sub edit}. */
class CreateCommandTest extends CommandTest {
  private static final String SUBSCRIPTION =
      "{\"name\":\"n\",\"kind\":\"webhook\",\"active\":true}";

  @BeforeEach
  void answer() {
    server.answer("POST /api/repos/garden/greenhouse/subs", 201, SUBSCRIPTION);
    server.answer("PATCH /api/repos/garden/greenhouse/subs/n", 200, SUBSCRIPTION);
  }

  /** Words are separated by blanks; a blank in a word is written as an underscore. */
  private static String[] words(String line) {
    var words = line.split(" ");
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i].replace('_', ' ');
    }
    return words;
  }

  private void assertSent(String body) throws Exception {
    assertEquals(1, server.requests().size());
    assertBody(0, body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--on Sensor --url u|{'kind':'webhook','shapeName':'Sensor','filterJson':{},"
            + "'webhookUrl':'u','name':'n'}",
        "--on Sensor --operation add,revise --match A/** --match B/* --url u|{'kind':'webhook',"
            + "'shapeName':'Sensor','filterJson':{'operation':['add','revise'],"
            + "'match':['A/**','B/*']},'webhookUrl':'u','name':'n'}",
        "--on S --filter {\"not\":{}} --url u --source o/r --credential c --paused|"
            + "{'kind':'webhook','shapeName':'S','filterJson':{'not':{}},'webhookUrl':'u',"
            + "'sourceRepo':'o/r','credentialSetName':'c','active':false,'name':'n'}",
        "--cron 0_4_*_*_* --zone Europe/Berlin --url u --notify-on-success|{'kind':'cron',"
            + "'cronConfig':{'cronspec':'0 4 * * *','timezone':'Europe/Berlin'},'webhookUrl':'u',"
            + "'executorKind':'webhook','notifyOnSuccess':true,'name':'n'}",
        "--cron 0_4_*_*_* --command make --input env|{'kind':'cron','cronConfig':{'cronspec':"
            + "'0 4 * * *'},'spriteConfig':{'command':'make','inputMode':'env'},"
            + "'executorKind':'sprite','name':'n'}",
        "--on S --command make_it --input json-file --input-path in.json --git-repo o/r --ref main"
            + " --pool p --token-ttl 15 --token-permission repo:read,repo:write --token-match A/**"
            + " --trace-reentry|{'kind':'sprite','shapeName':'S','filterJson':{},'spriteConfig':"
            + "{'command':'make it','inputMode':'json-file','inputPath':'in.json','gitRepo':'o/r',"
            + "'ref':'main','spritePool':'p','tokenTtlMinutes':15},'tokenScopes':[{'permissions':"
            + "['repo:read','repo:write'],'allowedMatches':['A/**']}],'allowTraceReentry':true,"
            + "'name':'n'}"
      })
  void the_common_cases_are_made_from_options(String options, String body) throws Exception {
    var result = cairn().run(words("sub create n " + options));
    assertEquals(0, result.code(), result.err());
    assertSent(body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--url u|Give either --on, for commits, or --cron, for a schedule.",
        "--on S --cron c --url u|Give either --on, for commits, or --cron, for a schedule.",
        "--on S|Give either --url, to call a webhook, or --command, to run one.",
        "--on S --url u --command c|Give either --url, to call a webhook, or --command, to run"
            + " one.",
        "--cron c --url u --match A|--operation, --match and --filter select commits, so they need"
            + " --on.",
        "--on S --url u --zone Z|--zone is the time zone of a schedule, so it needs --cron.",
        "--on S --url u --ref main|--ref belongs to a command, so it needs --command.",
        "--on S --command c|--command needs --input: stdin, json-file or env.",
        "--on S --url u --filter {} --operation add|--filter has the whole filter, so --operation"
            + " and --match exclude it.",
        "--on S --url u --token-match A|--token-match narrows permissions, so it needs"
            + " --token-permission.",
        "--cron c --url u --source o/r|--source is for commits, so it needs --on.",
        "--on S --url u --filter x|--filter is not JSON: see line 1, column 1.",
        "--on S --url u --filter []|--filter is not a JSON object."
      })
  void options_that_do_not_go_together_name_the_rule_and_send_nothing(
      String options, String sentence) {
    var result = cairn().run(words("sub create n " + options));
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertEquals("cairn: " + sentence, result.err().lines().findFirst().orElse(""));
    assertTrue(server.requests().isEmpty());
  }

  @Test
  void a_file_has_the_whole_request() throws Exception {
    var file =
        Files.writeString(
            home.resolve("s.json"), "{\"kind\":\"cron\",\"on\":0.12345678901234567890123}");
    assertEquals(0, cairn().run("sub", "create", "n", "--file", file.toString()).code());
    assertSent("{'kind':'cron','on':0.12345678901234567890123,'name':'n'}");
    assertTrue(server.requests().getFirst().body().contains("0.12345678901234567890123"));
  }

  @Test
  void a_file_can_be_the_standard_input() throws Exception {
    assertEquals(0, cairn().input("{\"a\":null}").run("sub", "edit", "n", "-f", "-").code());
    assertSent("{'a':null}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1 \"b\"}|The standard input is not JSON: see line 1, column 8.",
        "{\"a\":1,\"a\":2}|The standard input is not JSON: see line 1, column 11.",
        "{} {}|The standard input is not JSON: see line 1, column 4.",
        "[]|The standard input is not a JSON object.",
        "``|The standard input is empty."
      })
  void a_file_that_is_no_json_object_says_where(String text, String sentence) {
    var result = cairn().input(text).run("sub", "create", "n", "-f", "-");
    assertEquals(ExitCode.INVALID.code(), result.code());
    assertEquals("cairn: " + sentence + "\n", result.err());
  }

  @Test
  void a_file_excludes_other_options() {
    var result = cairn().input("{}").run("sub", "create", "n", "-f", "-", "--paused");
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertTrue(
        result
            .err()
            .contains("--file has the whole request, so --paused cannot be given with it."));
  }

  @Test
  void a_file_that_is_missing_is_named() {
    var missing = home.resolve("missing.json").toString();
    var result = cairn().run("sub", "create", "n", "-f", missing);
    assertEquals(ExitCode.FAILED.code(), result.code());
    assertEquals("cairn: There is no file " + missing + ".\n", result.err());
  }

  @Test
  void a_change_has_what_was_given_and_the_state_it_is_for() throws Exception {
    var line = "sub edit n --operation add --ref v2 --notify-on-success off --trace-reentry on";
    assertEquals(0, cairn().run(words(line + " --if-match \"e\"")).code());
    assertSent(
        "{'filterJson':{'operation':['add']},'spriteConfig':{'ref':'v2'},'notifyOnSuccess':false,"
            + "'allowTraceReentry':true}");
  }

  @Test
  void a_change_of_nothing_is_refused() {
    var result = cairn().run("sub", "edit", "n");
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertTrue(result.err().contains("Nothing to change"));
  }
}
