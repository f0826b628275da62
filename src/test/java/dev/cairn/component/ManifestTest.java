package dev.cairn.component;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.cairn.access.Permission;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.subscription.CredentialNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/components.md}, Manifest, and its JSON Schema. */
class ManifestTest {
  private static final Schema SCHEMA = schema();

  private static Schema schema() {
    try {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(Files.readString(Path.of("docs/component.schema.json")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The schema accepts whatever the service does. */
  private static void accepted(JsonNode manifest) {
    var json = ManifestRules.check(manifest);
    assertThat(SCHEMA.validate(manifest), hasSize(0));
    var _ = Manifest.of(json);
  }

  private static Problem refused(JsonNode manifest) {
    return assertThrows(Problem.class, () -> ManifestRules.check(manifest));
  }

  /** The only thing that is wrong. */
  private static Problem refused(JsonNode manifest, String pointer, String detail) {
    var problem = refused(manifest);
    assertEquals(ErrorCode.VALIDATION_ERROR, problem.code());
    assertThat(pointers(problem), is(List.of(pointer)));
    assertThat(problem.errors().getFirst().detail(), containsString(detail));
    return problem;
  }

  private static List<String> pointers(Problem problem) {
    return problem.errors().stream().map(Problem.Violation::pointer).toList();
  }

  @Test
  void all_members_but_the_component_may_be_left_out() {
    accepted(Manifests.full());
    for (var member : Manifests.full().properties()) {
      var without = Manifests.without(Manifests.full(), "/" + member.getKey());
      if (member.getKey().equals("component")) {
        refused(without, "/component", "`component` is required.");
      }
    }
    accepted(Manifests.least("a", "0.0.1"));
  }

  @Test
  void what_is_left_out_gets_its_default() {
    var manifest = Manifest.of(ManifestRules.check(Manifests.least("a", "0.0.1")));
    assertEquals(List.of(), manifest.shapes());
    assertEquals(List.of(), manifest.health().requires());
    assertEquals("pause", manifest.teardown().subscriptions());
    assertEquals(List.of(), manifest.runtimeAccess().reads());
    assertEquals(List.of(), manifest.cli().methods());
    assertEquals(
        Set.of(Permission.REPO_READ, Permission.REPO_WRITE, Permission.REPO_CONFIGURE),
        manifest.permissionsToInstall());
  }

  @Test
  void to_install_it_takes_what_the_tokens_of_its_subscriptions_may_do() {
    var manifest =
        Manifests.set(
            Manifests.full(),
            "/subscriptions/1",
            Manifests.json(
                "{'name':'nightly','kind':'cron','executorKind':'sprite',"
                    + "'cronConfig':{'cronspec':'0 3 * * *'},"
                    + "'spriteConfig':{'command':'true','inputMode':'stdin'},"
                    + "'tokenScopes':[{'permissions':['repo:admin']}]}"));
    accepted(manifest);
    assertEquals(
        Set.of(
            Permission.REPO_READ,
            Permission.REPO_WRITE,
            Permission.REPO_CONFIGURE,
            Permission.REPO_ADMIN),
        Manifest.of(ManifestRules.check(manifest)).permissionsToInstall());
  }

  @Test
  void the_canonical_json_is_what_is_hashed() {
    var manifest = Manifests.json("{'component':{'version':'1.0.0','name':'N','id':'a'}}");
    assertEquals(
        "{\"component\":{\"id\":\"a\",\"name\":\"N\",\"version\":\"1.0.0\"}}",
        ManifestRules.check(manifest));
  }

  /** Each breaks one rule, which the schema has too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/component | 1 | /component | must be an object",
        "/colour | 'red' | /colour | Unknown member",
        "/component/colour | 'red' | /component/colour | Unknown member",
        "/component/id | '' | /component/id | 1 to 100 lower-case letters",
        "/component/id | 'Upper' | /component/id | 1 to 100 lower-case letters",
        "/component/id | 'a-' | /component/id | 1 to 100 lower-case letters",
        "/component/id | 1 | /component/id | must be a string",
        "/component/name | '' | /component/name | 1 to 200 characters",
        "/component/name | '  ' | /component/name | not only blanks",
        "/component/name | null | /component/name | must be a string",
        "/component/version | '1.2' | /component/version | Semantic Versioning",
        "/component/version | '1.02.0' | /component/version | Semantic Versioning",
        "/component/version | '1.2.0-01' | /component/version | Semantic Versioning",
        "/component/version | '1.2.0+b' | /component/version | without build metadata",
        "/component/description | '' | /component/description | 1 to 2,000 characters",
        "/health/requires | {} | /health/requires | must be an array",
        "/shapes/3 | 'A' | /shapes/3 | must be an object",
        "/shapes/3 | {'name':'A'} | /shapes/3/data | must be an object",
        "/shapes/3 | {'data':{'fields':{}}} | /shapes/3/name | is required",
        "/shapes/3 | {'name':'1','data':{'fields':{}}} | /shapes/3/name | A shape name",
        "/shapes/3 | {'name':'List','data':{'fields':{}}} | /shapes/3/name | built-in",
        "/shapes/3 | {'name':'A','data':{}} | /shapes/3/data/fields | must have 'fields'",
        "/shapes/3 | {'name':'A','data':{'fields':{},'x':1}} | /shapes/3/data/x | no member",
        "/shapes/3 | {'name':'A','data':{'fields':{}},'kind':'shape'} | /shapes/3/kind | Unknown"
            + " member",
        "/credentials/2 | {'name':'x'} | /credentials/2/keys | is required",
        "/credentials/2 | {'name':'x','keys':[]} | /credentials/2/keys | at least one",
        "/credentials/2 | {'name':'-','keys':['K']} | /credentials/2/name | letter or digit",
        "/credentials/2 | {'name':'x','keys':['1']} | /credentials/2/keys/0 | A key's name",
        "/credentials/2 | {'name':'x','keys':[1]} | /credentials/2/keys/0 | must be a string",
        "/credentials/2 | {'name':'x','keys':['K','K']} | /credentials/2/keys/1 | only once",
        "/credentials/2 | {'name':'x','keys':['K'],'description':''} | /credentials/2/description |"
            + " 1 to 500",
        "/subscriptions/0 | 'hook' | /subscriptions/0 | must be an object",
        "/subscriptions/0/kind | 'mail' | /subscriptions/0/kind | must be one of",
        "/subscriptions/0/name | '-' | /subscriptions/0/name | A subscription name",
        "/subscriptions/0/colour | 1 | /subscriptions/0/colour | Unknown member",
        "/subscriptions/0/shapeName | '1' | /subscriptions/0/shapeName | A shape name",
        "/subscriptions/0/webhookUrl | 1 | /subscriptions/0/webhookUrl | must be a string",
        "/subscriptions/0/sourceRepo | 'a/b' | /subscriptions/0/sourceRepo | leave `sourceRepo`"
            + " out",
        "/seeds/3 | {'name':'Setting/x'} | /seeds/3/data | must be an object",
        "/seeds/3 | {'data':{}} | /seeds/3/name | is required",
        "/seeds/3 | {'name':'Setting','data':{'depth':1}} | /seeds/3/name | is not a wref",
        "/seeds/3 | {'name':'Setting/x@v1','data':{'depth':1}} | /seeds/3/name | local wref without"
            + " a version",
        "/seeds/2/about | 'Dependency/a@HEAD' | /seeds/2/about | local wref without a version",
        "/health/requires/2 | {} | /health/requires/2 | either `wref` or `path`",
        "/health/requires/2 | {'wref':'A/b','path':'/'} | /health/requires/2 | either `wref` or"
            + " `path`",
        "/health/requires/2 | {'path':'health'} | /health/requires/2/path | A path must begin",
        "/health/requires/2 | {'path':'/a/../b'} | /health/requires/2/path | A path must begin",
        "/health/requires/2 | {'path':'/a//b'} | /health/requires/2/path | A path must begin",
        "/health/requires/2 | {'path':'/a?b'} | /health/requires/2/path | A path must begin",
        "/health/requires/2 | {'wref':'A/b@v1'} | /health/requires/2/wref | without a version",
        "/teardown/subscriptions | 'keep' | /teardown/subscriptions | pause or delete",
        "/runtimeAccess/reads | '**' | /runtimeAccess/reads | must be an array",
        "/runtimeAccess/reads/1 | '' | /runtimeAccess/reads/1 | ``",
        "/runtimeAccess/writes/1 | 1 | /runtimeAccess/writes/1 | must be a string",
        "/runtimeAccess/admin | [] | /runtimeAccess/admin | Unknown member",
        "/cli/methods/0/name | '1' | /cli/methods/0/name | A method's name",
        "/cli/methods/0/method | 'PUT' | /cli/methods/0/method | GET or POST",
        "/cli/methods/0/path | '//' | /cli/methods/0/path | A path must begin",
        "/cli/methods/0/requiresPermission | 'org:read' | /cli/methods/0/requiresPermission | must"
            + " be one of repo:read",
        "/cli/methods/0/args/2 | {'name':'1','type':'string'} | /cli/methods/0/args/2/name | An"
            + " argument's name",
        "/cli/methods/0/args/2 | {'name':'a?','type':'string'} | /cli/methods/0/args/2/name | An"
            + " argument's name",
        "/cli/methods/0/args/2 | {'name':'a','type':'text'} | /cli/methods/0/args/2/type | A type"
            + " must be",
        "/cli/methods/0/args/2 | {'name':'a','type':['string']} | /cli/methods/0/args/2/type | must"
            + " be a string",
        "/cli/methods/0/args/2 | {'name':'a'} | /cli/methods/0/args/2/type | is required",
        "/cli/methods/1/args/1 | {'name':'a','type':'any'} | /cli/methods/1/args/1/type | query"
            + " parameters",
      })
  void rules_that_the_schema_has_too(String at, String value, String pointer, String detail) {
    var manifest = Manifests.set(Manifests.full(), at, Manifests.json(value));
    refused(manifest, pointer, detail);
    assertThat("the schema accepts it", SCHEMA.validate(manifest).isEmpty(), is(false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/shapes/3 | {'name':'Cycle','data':{'fields':{}}} | /shapes/3/name | only once",
        "/shapes/3 | {'name':'A','data':{'fields':{'x':'text'}}} | /shapes/3/data/fields/x | A type"
            + " must be",
        "/shapes/3 |"
            + " {'name':'A','data':{'about':['Dep'],'fields':{'x':{'type':'string','pattern':'('}}}}"
            + " | /shapes/3/data/fields/x/pattern | ``",
        "/credentials/2 | {'name':'other','keys':['K']} | /credentials/2/name | only once",
        "/subscriptions/1 |"
            + " {'name':'cycles','kind':'webhook','on':'A','filter':{},'url':'https://a.example'} |"
            + " /subscriptions/1/name | only once",
        "/subscriptions/1 | {'name':'c','kind':'webhook','filter':{},'url':'https://a.example'} |"
            + " /subscriptions/1/shapeName | is required",
        "/subscriptions/0/filterJson | {'operation':'fly'} | /subscriptions/0/filterJson/operation"
            + " | ``",
        "/subscriptions/0/cronConfig | {} | /subscriptions/0/cronConfig | does not belong",
        "/subscriptions/0/credentialSetName | 'missing' | /subscriptions/0/credentialSetName | not"
            + " one of the manifest's `credentials`",
        "/seeds/3 | {'name':'Setting/default','data':{'depth':1}} | /seeds/3/name | only once",
        "/seeds/3 | {'name':'Other/x','data':{}} | /seeds/3/name | one of the manifest's `shapes`",
        "/seeds/3 | {'name':'ComponentInstall/x','data':{}} | /seeds/3/name | one of the manifest's"
            + " `shapes`",
        "/seeds/3 | {'name':'cairn:a/b/Setting/x','data':{'depth':1}} | /seeds/3/name | local wref",
        "/seeds/3 | {'name':'Setting/x','data':{'depth':'deep'}} | /seeds/3/data/depth | a number",
        "/seeds/3 | {'name':'Setting/x','data':{}} | /seeds/3/data/depth | required",
        "/seeds/3 | {'name':'Setting/x','about':'A/b','data':{'depth':1}} | /seeds/3/about | must"
            + " not be about anything",
        "/seeds/3 | {'name':'Cycle/x','data':{'length':1}} | /seeds/3/about | must be about"
            + " something",
        "/runtimeAccess/reads/1 | 'a**' | /runtimeAccess/reads/1 | ``",
        "/cli/methods/0/name | 'status' | /cli/methods/1/name | only once",
        "/cli/methods/0/credentialSet | 'missing' | /cli/methods/0/credentialSet | not one of the"
            + " manifest's `credentials`",
        "/cli/methods/0/credentialSet | 'other' | /cli/methods/0/credentialSet | must have the key"
            + " CLI_SIGNING_SECRET",
        "/cli/methods/0/args/2 | {'name':'all','type':'string'} | /cli/methods/0/args/2/name | only"
            + " once",
      })
  void rules_that_no_schema_can_have(String at, String value, String pointer, String detail) {
    refused(Manifests.set(Manifests.full(), at, Manifests.json(value)), pointer, detail);
  }

  @Test
  void everything_that_is_wrong_is_listed_at_once() {
    var manifest = Manifests.full();
    Manifests.set(manifest, "/component/id", Manifests.json("''"));
    Manifests.set(manifest, "/component/version", Manifests.json("'one'"));
    Manifests.set(manifest, "/shapes/0/data/fields/from", Manifests.json("'text'"));
    Manifests.set(manifest, "/shapes/0/data/fields/to", Manifests.json("'text'"));
    Manifests.set(manifest, "/subscriptions/0/kind", Manifests.json("'mail'"));
    Manifests.set(manifest, "/cli/methods/0/method", Manifests.json("'PUT'"));
    assertEquals(
        Set.of(
            "/component/id",
            "/component/version",
            "/shapes/0/data/fields/from",
            "/shapes/0/data/fields/to",
            "/subscriptions/0/kind",
            "/cli/methods/0/method"),
        Set.copyOf(pointers(refused(manifest))));
  }

  @Test
  void everything_that_is_wrong_with_a_subscription_is_listed_at_once() {
    var manifest = Manifests.full();
    Manifests.set(
        manifest,
        "/subscriptions/0",
        Manifests.json(
            "{'name':'a b','kind':'webhook','shapeName':'Dependency','filterJson':1,'color':1,"
                + "'webhookUrl':2,'credentialSetName':'none','sourceRepo':'a/b'}"));
    assertEquals(
        Set.of(
            "/subscriptions/0/name",
            "/subscriptions/0/filterJson",
            "/subscriptions/0/color",
            "/subscriptions/0/webhookUrl",
            "/subscriptions/0/credentialSetName",
            "/subscriptions/0/sourceRepo"),
        Set.copyOf(pointers(refused(manifest))));
    Manifests.set(manifest, "/subscriptions/0", Manifests.json("{}"));
    assertEquals(
        List.of("/subscriptions/0/name", "/subscriptions/0/kind"), pointers(refused(manifest)));
  }

  @Test
  void a_component_seeds_no_settings_of_another_one() {
    var manifest = Manifests.full();
    Manifests.set(manifest, "/seeds/1/name", Manifests.json("'ComponentConfig/another'"));
    refused(manifest, "/seeds/1/name", "only seed its own, `ComponentConfig/cycle-finder`");
  }

  @Test
  void a_seed_refers_to_no_result_of_an_operation() {
    var manifest = Manifests.full();
    Manifests.set(manifest, "/shapes/2/data/fields/parent", Manifests.json("'wref?'"));
    Manifests.set(manifest, "/seeds/0/data/parent", Manifests.json("'Setting/default'"));
    accepted(manifest);
    Manifests.set(manifest, "/seeds/0/data/parent", Manifests.json("'$0'"));
    refused(manifest, "/seeds/0/data/parent", "seeds cannot refer to results");
  }

  @Test
  void a_list_that_is_too_long_hides_no_violation_of_its_first_items() {
    var manifest = Manifests.full();
    Manifests.set(
        manifest,
        "/credentials",
        Manifests.array(21, i -> "{'name':'%s','keys':[]}".formatted(i == 0 ? "finder" : "s" + i)));
    var found = pointers(refused(manifest));
    assertEquals("/credentials", found.getFirst());
    assertEquals(20, found.stream().filter(at -> at.endsWith("/keys")).count());
  }

  @ParameterizedTest
  @CsvSource({
    "/properties/shapes/maxItems, shapes",
    "/properties/credentials/maxItems, credentials",
    "/properties/credentials/items/properties/keys/maxItems, keys",
    "/properties/subscriptions/maxItems, subscriptions",
    "/properties/seeds/maxItems, seeds",
    "/properties/health/properties/requires/maxItems, requirements",
    "/properties/cli/properties/methods/maxItems, methods",
    "/properties/cli/properties/methods/items/properties/args/maxItems, arguments",
    "/$defs/patterns/maxItems, patterns",
    "/$defs/path/maxLength, path"
  })
  void the_schema_has_the_numbers_of_the_service(String at, String list) throws IOException {
    int max =
        switch (list) {
          case "shapes" -> ManifestContent.MAX_SHAPES;
          case "credentials" -> ManifestContent.MAX_CREDENTIALS;
          case "keys" -> CredentialNames.MAX_KEYS;
          case "subscriptions" -> ManifestContent.MAX_SUBSCRIPTIONS;
          case "seeds" -> ManifestContent.MAX_SEEDS;
          case "requirements" -> ManifestRuntime.MAX_REQUIREMENTS;
          case "methods" -> ManifestRuntime.MAX_METHODS;
          case "arguments" -> ManifestRuntime.MAX_ARGUMENTS;
          case "patterns" -> ManifestRuntime.MAX_PATTERNS;
          default -> ManifestRuntime.MAX_PATH;
        };
    var schema = IJson.read(Files.readAllBytes(Path.of("docs/component.schema.json")));
    assertEquals(max, schema.at(at).intValue());
  }

  @Test
  void at_most_a_hundred_violations_are_listed_and_the_rest_is_counted() {
    var manifest =
        Manifests.set(Manifests.full(), "/seeds", Manifests.array(500, i -> "{'name':'x'}"));
    var errors = refused(manifest).errors();
    assertThat(errors, hasSize(101));
    assertEquals("and 900 more", errors.getLast().detail());
  }

  /** A manifest in which everything that a test fills up may be there on its own. */
  private static ObjectNode fillable() {
    var manifest = Manifests.without(Manifests.full(), "/seeds");
    return Manifests.without(manifest, "/subscriptions");
  }

  private static void bounded(String pointer, int max, IntFunction<String> item) {
    var most = Manifests.set(fillable(), pointer, Manifests.array(max, item));
    accepted(most);
    var beyond = Manifests.set(fillable(), pointer, Manifests.array(max + 1, item));
    refused(beyond, pointer, "at most %d items".formatted(max));
    assertThat("the schema accepts it", SCHEMA.validate(beyond).isEmpty(), is(false));
  }

  @Test
  void lists_are_bounded() {
    bounded("/shapes", 100, i -> "{'name':'A%d','data':{'fields':{}}}".formatted(i));
    bounded(
        "/subscriptions",
        50,
        i ->
            "{'name':'h%d','kind':'webhook','on':'A','filter':{},'url':'https://a.example'}"
                .formatted(i));
    bounded("/seeds", 500, i -> "{'name':'Setting/a%d','data':{'depth':1}}".formatted(i));
    bounded("/health/requires", 50, i -> "{'path':'/a%d'}".formatted(i));
    bounded("/runtimeAccess/reads", 50, i -> "'A/%d'".formatted(i));
    bounded("/runtimeAccess/writes", 50, i -> "'A/%d'".formatted(i));
    bounded(
        "/cli/methods",
        50,
        i -> "{'name':'m%d','method':'POST','path':'/','credentialSet':'finder'}".formatted(i));
    bounded("/cli/methods/0/args", 20, i -> "{'name':'a%d','type':'string'}".formatted(i));
    bounded("/credentials/1/keys", 50, i -> "'K%d'".formatted(i));
    var manifest = Manifests.least("a", "1.0.0");
    accepted(
        Manifests.set(
            manifest,
            "/credentials",
            Manifests.array(20, i -> "{'name':'s%d','keys':['K']}".formatted(i))));
    refused(
        Manifests.set(
            manifest,
            "/credentials",
            Manifests.array(21, i -> "{'name':'s%d','keys':['K']}".formatted(i))),
        "/credentials",
        "at most 20 items");
  }

  private static void bounded(String pointer, String most) {
    accepted(Manifests.set(Manifests.full(), pointer, Manifests.json("'" + most + "'")));
    var beyond =
        Manifests.set(Manifests.full(), pointer, Manifests.json("'" + most + most.charAt(1) + "'"));
    assertThat(pointers(refused(beyond)), hasItems(pointer));
    assertThat("the schema accepts it", SCHEMA.validate(beyond).isEmpty(), is(false));
  }

  @Test
  void texts_are_bounded() {
    accepted(Manifests.named("a".repeat(100)));
    refused(Manifests.named("a".repeat(101)), "/component/id", "1 to 100 lower-case letters");
    bounded("/component/name", "\u00e9".repeat(200));
    bounded("/component/description", "x".repeat(2_000));
    bounded("/component/version", "1.0.0-" + "0a".repeat(29));
    bounded("/credentials/0/description", "x".repeat(500));
    bounded("/health/requires/1/path", "/" + "p".repeat(499));
    bounded("/cli/methods/0/name", "m".repeat(64));
    bounded("/cli/methods/0/args/0/name", "a".repeat(64));
    bounded("/cli/methods/0/args/0/description", "x".repeat(500));
  }

  @Test
  void patterns_have_at_most_16384_characters_together() {
    IntFunction<String> long1024 = i -> "'A%02d/%s'".formatted(i, "x".repeat(1_020));
    var manifest = Manifests.full();
    accepted(Manifests.set(manifest, "/runtimeAccess/reads", Manifests.array(16, long1024)));
    refused(
        Manifests.set(manifest, "/runtimeAccess/reads", Manifests.array(17, long1024)),
        "/runtimeAccess/reads",
        "16,384 characters together");
  }

  @Test
  void a_manifest_has_at_most_256_kib_as_canonical_json() {
    var manifest = Manifests.least("a", "1.0.0");
    Manifests.set(
        manifest, "/seeds", Manifests.json("[{'name':'ComponentConfig/a','data':{'x':''}}]"));
    int rest = 256 * 1024 - CanonicalJson.of(manifest).getBytes(StandardCharsets.UTF_8).length;
    // Two bytes each in UTF-8, and one more for an odd rest.
    var text = "\u00e9".repeat(rest / 2) + "x".repeat(rest % 2);
    accepted(Manifests.set(manifest, "/seeds/0/data/x", Manifests.json("'" + text + "'")));
    var problem =
        refused(Manifests.set(manifest, "/seeds/0/data/x", Manifests.json("'" + text + "y'")));
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, problem.code());
    assertThat(problem.detail(), containsString("262,144 bytes"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/a", "/a/", "/a/.b/c..", "/a/b;v=1,2", "/~me/@x:y"})
  void paths(String path) {
    accepted(
        Manifests.set(Manifests.full(), "/cli/methods/0/path", Manifests.json("\"" + path + "\"")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"string", "number?", "boolean", "wref?", "array", "any"})
  void types_of_arguments_of_a_post(String type) {
    accepted(
        Manifests.set(
            Manifests.full(), "/cli/methods/0/args/0/type", Manifests.json("'" + type + "'")));
  }

  @Test
  void the_order_of_versions_is_that_of_semantic_versioning() {
    var ordered =
        List.of(
            "0.9.9",
            "1.0.0-1",
            "1.0.0-2",
            "1.0.0-10",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.0.1",
            "1.2.0",
            "1.10.0",
            "2.0.0",
            "10.0.0");
    for (int i = 0; i < ordered.size(); i++) {
      for (int j = 0; j < ordered.size(); j++) {
        assertEquals(
            Integer.signum(Integer.compare(i, j)),
            Integer.signum(version(ordered.get(i)).compareTo(version(ordered.get(j)))),
            ordered.get(i) + " and " + ordered.get(j));
      }
    }
  }

  private static SemanticVersion version(String text) {
    return SemanticVersion.of(text).orElseThrow();
  }
}
