package dev.cairn;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.cairn.access.limit.ReadBounds;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The arrows of {@code docs/architecture.md}, Packages; a new package or part of one is entered
 * here and there.
 */
class ArchitectureTest {
  private static final String ROOT = "dev.cairn";

  /** What each package may call besides itself; {@code ""} is the package of {@code Main}. */
  private static final Map<String, Set<String>> MAY_CALL =
      Map.ofEntries(
          Map.entry("", Set.of("cli", "platform")),
          Map.entry("client", Set.of()),
          Map.entry("cli", Set.of("client")),
          Map.entry("model", Set.of()),
          Map.entry("platform", Set.of("model")),
          Map.entry("embedded", Set.of("platform", "model")),
          Map.entry("egress", Set.of("platform", "model")),
          Map.entry("work", Set.of("platform", "model")),
          Map.entry("access", Set.of("work", "platform", "model")),
          Map.entry("tenant", Set.of("content", "access", "egress", "work", "platform", "model")),
          Map.entry("oauth", Set.of("access", "egress", "work", "platform", "model")),
          Map.entry("content", Set.of("access", "platform", "model")),
          Map.entry("commit", Set.of("content", "access", "platform", "model")),
          Map.entry(
              "action",
              Set.of(
                  "commit",
                  "content",
                  "subscription",
                  "egress",
                  "access",
                  "work",
                  "platform",
                  "model")),
          Map.entry(
              "subscription",
              Set.of("commit", "content", "tenant", "egress", "access", "platform", "model")),
          Map.entry(
              "component",
              Set.of(
                  "commit",
                  "subscription",
                  "content",
                  "tenant",
                  "egress",
                  "access",
                  "work",
                  "platform",
                  "model")),
          Map.entry(
              "sprite", Set.of("action", "subscription", "tenant", "access", "work", "platform")),
          Map.entry("query", Set.of("content", "access", "platform", "model")),
          Map.entry(
              "search",
              Set.of(
                  "query", "tenant", "content", "access", "egress", "work", "platform", "model")),
          Map.entry(
              "live", Set.of("commit", "query", "content", "access", "work", "platform", "model")),
          Map.entry("export", Set.of("content", "access", "work", "platform", "model")),
          Map.entry("stream", Set.of("commit", "tenant", "access", "work", "platform", "model")),
          Map.entry(
              "mcp",
              Set.of(
                  "commit",
                  "content",
                  "query",
                  "search",
                  "live",
                  "export",
                  "action",
                  "component",
                  "subscription",
                  "tenant",
                  "access",
                  "platform",
                  "model")),
          Map.entry("start", Set.of("commit", "query", "tenant", "access", "platform", "model")));

  /**
   * What the parts of a package may call besides themselves, within the package: a part is a
   * sub-package, or the package itself.
   */
  private static final Map<String, Set<String>> PARTS_MAY_CALL =
      Map.ofEntries(
          Map.entry("action", Set.of()),
          Map.entry("action.read", Set.of("action")),
          Map.entry("action.webhook", Set.of("action")),
          Map.entry("access", Set.of()),
          Map.entry("access.audit", Set.of("access", "access.limit")),
          Map.entry("access.limit", Set.of("access")),
          Map.entry("access.conditional", Set.of("access", "access.limit")),
          Map.entry("access.session", Set.of("access", "access.audit", "access.limit")),
          Map.entry(
              "access.token", Set.of("access", "access.audit", "access.limit", "access.session")),
          Map.entry(
              "access.authentication",
              Set.of(
                  "access",
                  "access.audit",
                  "access.conditional",
                  "access.limit",
                  "access.session",
                  "access.token")),
          Map.entry("cli.output", Set.of()),
          Map.entry("cli.command", Set.of("cli.output")),
          Map.entry("cli.account", Set.of("cli.command", "cli.output")),
          Map.entry("cli.bulk", Set.of("cli.command", "cli.output")),
          Map.entry("cli.component", Set.of("cli.command", "cli.output")),
          Map.entry("cli.content", Set.of("cli.command", "cli.output")),
          Map.entry("cli.credential", Set.of("cli.command", "cli.output")),
          Map.entry("cli.organization", Set.of("cli.command", "cli.output")),
          Map.entry("cli.repository", Set.of("cli.command", "cli.output")),
          Map.entry("cli.subscription", Set.of("cli.command", "cli.output")),
          Map.entry(
              "cli",
              Set.of(
                  "cli.account",
                  "cli.bulk",
                  "cli.command",
                  "cli.component",
                  "cli.content",
                  "cli.credential",
                  "cli.organization",
                  "cli.output",
                  "cli.repository",
                  "cli.subscription")),
          Map.entry("content", Set.of()),
          Map.entry("content.read", Set.of("content")),
          Map.entry("content.verification", Set.of("content")),
          Map.entry("content.write", Set.of("content")),
          Map.entry("model", Set.of()),
          Map.entry("model.filter", Set.of("model", "model.glob")),
          Map.entry("model.glob", Set.of("model")),
          Map.entry("platform", Set.of()),
          Map.entry("platform.database", Set.of("platform")),
          Map.entry("platform.secret", Set.of("platform")),
          Map.entry("platform.limiter", Set.of("platform", "platform.database")),
          Map.entry("platform.http", Set.of("platform", "platform.database")),
          Map.entry(
              "platform.page",
              Set.of("platform", "platform.database", "platform.http", "platform.secret")),
          Map.entry(
              "platform.memory",
              Set.of("platform", "platform.http", "platform.limiter", "platform.page")),
          Map.entry("platform.operation", Set.of("platform", "platform.http", "platform.memory")));

