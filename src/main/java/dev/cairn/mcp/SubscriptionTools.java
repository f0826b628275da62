package dev.cairn.mcp;

import static dev.cairn.mcp.Tool.optional;
import static dev.cairn.mcp.Tool.required;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.mcp.Tool.Argument;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.subscription.Bindings;
import dev.cairn.subscription.SubscriptionAccess;
import dev.cairn.subscription.SubscriptionReads;
import dev.cairn.subscription.Subscriptions;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;

/** Tools for subscriptions; {@code docs/subscriptions.md}. */
@ApplicationScoped
class SubscriptionTools implements ToolSource {
  private static final String CATEGORY = "Subscriptions";
  private static final Argument NAME =
      required("name", Schema.string("The subscription's name in the repository"));
  private static final List<Argument> CHANGEABLE =
      List.of(
          optional("shapeName", Schema.string("webhook, sprite: the shape that is watched")),
          optional(
              "filterJson",
              Schema.map(
                  """
                  webhook, sprite: which operations match. {} all adds and revises; leaves operation\
                   (add revise retract rename), kind, shape, name, match; all, any, not combine""")),
          optional("webhookUrl", Schema.string("https URL that is called")),
          optional("executorKind", Schema.word("cron: what a tick sets off", "webhook", "sprite")),
          optional(
              "cronConfig",
              Schema.map("cron: {cronspec: 5 fields, at most every 5 minutes, timezone?: IANA}")),
          optional(
              "spriteConfig",
              Schema.map(
                  """
                  {command, inputMode: stdin | json-file | env, gitRepo?, ref?, spriteName?,\
                   inputPath?, spritePool?, tokenTtlMinutes?: 5 to 60}""")),
          optional(
              "allowTraceReentry", Schema.flag("Also set off by what its own runs set in motion")),
          optional("workspacePolicy", Schema.word("Workspace commits", "ignore", "include")),
          optional("notifyOnSuccess", Schema.flag("Notifications of successes too")));

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
  public List<Tool> tools() {
    return List.of(
        Tool.named("subscription_list", "List subscriptions")
            .inRepository()
            .open()
            .describedAs("What the repository sets in motion, and whether it is active.")
            .gives(Schema.page(view()))
            .by(CATEGORY, call -> reads.list(readable(call))),
        Tool.named("subscription_get", "Read one subscription")
            .inRepository()
            .open()
            .describedAs("One subscription with what runs. Next: action_runs.")
            .takes(NAME)
            .gives(view())
            .by(CATEGORY, call -> reads.get(readable(call), call.required("name"))),
        Tool.named("subscription_create", "Set something in motion")
            .inRepository()
            .that(Effect.ADDS)
            .describedAs(
                """
                Watches a shape and, for each commit that matches, calls a webhook (kind webhook) or
                runs a command (kind sprite); or does either on a schedule (kind cron). Needed:
                webhook shapeName, filterJson, webhookUrl; sprite shapeName, filterJson,
                spriteConfig; cron executorKind, cronConfig and webhookUrl or spriteConfig.
                """)
            .takes(NAME, required("kind", Schema.word("What it is", "webhook", "sprite", "cron")))
            .takes(CHANGEABLE)
            .takes(
                optional("active", Schema.flag("false makes it paused")),
                optional("sourceRepo", Schema.string("org/repo to watch instead of this one")),
                optional(
                    "tokenScopes",
                    Schema.list(
                        "sprite: what its token may: {permissions: [..], allowedMatches?: [..]}",
                        "object")),
                SharedSchemas.IDEMPOTENCY_KEY)
            .gives(view())
            .by(CATEGORY, this::create),
        Tool.named("subscription_update", "Change a subscription")
            .inRepository()
            .that(Effect.SETS)
            .describedAs("Changes what is given; spriteConfig and cronConfig are merged.")
            .takes(NAME)
            .takes(CHANGEABLE)
            .gives(view())
            .by(CATEGORY, this::update),
        changes("subscription_pause", "Pause a subscription", Effect.SETS)
            .describedAs("Makes no more runs of it; those that there are go on.")
            .takes(NAME)
            .gives(SharedSchemas.done())
            .by(CATEGORY, this::pause),
        changes("subscription_resume", "Resume a subscription", Effect.SETS)
            .describedAs("Makes runs again; what was missed in the pause is not made up for.")
            .takes(NAME)
            .gives(SharedSchemas.done())
            .by(CATEGORY, this::resume),
        changes("subscription_delete", "Delete a subscription", Effect.DESTROYS)
            .describedAs("Deletes it; runs that wait end. subscription_pause keeps it.")
            .takes(NAME)
            .gives(SharedSchemas.done())
            .by(CATEGORY, this::delete),
        changes("subscription_bind", "Bind a credential set", Effect.SETS)
            .describedAs("Its deliveries are signed and authorized by the set's keys.")
            .takes(NAME, required("credentialSetName", Schema.string("See credential_set_list")))
            .gives(
                Schema.object(
                    "bound:boolean", "subscriptionName:string", "credentialSetName:string"))
            .by(CATEGORY, this::bind),
        changes("subscription_unbind", "Take a binding away", Effect.SETS)
            .describedAs("Its deliveries go without credentials.")
            .takes(NAME)
            .gives(Schema.object("unbound:boolean", "subscriptionName:string"))
            .by(CATEGORY, this::unbind));
  }

  private static Tool.Builder changes(String name, String title, Effect effect) {
    return Tool.named(name, title).inRepository().that(effect);
  }

  private static ObjectNode view() {
    return Schema.object("name:string", "kind:string", "active:boolean", "shapeName?:string");
  }

  private Object create(ToolCall call) {
    var granted = writable(call);
    return subscriptions
        .create(granted, () -> call.object("idempotencyKey"), call.text("idempotencyKey"))
        .answer()
        .json();
  }

  private Object update(ToolCall call) {
    return subscriptions.update(writable(call), call.required("name"), call.object("name"));
  }

  private Object pause(ToolCall call) {
    subscriptions.pause(writable(call), call.required("name"));
    return Map.of("ok", true);
  }

  private Object resume(ToolCall call) {
    subscriptions.resume(writable(call), call.required("name"));
    return Map.of("ok", true);
  }

  private Object delete(ToolCall call) {
    subscriptions.delete(writable(call), call.required("name"));
    return Map.of("ok", true);
  }

  private Object bind(ToolCall call) {
    return bindings.bind(writable(call), call.required("name"), call.required("credentialSetName"));
  }

  private Object unbind(ToolCall call) {
    return bindings.unbind(writable(call), call.required("name"));
  }

  private RepositoryAccess readable(ToolCall call) {
    return access.toRead(caller.get(), call.org(), call.repo());
  }

  private RepositoryAccess writable(ToolCall call) {
    return access.toWrite(caller.get(), call.org(), call.repo());
  }
}
