-- The built-in OAuth authorization server. What is secret stands here as SHA-256 only.

-- Clients that registered themselves. Those that are known by the URL of their document, and
-- the built-in one, have no row.
create table oauth_client (
  id            text        primary key collate "C",
  name          text        not null,
  redirect_uris text[]      not null,
  created_at    timestamptz not null,
  -- When it last got a token, by the day.
  used_at       timestamptz not null
);
create index oauth_client_use on oauth_client (used_at);

-- What an account agreed to. Ending it ends every refresh token beneath it; whoever works on those
-- locks this row first.
create table oauth_grant (
  id         uuid        primary key,
  account_id uuid        not null references account (id) on delete cascade,
  client_id  text        not null collate "C",
  -- Names of permissions separated by spaces; null for everything that the account may.
  scope      text,
  -- RFC 8707: what the access tokens are for; null where the client did not say.
  resource   text,
  created_at timestamptz not null,
  -- When its newest refresh token ends.
  expires_at timestamptz not null
);
create index oauth_grant_account on oauth_grant (account_id);
create index oauth_grant_expiry on oauth_grant (expires_at);

create table oauth_refresh_token (
  hash       bytea       primary key,
  grant_id   uuid        not null references oauth_grant (id) on delete cascade,
  used_at    timestamptz,
  expires_at timestamptz not null
);
create index oauth_refresh_token_grant on oauth_refresh_token (grant_id);
create index oauth_refresh_token_expiry on oauth_refresh_token (expires_at);

-- Authorization codes. grant_id is what the code becomes: a second use ends it.
create table oauth_code (
  hash           bytea       primary key,
  grant_id       uuid        not null,
  account_id     uuid        not null references account (id) on delete cascade,
  client_id      text        not null collate "C",
  redirect_uri   text        not null,
  code_challenge text        not null,
  scope          text,
  resource       text,
  used_at        timestamptz,
  expires_at     timestamptz not null
);
create index oauth_code_account on oauth_code (account_id);
create index oauth_code_expiry on oauth_code (expires_at);

-- Devices that wait for a person (RFC 8628).
create table oauth_device (
  hash       bytea       primary key,
  user_hash  bytea       not null unique,
  client_id  text        not null collate "C",
  scope      text,
  resource   text,
  status     text        not null check (status in ('pending', 'approved', 'denied')),
  account_id uuid        references account (id) on delete cascade,
  -- Seconds that the device has to wait between two questions, and when it last asked.
  interval_s int         not null,
  polled_at  timestamptz,
  expires_at timestamptz not null,
  check ((status = 'approved') = (account_id is not null))
);
create index oauth_device_account on oauth_device (account_id) where account_id is not null;
create index oauth_device_expiry on oauth_device (expires_at);

-- Who is signed in on the pages.
create table browser_session (
  hash       bytea       primary key,
  account_id uuid        not null references account (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index browser_session_account on browser_session (account_id);
create index browser_session_expiry on browser_session (expires_at);
