package dev.cairn.oauth;

import dev.cairn.access.limit.RateLimiter;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/**
 * The page on which a person connects a device. The code must always be typed or confirmed, and the
 * page names the client, so that a link that a stranger sends does not connect anything by itself.
 */
@BuiltIn
@Path(DeviceResource.PATH)
@RunOnVirtualThread
@Produces(Pages.HTML)
public class DeviceResource {
  static final String PATH = "/device";
  private static final String USER_CODE = "user_code";

  private final Browsers browsers;
  private final Clients clients;
  private final BrowserSessions sessions;
  private final Devices devices;
  private final Pages pages;
  private final RateLimiter limiter;
  private final int perMinute;

  DeviceResource(
      Browsers browsers,
      Clients clients,
      BrowserSessions sessions,
      Devices devices,
      Pages pages,
      RateLimiter limiter,
      CairnConfig config) {
    this.browsers = browsers;
    this.clients = clients;
    this.sessions = sessions;
    this.devices = devices;
    this.pages = pages;
    this.limiter = limiter;
    this.perMinute = config.limits().signInsPerMinute();
  }

  /** Asks for the code, after a sign-in. */
  @GET
  public Response show(@Context HttpServerRequest request) {
    var browser = browsers.of(request);
    var typed = Parameters.ofQuery(request).text(USER_CODE).flatMap(UserCode::read);
    return sessions
        .of(browser)
        .map(session -> form(200, session, typed.map(UserCode::shown).orElse(""), null, browser))
        .orElseGet(() -> signIn(typed, browser));
  }

  /** Takes the code and asks for consent; or takes the person's decision. */
  @POST
  @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
  public Response answer(InputStream body, @Context HttpServerRequest request) {
    var browser = browsers.of(request);
    var form = Parameters.ofBody(body);
    var code = form.text(USER_CODE).flatMap(UserCode::read);
    var session = sessions.of(browser);
    if (session.isEmpty()) {
      return signIn(code, browser);
    }
    if (!browser.hasSent(form, Browser.SESSION)) {
      throw SignInResource.forged();
    }
    var minute = Duration.ofMinutes(1);
    limiter.takeByAddress("device codes", browser.address(), perMinute, minute);
    limiter.take("device codes", "account:" + session.get().accountId(), perMinute, minute);
    var decided =
        form.text("decision").flatMap(d -> code.flatMap(c -> decide(c, d, session.get(), browser)));
    if (decided.isPresent()) {
      return decided.get();
    }
    return code.flatMap(c -> consent(c, session.get(), browser))
        .orElseGet(
            () ->
                form(
                    400,
                    session.get(),
                    form.text(USER_CODE).orElse(""),
                    "No device waits with this code. Look at it again, or let the device start"
                        + " again.",
                    browser));
  }

  /** The page for a form that is not from our page, or whose parameters are malformed. */
  @ServerExceptionMapper
  public Response refused(OAuthError e) {
    return pages.refusal(e);
  }

  /** The page for a rate limit, or for a body that is too large. */
  @ServerExceptionMapper
  public Response refused(Problem problem) {
    return pages.refusal(problem);
  }

  private Optional<Response> decide(
      UserCode code, String decision, BrowserSessions.BrowserSession session, Browser browser) {
    boolean allowed = decision.equals("allow");
    var now = Instant.now();
    var waiting = devices.waiting(code, now);
    if (waiting.isEmpty()) {
      return Optional.empty();
    }
    var client = clients.get(waiting.get().clientId(), browser.address());
    boolean decided =
        allowed
            ? devices.approve(code, session, client, browser.address(), now)
            : devices.deny(code, now);
    if (!decided) {
      return sessions.of(browser).isEmpty()
          ? Optional.of(signIn(Optional.of(code), browser))
          : Optional.empty();
    }
    return Optional.of(
        allowed
            ? pages.message(
                "Connected", "Your device continues by itself. You can close this page.")
            : pages.message("Not connected", "The device got no access. You can close this page."));
  }

  private Optional<Response> consent(
      UserCode code, BrowserSessions.BrowserSession session, Browser browser) {
    return devices
        .waiting(code, Instant.now())
        .map(
            waiting -> {
              var client = clients.get(waiting.clientId(), browser.address());
              return pages.consent(
                  new ConsentForm(
                      browser.path(PATH),
                      Browser.token(session.secret()),
                      client.name(),
                      client.provenance(),
                      null,
                      code.shown(),
                      waiting.grantScope().inWords(),
                      Map.of(USER_CODE, code.shown()),
                      SignInResource.signOut(session, here(Optional.of(code), browser), browser)));
            });
  }

  private Response form(
      int status,
      BrowserSessions.BrowserSession session,
      String typed,
      String error,
      Browser browser) {
    return pages.device(
        status,
        new DeviceForm(
            browser.path(PATH),
            Browser.token(session.secret()),
            typed,
            error,
            SignInResource.signOut(session, browser.path(PATH), browser)));
  }

  private static Response signIn(Optional<UserCode> code, Browser browser) {
    return Pages.seeOther(SignInResource.url(here(code, browser), browser)).build();
  }

  private static String here(Optional<UserCode> code, Browser browser) {
    return browser.path(PATH) + code.map(c -> "?" + USER_CODE + "=" + c.shown()).orElse("");
  }
}
