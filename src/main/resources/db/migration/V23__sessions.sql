-- A sign-in is a session: one row, whether it was begun by a password, in a browser, or by an OAuth
-- grant. Access tokens name it, and are good only while the row is there. Access tokens from before
-- name none, so whoever is signed in signs in again. See docs/access.md, Sessions.
drop table oauth_refresh_token;
drop table oauth_grant;
drop table browser_session;
drop table refresh_token;

create table session (
  id          uuid        primary key,
  account_id  uuid        not null references account (id) on delete cascade,
  kind        text        not null check (kind in ('sign-in', 'browser', 'grant')),
  -- The OAuth client of a grant.
  client_id   text        collate "C",
  -- Of a grant: names of permissions separated by spaces; null for everything that the account may.
  scope       text,
  -- Of a grant, RFC 8707: what the access tokens are for; null if the client did not say.
  resource    text,
  -- SHA-256 of the cookie of a browser.
  cookie_hash bytea       unique,
  -- The network address from which it was begun.
  address     text        not null,
  created_at  timestamptz not null,
  -- When its tokens were last renewed.
  renewed_at  timestamptz not null,
  expires_at  timestamptz not null,
  check ((kind = 'grant') = (client_id is not null)),
  check ((kind = 'browser') = (cookie_hash is not null))
);
create index session_account on session (account_id, id);
create index session_expiry on session (expires_at);

create table refresh_token (
  hash       bytea       primary key,
  session_id uuid        not null references session (id) on delete cascade,
  used_at    timestamptz,
  expires_at timestamptz not null
);
create index refresh_token_session on refresh_token (session_id);
create index refresh_token_expiry on refresh_token (expires_at);
