import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Attacks the packaged service on loopback at full scale and prints what each attack got, what
 * others got meanwhile, and whether the service held. {@code docs/attacks.md} says how to run it.
 */
final class Attack {
  /** After this time an attack is broken off. */
  private static final Duration LIMIT = Duration.ofSeconds(Long.getLong("limit", 300));

  private static final Duration CLEAN_UP = Duration.ofSeconds(60);
  private static final Map<String, Callable<Result>> ATTACKS = attacks();

  private Attack() {}

  /** Each runs against a service of its own. */
  private static Map<String, Callable<Result>> attacks() {
    var attacks = new LinkedHashMap<String, Callable<Result>>();
    attacks.put("quiet", Quiet::run);
    attacks.put("A1", DotSegments::run);
    attacks.put("smuggling", Smuggling::run);
    attacks.put("A2-login", UnfinishedBodies::signIns);
    attacks.put("A2-mcp", UnfinishedBodies::messages);
    attacks.put("A2-signed-in", UnfinishedBodies::signedIn);
    attacks.put("A2-drip", UnfinishedBodies::drip);
    attacks.put("A2-hundred", UnfinishedBodies::hundred);
    attacks.put("A2-complete", UnfinishedBodies::complete);
    attacks.put("A2-hang-up-look-ups", UnfinishedBodies::lookUps);
    attacks.put("A2-hang-up-messages", UnfinishedBodies::hungUpMessages);
    attacks.put("A2-large-heads", Heads::answered);
    attacks.put("A2-heads-ahead", Heads::ahead);
    attacks.put("A2-requests-ahead", Heads::smallAhead);
    attacks.put("A2-partial-heads", Heads::partial);
    attacks.put("A2-whole-heads", Heads::whole);
    attacks.put("A2-waiting-heads", Heads::waiting);
    attacks.put("A2-names", Memory::names);
    attacks.put("A2-answers", Memory::answers);
    attacks.put("A2-lists", Memory::lists);
    attacks.put("A2-look-ups-waiting", Memory::lookUpsWaiting);
    attacks.put("A2-bombs", Memory::bombs);
    attacks.put("A2-downloads", Downloads::run);
    attacks.put("A2-repositories", Answers::repositories);
    attacks.put("A2-document", Answers::document);
    attacks.put("A2-exports", Answers::exports);
    attacks.put("A2-paths", Answers::paths);
    attacks.put("A2-hosts", Answers::hosts);
    attacks.put("A2-network", Answers::network);
    attacks.put("A2-commits-waiting", Answers::waitingCommits);
    attacks.put("A3", SubscriptionRights::run);
    attacks.put("A4", LocalSprites::environment);
    attacks.put("A5-name", LocalSprites::signUpAsDemo);
    attacks.put("A5-rename", LocalSprites::takeRenamedDemo);
    attacks.put("A5-local", LocalSprites::localWithOpenSignUp);
    attacks.put("A6", Quotas::run);
    attacks.put("A6-quotas", Quotas::withoutRates);
    attacks.put("A7", AccessTokens::afterLogout);
    attacks.put("A8", AccessTokens::withoutRead);
    attacks.put("A9", SignIns::run);
    attacks.put("A9-addresses", SignIns::manyAddresses);
    attacks.put("A10-device", LockedRows::devicePolls);
    attacks.put("A10-sessions", LockedRows::endsOfSessions);
    attacks.put("A10-login", LockedRows::refusedSignIns);
    attacks.put("A13", Renames::run);
    attacks.put("B14", Deliveries::failingPath);
    attacks.put("B15", Deliveries::hangingReceiver);
    return attacks;
  }

  static void main(String[] arguments) throws Exception {
    var chosen = chosen(arguments);
    if (chosen.isEmpty()) {
      System.err.println(
          "Usage: Attack.java [NAME or its beginning before a -]...; names: " + names());
      System.exit(2);
    }
    var priority = Priority.lower();
    var conditions = conditions(priority);
    var rows = new ArrayList<String>();
    boolean held = true;
    for (var name : chosen) {
      tell(name + " begins");
      long begin = System.nanoTime();
      var result = result(name);
      rows.add(result.row(name));
      tell(
          "%s ended after %d s: %s"
              .formatted(
                  name, Duration.ofNanos(System.nanoTime() - begin).toSeconds(), rows.getLast()));
      held &= result.verdict() != Result.Verdict.NOT_HELD;
    }
    System.out.println(conditions + "\n\n" + Result.HEADER);
    rows.forEach(System.out::println);
    System.exit(held ? 0 : 1);
  }

  private static void tell(String line) {
    System.err.println("%tT %s".formatted(LocalTime.now(), line));
  }

  /** What the numbers depend on. */
  private static String conditions(String priority) {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return "Measured %s: %d processors, load average %.1f at the beginning, heap %s, %s, %s, %s scale."
        .formatted(
            LocalDateTime.now().truncatedTo(ChronoUnit.MINUTES),
            system.getAvailableProcessors(),
            system.getSystemLoadAverage(),
            Service.HEAP,
            Flood.ADDRESSES == 1 ? "1 address" : Flood.ADDRESSES + " addresses",
            priority,
            Scale.IS_QUICK ? "a quarter of the" : "full");
  }

  /** Whatever happens in an attack, the next one can begin. */
  private static Result result(String name) throws InterruptedException {
    var task = new FutureTask<>(ATTACKS.get(name));
    var thread = Thread.ofPlatform().daemon().start(task);
    try {
      return task.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      e.getCause().printStackTrace();
      return Result.brokenOff(e.getCause().toString());
    } catch (TimeoutException e) {
      thread.interrupt();
      thread.join(CLEAN_UP);
      return Result.brokenOff("it did not end within " + LIMIT.toSeconds() + " s");
    } finally {
      Service.endAll();
    }
  }

  private static List<String> chosen(String[] arguments) {
    return ATTACKS.keySet().stream()
        .filter(
            name ->
                arguments.length == 0
                    || Arrays.stream(arguments).anyMatch(argument -> isOf(argument, name)))
        .toList();
  }

  /** Whether an argument is the name of an attack, or what its name has before a {@code -}. */
  private static boolean isOf(String argument, String name) {
    return name.equals(argument) || name.startsWith(argument + "-");
  }

  private static String names() {
    return String.join(" ", ATTACKS.keySet());
  }
}