  /** What opens a connection to whatever it is told to. */
  private static final Set<String> CLIENTS =
      Set.of(
          "java.net.HttpURLConnection",
          "java.net.Socket",
          "java.net.URLConnection",
          "java.nio.channels.SocketChannel",
          "io.vertx.core.http.HttpClient",
          "io.vertx.core.net.NetClient",
          "io.vertx.ext.web.client.WebClient");

  /** By what a thread waits for a time, and for nothing else. */
  private static final Set<String> PAUSES =
      Set.of(
          "java.lang.Thread",
          "java.util.concurrent.TimeUnit",
          "java.util.concurrent.locks.LockSupport");

  private static final Pattern PAUSE = Pattern.compile("sleep|park\\w*|yield|onSpinWait");

  /**
   * Classes that open transactions by themselves: for new accounts, for new organizations, which
   * nobody else can lock, within a transaction or a turn, and in small batches of nobody's request.
   */
  private static final Set<String> WITHOUT_TURNS =
      Set.of(
          ROOT + ".component.DeregisteredComponents",
          ROOT + ".tenant.SignUp",
          ROOT + ".tenant.DeletedRepositories",
          ROOT + ".tenant.Organizations",
          ROOT + ".subscription.AutomaticPauses");

  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  static Set<String> packages() {
    return MAY_CALL.keySet();
  }

  static Set<String> parts() {
    return PARTS_MAY_CALL.keySet();
  }

  /** Those that read nothing of the database, or little that is bounded elsewhere. */
  private static final Set<String> UNBOUNDED_READS =
      Set.of(
          "AuthResource.keySet",
          "AuthorizeResource.authorize",
          "DeviceResource.show",
          "ManifestSchemaResource.get",
          "MetadataResource.beneathMcp",
          "MetadataResource.mcp",
          "MetadataResource.root",
          "MetadataResource.server",
          "SignInResource.show");

