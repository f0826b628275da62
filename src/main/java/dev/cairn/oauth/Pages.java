package dev.cairn.oauth;

import com.nimbusds.oauth2.sdk.ErrorObject;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.http.ProblemDocument;
import gg.jte.models.runtime.JteModel;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.Base64;

/** The HTML pages, with headers that protect them from being read, framed or altered. */
@ApplicationScoped
class Pages {
  static final String HTML = "text/html; charset=utf-8";
  private static final String SELF = "'self'";
  private static final String NOWHERE = "'none'";

  private final Templates templates = new StaticTemplates();
  private final String styleHash = hashOfStyle(templates.message("", "", false).render());

  /** The sign-in page. */
  Response.ResponseBuilder signIn(int status, SignInForm form) {
    return page(status, SELF, templates.signIn(form));
  }

  /** The page after a sign-in that has no page to return to. */
  Response signedIn(SignOutForm form) {
    return page(200, SELF, templates.signedIn(form)).build();
  }

  /** The page that asks for consent to send the browser on to {@code redirectUri}. */
  Response consent(ConsentForm form, URI redirectUri) {
    return page(200, SELF + " " + source(redirectUri), templates.consent(form)).build();
  }

  /** The page that asks for consent to connect a device. */
  Response consent(ConsentForm form) {
    return page(200, SELF, templates.consent(form)).build();
  }

  /** The page that asks for a device's code. */
  Response device(int status, DeviceForm form) {
    return page(status, SELF, templates.device(form)).build();
  }

  /** A page with a message only. */
  Response message(String title, String text) {
    return page(200, NOWHERE, templates.message(title, text, false)).build();
  }

  /** The page for a refused request that cannot be answered at its client. */
  Response refusal(OAuthError e) {
    ErrorObject error = e.error();
    int status = error.getHTTPStatusCode() >= 400 ? error.getHTTPStatusCode() : 400;
    return error(status == 401 ? 400 : status, error.getDescription());
  }

  /** The same for a violated rule of the service. */
  Response refusal(Problem problem) {
    return retryAfter(error(problem.code().status(), problem.detail()), problem);
  }

  /** The same response, with the time to wait if a limit is used up or the service is busy. */
  static Response retryAfter(Response response, Problem problem) {
    return switch (problem.code()) {
      case RATE_LIMITED, UNAVAILABLE ->
          Response.fromResponse(response)
              .header(
                  HttpHeaders.RETRY_AFTER,
                  problem.details().getOrDefault("retryAfter", ProblemDocument.RETRY_AFTER_SECONDS))
              .build();
      default -> response;
    };
  }

  private Response error(int status, String text) {
    return page(status, NOWHERE, templates.message("This did not work", text, true)).build();
  }

  /** Redirects to a URL, which the browser fetches with GET. */
  static Response.ResponseBuilder seeOther(String url) {
    // As text: a URI would be resolved against the address of this replica.
    return Response.status(Response.Status.SEE_OTHER)
        .header(HttpHeaders.LOCATION, url)
        .header("Referrer-Policy", "no-referrer");
  }

  private Response.ResponseBuilder page(int status, String formAction, JteModel page) {
    return Response.status(status)
        .type(HTML)
        .header(
            "Content-Security-Policy",
            ("default-src 'none'; style-src '%s'; form-action %s; base-uri 'none';"
                    + " frame-ancestors 'none'")
                .formatted(styleHash, formAction))
        .header("X-Frame-Options", "DENY")
        .header("Referrer-Policy", "no-referrer")
        .entity(page.render());
  }

  /**
   * The source expression of a redirect URI for the content security policy: some browsers apply
   * the policy of a form to the redirect after it. It cannot name an IPv6 address.
   */
  private static String source(URI uri) {
    boolean isWeb = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
    return isWeb && !uri.getHost().startsWith("[")
        ? uri.getScheme() + "://" + uri.getRawAuthority()
        : uri.getScheme() + ":";
  }

  private static String hashOfStyle(String page) {
    var style = page.substring(page.indexOf("<style>") + 7, page.indexOf("</style>"));
    return "sha256-" + Base64.getEncoder().encodeToString(Sha256.of(style));
  }
}
