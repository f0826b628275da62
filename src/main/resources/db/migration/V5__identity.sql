-- Personal access tokens, invitations and the audit log; docs/architecture.md, Storage.

create table personal_access_token (
  id          uuid        primary key,
  account_id  uuid        not null references account (id) on delete cascade,
  name        text        not null collate "C",
  description text,
  -- Of the whole token: what is stored cannot be used.
  hash        bytea       not null unique,
  expires_at  timestamptz not null,
  revoked_at  timestamptz,
  created_at  timestamptz not null,
  -- A revoked or expired token keeps its name.
  unique (account_id, name)
);

-- The entries of a token's scopes; a token without any is not restricted. What an entry is about is
-- kept by id and without a foreign key: a repository that takes the name of a deleted one is another
-- one, and an entry whose repository is gone must cover nothing rather than everything.
create table token_scope (
  token_id        uuid   not null references personal_access_token (id) on delete cascade,
  ordinal         int    not null,
  resource        text,
  org_id          uuid,
  repo_id         uuid,
  permissions     text[] not null,
  -- Null: no restriction of names. Empty: no name at all.
  allowed_matches text[],
  primary key (token_id, ordinal),
  check ((resource is null) = (org_id is null)),
  check (repo_id is null or org_id is not null)
);

-- Memberships that wait for an account of that address.
create table invitation (
  org_id     uuid        not null references organization (id) on delete cascade,
  email      text        not null check (email = lower(email)),
  role       text        not null check (role in ('viewer', 'editor', 'admin', 'owner')),
  created_at timestamptz not null,
  primary key (org_id, email)
);
create index invitation_email on invitation (email);

-- Who did what to members, tokens, visibility and credentials; rows are only ever added.
create table audit_event (
  org_id     uuid        not null references organization (id),
  id         uuid        not null,
  at         timestamptz not null,
  action     text        not null collate "C",
  account_id uuid,
  actor      text        not null,
  token_name text,
  address    text,
  target     text        not null,
  details    text        not null default '{}',
  primary key (org_id, id)
);

create function audit_event_is_append_only() returns trigger
  language plpgsql as $$
begin
  raise exception 'audit_event is append only';
end
$$;
create trigger audit_event_append_only
  before update or delete or truncate on audit_event
  for each statement execute function audit_event_is_append_only();

-- Who signs in by an external issuer is known by issuer and subject, never by the e-mail address.
alter table account
  add column issuer text,
  add column subject text,
  add constraint account_identity unique (issuer, subject),
  add constraint account_identity_is_whole check ((issuer is null) = (subject is null));
