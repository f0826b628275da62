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
  private static final Duration MAX_FORM_AGE = Duration.ofHours(1);

  /** What may follow the path of one of our pages: a valid query. */
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

  /** The sign-in page; a browser with a session is redirected at once. */
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
    if (!browser.hasSent(form, Browser.FORM)) {
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

  /** Signs out; the person may then sign in with another account. */
  @POST
  @Path("sign-out")
  @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
  public Response signOut(InputStream body, @Context HttpServerRequest request) {
    var browser = browsers.of(request);
    var form = Parameters.ofBody(body);
    if (!browser.hasSent(form, Browser.SESSION)) {
      throw forged();
    }
    sessions.end(browser, Ending.SIGNED_OUT);
    var next = returnTo(form, browser).map(url -> url(url, browser)).orElse(browser.path(SIGN_IN));
    return Pages.seeOther(next).cookie(browser.delete(Browser.SESSION)).build();
  }

  /** The page for a form that is not from our page, or whose parameters are malformed. */
  @ServerExceptionMapper
  public Response refused(OAuthError e) {
    return pages.refusal(e);
  }

  /** The page for a body that is too large. */
  @ServerExceptionMapper
  public Response refused(Problem problem) {
    return pages.refusal(problem);
  }

  /** The URL of the sign-in page that returns to one of our pages. */
  static String url(String returnTo, Browser browser) {
    return browser.path(SIGN_IN)
        + "?"
        + URLUtils.serializeParameters(Map.of(RETURN, List.of(returnTo)));
  }

  /** The account that is signed in, and the form to sign out. */
  static SignOutForm signOut(
      BrowserSessions.BrowserSession session, String returnTo, Browser browser) {
    return new SignOutForm(
        browser.path("/oauth/sign-out"),
        Browser.token(session.secret()),
        returnTo,
        session.name(),
        session.email());
  }

  /** The error for a form that was not sent from the page that this browser got. */
  static OAuthError forged() {
    return OAuthError.of(
        new ErrorObject("access_denied", null, 403),
        "This form is too old, or was not sent from this page. Go back, load the page again, and"
            + " allow cookies.");
  }

  private String begin(Account account, Browser browser) {
    // Ends the browser's former session and begins a new one, against session fixation.
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
        .cookie(browser.setCookie(Browser.FORM, cookie, MAX_FORM_AGE))
        .build();
  }

  /** The page to return to: one of the two pages that redirect to the sign-in, and no other. */
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
