// A person with a browser that runs no scripts: follows redirects, keeps cookies, fills forms in.

const FIELD = /<input type="hidden" name="([^"]*)" value="([^"]*)">/g;

export class Person {
  constructor(email, password) {
    this.email = email;
    this.password = password;
    this.cookies = new Map();
  }

  /** Signs in and agrees; answers the address that the client is to be called back at. */
  async agree(authorizationUrl) {
    let page = await this.visit(authorizationUrl);
    if (page.html.includes('name="password"')) {
      page = await this.send(page, { email: this.email, password: this.password });
    }
    const answer = await this.send(page, { decision: 'allow' });
    if (!answer.leaves) {
      throw new Error(`the consent was not followed by a redirect to the client: ${answer.html}`);
    }
    return answer.leaves;
  }

  async send(page, values) {
    const form = /<form method="post" action="([^"]*)">([\s\S]*?)<\/form>/.exec(page.html);
    if (!form) {
      throw new Error(`there is no form on ${page.url}: ${page.html}`);
    }
    const body = new URLSearchParams();
    for (const [, name, value] of form[2].matchAll(FIELD)) {
      body.set(name, unescaped(value));
    }
    Object.entries(values).forEach(([name, value]) => body.set(name, value));
    return this.visit(new URL(unescaped(form[1]), page.url), { method: 'POST', body, from: page.url });
  }

  async visit(url, { method = 'GET', body, from } = {}) {
    const target = new URL(url);
    const headers = { Cookie: [...this.cookies].map(([k, v]) => `${k}=${v}`).join('; ') };
    if (from) {
      headers.Origin = new URL(from).origin;
    }
    const response = await fetch(target, { method, body, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]*)=([^;]*)/.exec(cookie);
      this.cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (!location) {
      return { url: target, html: await response.text() };
    }
    const next = new URL(location, target);
    return next.origin === target.origin ? this.visit(next) : { url: target, html: '', leaves: next };
  }
}

function unescaped(text) {
  return text
    .replaceAll('&#34;', '"')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
