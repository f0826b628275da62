package dev.cairn.oauth;

import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.util.URLUtils;
import dev.cairn.access.authentication.Account;
import dev.cairn.access.authentication.SignIn;
import dev.cairn.access.session.Session.Ending;
import dev.cairn.model.Problem;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Sign-in and sign-out in a browser. */
@BuiltIn
@Path("/oauth")
@RunOnVirtualThread
@Produces(Pages.HTML)
public class SignInResource {
  private static final String SIGN_IN = "/oauth/sign-in";
  private static final String RETURN = "return";
  private static final Duration FORM_AGE = Duration.ofHours(1);

  /** What follows the path of a page of ours: a query of what a query may hold. */
  private static final Pattern QUERY = Pattern.compile("(\\?[A-Za-z0-9._~%!$&'()*+,;=:@/?-]*)?");

  private final Browsers browsers;
  private final SignIn signIn;
  private final BrowserSessions sessions;
  private final Pages pages;

  SignInResource(Browsers browsers, SignIn signIn, BrowserSessions sessions, Pages pages) {
    this.browsers = browsers;
    this.signIn = signIn;
    this.sessions = sessions;
    this.pages = pages;
  }

  /** The sign-in page; a browser with a session goes on at once. */
  @GET
  @Path("sign-in")
  public Response show(@Context HttpServerRequest request) {
    var browser = browsers.of(request);
    var returnTo = returnTo(Parameters.ofQuery(request), browser);
    var session = sessions.of(browser);
    if (session.isEmpty()) {
      return form(200, browser, returnTo, "", null);
    }
    return returnTo
        .map(url -> Pages.seeOther(url).build())
        .orElseGet(() -> pages.signedIn(signOut(session.get(), null, browser)));
  }

  /** Signs in. */
  @POST
  @Path("sign-in")
  @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
  public Response signIn(InputStream body, @Context HttpServerRequest request) {
    var browser = browsers.of(request);
    var form = Parameters.ofBody(body);
    if (!browser.sent(form, Browser.FORM)) {
      throw forged();
    }
    var returnTo = returnTo(form, browser);
    var email = form.text("email").orElse("");
    try {
      var secret =
          signIn.byPassword(
              email,
              form.text("password").orElse(""),
              browser.address(),
              account -> begin(account, browser));
      return signedIn(secret, returnTo, browser);
    } catch (Problem problem) {
      int status =
          switch (problem.code()) {
            case RATE_LIMITED, UNAVAILABLE -> problem.code().status();
            default -> 400;
          };
      return Pages.retryAfter(form(status, browser, returnTo, email, problem.detail()), problem);
    }
  }

  /** Signs out, to come back as somebody else or not at all. */
  @POST
  @Path("sign-out")
  @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
  public Response signOut(InputStream body, @Context HttpServerRequest request) {
    var browser = browsers.of(request);
    var form = Parameters.ofBody(body);
    if (!browser.sent(form, Browser.SESSION)) {
      throw forged();
    }
    sessions.end(browser, Ending.SIGNED_OUT);
    var next = returnTo(form, browser).map(url -> url(url, browser)).orElse(browser.path(SIGN_IN));
    return Pages.seeOther(next).cookie(browser.delete(Browser.SESSION)).build();
  }

  /** A form that is not from our page, or whose parameters nobody can read. */
  @ServerExceptionMapper
  public Response refused(OAuthError e) {
    return pages.refusal(e);
  }

  /** A body too large. */
  @ServerExceptionMapper
  public Response refused(Problem problem) {
    return pages.refusal(problem);
  }

  /** The sign-in page that leads on to a page of ours. */
  static String url(String returnTo, Browser browser) {
    return browser.path(SIGN_IN)
        + "?"
        + URLUtils.serializeParameters(Map.of(RETURN, List.of(returnTo)));
  }

  /** Who is signed in, and the way out. */
  static SignOutForm signOut(
      BrowserSessions.BrowserSession session, String returnTo, Browser browser) {
    return new SignOutForm(
        browser.path("/oauth/sign-out"),
        Browser.token(session.secret()),
        returnTo,
        session.name(),
        session.email());
  }

  /** A form that was not sent from the page that we showed to this browser. */
  static OAuthError forged() {
    return OAuthError.of(
        new ErrorObject("access_denied", null, 403),
        "This form is too old, or was not sent from this page. Go back, load the page again, and"
            + " allow cookies.");
  }

  private String begin(Account account, Browser browser) {
    // Whatever session the browser had is over: nobody can have chosen the new one for it.
    sessions.end(browser, Ending.REPLACED);
    return sessions.begin(account.id, browser.address(), Instant.now());
  }

  private static Response signedIn(String secret, Optional<String> returnTo, Browser browser) {
    return Pages.seeOther(returnTo.orElse(browser.path(SIGN_IN)))
        .cookie(
            browser.setCookie(Browser.SESSION, secret, BrowserSessions.LIFETIME),
            browser.delete(Browser.FORM))
        .build();
  }

  private Response form(
      int status, Browser browser, Optional<String> returnTo, String email, String error) {
    var cookie = browser.cookie(Browser.FORM).orElseGet(Secret.COOKIE::next);
    var form =
        new SignInForm(
            browser.path(SIGN_IN), Browser.token(cookie), returnTo.orElse(null), email, error);
    return pages
        .signIn(status, form)
        .cookie(browser.setCookie(Browser.FORM, cookie, FORM_AGE))
        .build();
  }

  /** Where to go on: to the two pages that send somebody here, and nowhere else. */
  private static Optional<String> returnTo(Parameters parameters, Browser browser) {
    return parameters
        .text(RETURN)
        .filter(
            url ->
                isPage(url, browser.path(AuthorizeResource.PATH))
                    || isPage(url, browser.path(DeviceResource.PATH)));
  }

  private static boolean isPage(String url, String path) {
    return url.startsWith(path) && QUERY.matcher(url.substring(path.length())).matches();
  }
}
