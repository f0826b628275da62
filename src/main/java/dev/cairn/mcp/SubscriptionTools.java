package dev.cairn.mcp;

import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.conditional.IfMatch;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.subscription.Bindings;
import dev.cairn.subscription.SubscriptionAccess;
import dev.cairn.subscription.SubscriptionReads;
import dev.cairn.subscription.Subscriptions;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tools for subscriptions; {@code docs/subscriptions.md}. */
@ApplicationScoped
class SubscriptionTools implements ToolSource {
  private static final String CATEGORY = "Subscriptions";
  private static final String IF_MATCH = "ifMatch";

  private final CurrentCaller caller;
  private final SubscriptionAccess access;
  private final Subscriptions subscriptions;
  private final Bindings bindings;
  private final SubscriptionReads reads;

  SubscriptionTools(
      CurrentCaller caller,
      SubscriptionAccess access,
      Subscriptions subscriptions,
      Bindings bindings,
      SubscriptionReads reads) {
    this.caller = caller;
    this.access = access;
    this.subscriptions = subscriptions;
    this.bindings = bindings;
    this.reads = reads;
  }

  @Override
  public int order() {
    return 8;
  }

  @Override
  public Optional<Toolset> toolset() {
    return Optional.of(Toolset.SUBSCRIPTION);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("subscription_list", "List subscriptions")
            .describedAs("The repository's subscriptions, and whether they are active.")
            .handledBy(CATEGORY, call -> reads.list(readable(call))),
        Tool.ofRoute("subscription_get", "Read one subscription")
            .describedAs("One subscription with its active runs. Next: action_runs.")
            .handledBy(CATEGORY, call -> reads.get(readable(call), call.required("name"))),
        Tool.ofRoute("subscription_create", "Create a subscription")
            .withEffect(Effect.ADDS)
            .describedAs(
                """
                Watches a shape and, for each commit that matches, calls a webhook (kind webhook) or
                runs a command (kind sprite); or does either on a schedule (kind cron). Required:
                webhook shapeName, filterJson, webhookUrl; sprite shapeName, filterJson,
                spriteConfig; cron executorKind, cronConfig and webhookUrl or spriteConfig.
                """)
            .handledBy(CATEGORY, this::create),
        Tool.ofRoute("subscription_update", "Change a subscription")
            .withEffect(Effect.SETS)
            .describedAs(
                """
                Changes the given members, which are those of subscription_create; spriteConfig and
                cronConfig are merged.
                """)
            .handledBy(CATEGORY, this::update),
        changes("subscription_pause", "Pause a subscription", Effect.SETS)
            .describedAs("Starts no new runs; existing runs continue.")
            .handledBy(CATEGORY, this::pause),
        changes("subscription_resume", "Resume a subscription", Effect.SETS)
            .describedAs("Starts runs again; commits and ticks during the pause stay skipped.")
            .handledBy(CATEGORY, this::resume),
        Tool.ofRoute("subscription_delete", "Delete a subscription")
            .deleting("name")
            .describedAs("Deletes it and ends its waiting runs. subscription_pause keeps it.")
            .handledBy(CATEGORY, this::delete),
        changes("subscription_bind", "Bind a credential set", Effect.SETS)
            .describedAs("Signs and authorizes its deliveries with the keys of the set.")
            .handledBy(CATEGORY, this::bind),
        changes("subscription_unbind", "Unbind a credential set", Effect.SETS)
            .describedAs("Sends its deliveries without credentials.")
            .handledBy(CATEGORY, this::unbind));
  }

  private static Tool.Builder changes(String name, String title, Effect effect) {
    return Tool.ofRoute(name, title).withEffect(effect);
  }

  private Object create(ToolCall call) {
    var granted = writable(call);
    return subscriptions
        .create(
            granted,
            () -> call.object("idempotencyKey"),
            call.text("idempotencyKey").stream().toList())
        .answer()
        .json();
  }

  private Object update(ToolCall call) {
    return subscriptions.update(
        writable(call), call.required("name"), ifMatch(call), call.object("name", IF_MATCH));
  }

  private Object pause(ToolCall call) {
    subscriptions.pause(writable(call), call.required("name"));
    return Map.of("ok", true);
  }

  private Object resume(ToolCall call) {
    subscriptions.resume(writable(call), call.required("name"), ifMatch(call));
    return Map.of("ok", true);
  }

  private Object delete(ToolCall call) {
    subscriptions.delete(writable(call), call.required("name"), ifMatch(call));
    return Map.of("ok", true);
  }

  private Object bind(ToolCall call) {
    return bindings.bind(
        writable(call), call.required("name"), ifMatch(call), call.required("credentialSetName"));
  }

  private Object unbind(ToolCall call) {
    return bindings.unbind(writable(call), call.required("name"), ifMatch(call));
  }

  private static IfMatch ifMatch(ToolCall call) {
    return IfMatch.of(call.text(IF_MATCH));
  }

  private RepositoryAccess readable(ToolCall call) {
    return access.toRead(caller.get(), call.org(), call.repo());
  }

  private RepositoryAccess writable(ToolCall call) {
    return access.toWrite(caller.get(), call.org(), call.repo());
  }
}