  /** So that no account can have all connections, or more answers than the heap holds. */
  @Test
  void every_read_is_bounded() {
    var unbounded =
        OURS.stream()
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> method.isAnnotatedWith(GET.class) && !method.getOwner().isInterface())
            .filter(method -> !reaches(method, ReadBounds.class.getName()))
            .map(method -> method.getOwner().getSimpleName() + "." + method.getName())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(new TreeSet<>(UNBOUNDED_READS), unbounded);
  }

  /** Whether a method calls one of a type, or something that does. */
  private static boolean reaches(JavaCodeUnit from, String type) {
    var seen = new HashSet<JavaCodeUnit>();
    var next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      var unit = next.poll();
      if (unit.getOwner().getName().equals(type)) {
        return true;
      }
      Stream.concat(unit.getCallsFromSelf().stream(), unit.getMethodReferencesFromSelf().stream())
          .flatMap(access -> access.getTarget().resolveMember().stream())
          .filter(JavaCodeUnit.class::isInstance)
          .map(JavaCodeUnit.class::cast)
          .filter(target -> isOurs(target.getOwner()) && seen.add(target))
          .forEach(next::add);
    }
    return false;
  }

  @Test
  void every_package_has_its_arrows_here() {
    var found =
        OURS.stream()
            .map(ArchitectureTest::packageOf)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(new TreeSet<>(MAY_CALL.keySet()), found);
  }

  @ParameterizedTest
  @MethodSource("packages")
  void a_package_calls_only_those_below_it(String name) {
    var allowed = MAY_CALL.get(name);
    check(
        noClasses()
            .that(are("in " + named(name), type -> packageOf(type).equals(name)))
            .should()
            .dependOnClassesThat(
                are(
                    "ours, elsewhere, and not in " + new TreeSet<>(allowed),
                    type ->
                        isOurs(type)
                            && !packageOf(type).equals(name)
                            && !allowed.contains(packageOf(type)))));
  }

  @Test
  void every_part_of_a_package_has_its_arrows_here() {
    var found =
        OURS.stream()
            .map(ArchitectureTest::partOf)
            .filter(part -> part.contains("."))
            .collect(Collectors.toCollection(TreeSet::new));
    found.addAll(found.stream().map(ArchitectureTest::packageOf).toList());
    assertEquals(new TreeSet<>(PARTS_MAY_CALL.keySet()), found);
  }

  @ParameterizedTest
  @MethodSource("parts")
  void a_part_of_a_package_calls_only_those_below_it(String name) {
    var allowed = PARTS_MAY_CALL.get(name);
    check(
        noClasses()
            .that(are("in " + named(name), type -> partOf(type).equals(name)))
            .should()
            .dependOnClassesThat(
                are(
                    "in another part of the package, and not in " + new TreeSet<>(allowed),
                    type ->
                        isOurs(type)
                            && packageOf(type).equals(packageOf(name))
                            && !partOf(type).equals(name)
                            && !allowed.contains(partOf(type)))));
  }

  @Test
  void the_model_knows_no_framework() {
    check(
        classes()
            .that()
            .resideInAPackage(ROOT + ".model..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                ROOT + ".model..", "java..", "com.fasterxml.jackson..", "com.google.re2j.."));
  }

  @Test
  void nobody_calls_a_resource() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat(
                are(
                    "resources of another class",
                    type -> isOurs(type) && outermost(type).endsWith("Resource")))
            .as("no class should depend on a resource"),
        type -> !outermost(type).endsWith("Resource"));
  }

  @Test
  void nothing_is_injected_into_fields() {
    check(
        noFields()
            .should()
            .beAnnotatedWith(Inject.class)
            .orShould()
            .beAnnotatedWith("org.eclipse.microprofile.config.inject.ConfigProperty")
            .orShould()
            .beAnnotatedWith("jakarta.ws.rs.core.Context")
            .orShould()
            .beAnnotatedWith("jakarta.persistence.PersistenceContext"));
  }

  @Test
  void only_egress_calls_other_servers() {
    check(
        noClasses()
            .that(
                are(
                    "outside of egress and the client, which runs on the caller's machine",
                    type -> !Set.of("egress", "client").contains(packageOf(type))))
            .should()
            .dependOnClassesThat(
                are(
                    "clients",
                    type ->
                        type.getPackageName().startsWith("java.net.http")
                            || CLIENTS.contains(type.getName()))));
  }

  @Test
  void nothing_that_carries_out_runs_sleeps() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(ROOT + ".action..", ROOT + ".sprite..", ROOT + ".work..")
            .should()
            .callMethodWhere(
                DescribedPredicate.describe(
                    "a thread pauses by itself",
                    call -> {
                      var target = call.getTarget();
                      return PAUSES.contains(target.getOwner().getName())
                          && PAUSE.matcher(target.getName()).matches();
                    })));
  }

  @Test
  void transactions_begin_in_one_way_which_retries() {
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName(ROOT + ".platform.database.Database")
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                "jakarta\\.transaction\\.(Transactional|UserTransaction|TransactionManager)"
                    + "|io\\.quarkus\\.narayana\\.jta\\.QuarkusTransaction"));
  }

  @Test
  void changes_of_tenants_take_turns_for_their_transactions() {
    check(
        noClasses()
            .that(
                are(
                    "in tenant, subscription or component, and not known to lock nothing for long",
                    type ->
                        Set.of("tenant", "subscription", "component").contains(packageOf(type))
                            && !WITHOUT_TURNS.contains(outermost(type))))
            .should()
            .callMethodWhere(
                DescribedPredicate.describe(
                    "a transaction is opened",
                    call ->
                        call.getTarget()
                                .getOwner()
                                .getName()
                                .equals(ROOT + ".platform.database.Database")
                            && call.getTarget().getName().equals("transaction"))));
  }

  @Test
  void only_components_commit_as_the_service_does() {
    check(
        noClasses()
            .that(are("outside of component", type -> !packageOf(type).equals("component")))
            .should()
            .callMethodWhere(
                DescribedPredicate.describe(
                    "a record of an install may be written",
                    call ->
                        call.getTarget().getOwner().getName().equals(ROOT + ".commit.CommitService")
                            && call.getTarget().getName().equals("submitInstall"))));
  }

  @Test
  void only_the_greeting_writes_to_the_console() {
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName(ROOT + ".start.Greeting")
            .should()
            .accessField(System.class, "out"));
  }

  @Test
  void logging_goes_through_jboss_logging_alone() {
    check(
        noClasses()
            .that()
            // It listens to the log: JBoss Logging has no handlers.
            .haveNameNotMatching(
                ROOT.replace(".", "\\.") + "\\.platform\\.operation\\.OutOfMemory(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "java.util.logging..", "org.slf4j..", "org.apache.commons.logging.."));
  }

  private static void check(ArchRule rule) {
    rule.check(OURS);
  }

  private static void check(ArchRule rule, Predicate<JavaClass> among) {
    rule.check(OURS.that(are("looked at", among)));
  }

  private static DescribedPredicate<JavaClass> are(
      String description, Predicate<JavaClass> predicate) {
    return DescribedPredicate.describe(description, predicate);
  }

  private static boolean isOurs(JavaClass type) {
    return type.getPackageName().equals(ROOT) || type.getPackageName().startsWith(ROOT + ".");
  }

  /** The capability: the first name below the root. */
  private static String packageOf(JavaClass type) {
    return packageOf(partOf(type));
  }

  private static String packageOf(String part) {
    return part.split("\\.", -1)[0];
  }

  /** The Java package, without the root. */
  private static String partOf(JavaClass type) {
    var name = type.getPackageName();
    return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
  }

  private static String outermost(JavaClass type) {
    return type.getName().split("\\$", -1)[0];
  }

  private static String named(String name) {
    return name.isEmpty() ? ROOT : ROOT + "." + name;
  }
}
