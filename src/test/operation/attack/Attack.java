import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Attacks the packaged service on loopback at full scale and prints what each attack got, what
 * others got meanwhile, and whether the service held. {@code docs/attacks.md} says how to run it.
 */
final class Attack {
  /** Runs one attack against a service of its own. */
  @FunctionalInterface
  interface Run {
    Result run() throws Exception;
  }

  private static final Map<String, Run> ATTACKS = attacks();

  private Attack() {}

  private static Map<String, Run> attacks() {
    var attacks = new LinkedHashMap<String, Run>();
    attacks.put("quiet", Quiet::run);
    attacks.put("A1", DotSegments::run);
    attacks.put("A2-login", UnfinishedBodies::signIns);
    attacks.put("A2-mcp", UnfinishedBodies::messages);
    attacks.put("A2-signed-in", UnfinishedBodies::signedIn);
    attacks.put("A2-drip", UnfinishedBodies::drip);
    attacks.put("A2-hundred", UnfinishedBodies::hundred);
    attacks.put("A2-hang-up-look-ups", UnfinishedBodies::lookUps);
    attacks.put("A2-hang-up-messages", UnfinishedBodies::hungUpMessages);
    attacks.put("A2-large-heads", LargeHeads::run);
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
    attacks.put("B14", Deliveries::failingPath);
    attacks.put("B15", Deliveries::hangingReceiver);
    return attacks;
  }

  static void main(String[] arguments) throws Exception {
    var chosen = chosen(arguments);
    if (chosen.isEmpty()) {
      System.err.println("Usage: Attack.java [NAME or its beginning]...; names: " + names());
      System.exit(2);
    }
    var rows = new ArrayList<String>();
    boolean held = true;
    for (var name : chosen) {
      System.err.println(name + " begins");
      var result = result(name);
      rows.add(result.row(name));
      System.err.println(rows.getLast());
      held &= result.verdict() != Result.Verdict.NOT_HELD;
    }
    System.out.println(Result.HEADER);
    rows.forEach(System.out::println);
    System.exit(held ? 0 : 1);
  }

  /** An attack that could not be carried out has shown nothing, so it counts as not held. */
  private static Result result(String name) throws InterruptedException {
    try {
      return ATTACKS.get(name).run();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      e.printStackTrace();
      return new Result("the attack broke off: " + e, "", "", Result.Verdict.NOT_HELD);
    }
  }

  private static List<String> chosen(String[] arguments) {
    return ATTACKS.keySet().stream()
        .filter(
            name -> arguments.length == 0 || Arrays.stream(arguments).anyMatch(name::startsWith))
        .toList();
  }

  private static String names() {
    return String.join(" ", ATTACKS.keySet());
  }
}
