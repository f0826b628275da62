-- Tokens of installed components, known by their hashes; docs/access.md, Component tokens.
create table component_token (
  repo_id    uuid        not null references repository (id) on delete cascade,
  hash       bytea       not null,
  account_id uuid        not null references account (id) on delete cascade,
  component  text        not null collate "C",
  scopes     text        not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (repo_id, hash)
);
create index component_token_hash on component_token (hash);
create index component_token_expiry on component_token (expires_at);
create index component_token_account on component_token (account_id);
